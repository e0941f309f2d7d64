/// Lets a number of requests pass at once, and then some per second: a token bucket. Pure.
struct RateLimit: Hashable {
    let burst: Double
    let perSecond: Double
    private var tokens: Double
    private var last = Duration.zero

    init(burst: Int, perSecond: Int) {
        (self.burst, self.perSecond) = (Double(burst), Double(perSecond))
        tokens = Double(burst)
    }

    mutating func passes(at now: Duration) -> Bool {
        tokens = min(burst, tokens + (now - last) / .seconds(1) * perSecond)
        last = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}

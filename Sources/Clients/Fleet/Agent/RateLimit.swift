/// A token bucket, which lets a number of requests pass at once, and then a number per second. It has no side effects.
struct RateLimit: Hashable {
    private let burst: Double
    private let perSecond: Double
    private var tokens: Double
    private var last = Duration.zero

    init(burst: Double, perSecond: Double) {
        (self.burst, self.perSecond) = (burst, perSecond)
        tokens = burst
    }

    mutating func passes(at now: Duration) -> Bool {
        tokens = min(burst, tokens + (now - last) / .seconds(1) * perSecond)
        last = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}

/// Determines when to request Tacet's health, and stores the answer. It has no side effects.
struct HealthWatch: Hashable {
    private static let period = Duration.seconds(10)
    /// The delay between an event and the request.
    private static let delay = Duration.milliseconds(500)

    /// Tacet's answer, or nil until it is known.
    private(set) var complaints: [String]?
    private var next = Duration.zero
    private var isAsking = false

    /// The time of the next request, or nil while the answer is on its way.
    var deadline: Duration? { isAsking ? nil : next }

    /// Notes that Tacet has become available.
    mutating func begin(at now: Duration) { next = now }

    /// Notes an event that may change the health.
    mutating func noteEvent(at now: Duration) { next = min(next, now + HealthWatch.delay) }

    /// Notes that Tacet is not available, for this reason.
    mutating func lose(_ reason: String) { complaints = [reason] }

    /// Returns true if the health must be requested now.
    mutating func ask(at now: Duration) -> Bool {
        guard !isAsking, now >= next else { return false }
        isAsking = true
        next = now + HealthWatch.period
        return true
    }

    /// - Parameter complaints: the problems, or nil if there is no answer.
    mutating func answer(_ complaints: [String]?) {
        isAsking = false
        if let complaints { self.complaints = complaints }
    }
}

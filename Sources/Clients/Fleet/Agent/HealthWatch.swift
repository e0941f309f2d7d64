/// When to ask Tacet for its health, and what it has said. Pure.
struct HealthWatch: Hashable {
    private static let period = Duration.seconds(10)
    /// How soon after an event.
    private static let delay = Duration.milliseconds(500)

    /// What Tacet says; nil until that is known.
    private(set) var complaints: [String]?
    private var next = Duration.zero
    private var isAsking = false

    /// When to ask; nil while the answer is on its way.
    var deadline: Duration? { isAsking ? nil : next }

    /// Tacet has become available.
    mutating func begin(at now: Duration) { next = now }

    /// Something has happened that may change it.
    mutating func noteEvent(at now: Duration) { next = min(next, now + HealthWatch.delay) }

    /// Tacet is not available, for this reason.
    mutating func lose(_ reason: String) { complaints = [reason] }

    /// Returns true if it is to be asked now.
    mutating func ask(at now: Duration) -> Bool {
        guard !isAsking, now >= next else { return false }
        isAsking = true
        next = now + HealthWatch.period
        return true
    }

    /// - Parameter complaints: nil if there is no answer.
    mutating func answer(_ complaints: [String]?) {
        isAsking = false
        if let complaints { self.complaints = complaints }
    }
}

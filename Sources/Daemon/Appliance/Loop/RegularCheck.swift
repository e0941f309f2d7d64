/// The times of a check that is repeated while nothing else happens. The type is pure, so the caller passes the time.
///
/// A check that had a timer of its own would wake the processor at times of its own. Therefore, a check that is nearly due
/// is performed together with any other event, such as the save of the position, and causes a wake-up only if no event
/// has occurred for long enough.
struct RegularCheck: Hashable {
    /// The time after which the check shares the wake-up of another event.
    let earliest: Duration
    /// The time after which the check causes a wake-up.
    let latest: Duration
    private var last: Duration

    init(from earliest: Duration, to latest: Duration, at now: Duration) {
        self.earliest = earliest
        self.latest = latest
        last = now
    }

    /// Creates the times of the checks whose exact interval does not matter. Its middle is the default interval of the
    /// saves and half of the service manager's timeout, so that all of them share a wake-up.
    init(at now: Duration) {
        self.init(from: .milliseconds(4_375), to: .milliseconds(5_625), at: now)
    }

    /// Records that the check has been performed.
    mutating func pass(at now: Duration) { last = now }

    /// True if the check may be performed now.
    func isDue(at now: Duration) -> Bool { now - last >= earliest }

    /// The time at which the check has to be performed.
    var deadline: Duration { last + latest }
}

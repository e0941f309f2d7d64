import AudioSession

/// The capture device of a rehearsal. Its clock never stops: it counts the frames that are recorded.
struct VirtualMicrophone {
    var isThere = true
    private let clock: DeviceClock
    private var directive = RecordingDirective.off
    private var isAsleep = false
    /// The frame of the clock from which it records; nil while it does not.
    private var since: Int?
    /// The frames recorded since the boot, before `since`.
    private var frames = 0

    /// - Parameter rate: in frames per second.
    init(rate: Int) { clock = DeviceClock(opened: .zero, rate: rate) }

    mutating func record(_ directive: RecordingDirective, at now: Duration) {
        self.directive = directive
        follow(at: now)
    }

    /// The system is suspended: nothing is captured.
    mutating func sleep(at now: Duration) {
        isAsleep = true
        follow(at: now)
    }

    mutating func wake(at now: Duration) {
        isAsleep = false
        follow(at: now)
    }

    mutating func cutPower() {
        directive = .off
        isAsleep = false
        since = nil
        frames = 0
    }

    /// How much has been recorded since the boot.
    func recorded(at now: Duration) -> Duration {
        DeviceClock(opened: .zero, rate: clock.rate).time(of: frames + pending(at: now))
    }

    private func pending(at now: Duration) -> Int { since.map { clock.frames(at: now) - $0 } ?? 0 }

    private mutating func follow(at now: Duration) {
        frames += pending(at: now)
        since = directive == .on && !isAsleep ? clock.frames(at: now) : nil
    }
}

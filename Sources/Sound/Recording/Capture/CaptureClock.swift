/// Which frame a device captures when: a pure state machine. It counts the frames of all devices, one after the other. Times
/// are nanoseconds of CLOCK_MONOTONIC.
struct CaptureClock {
    /// A frame, and when it was captured.
    private var frame: Int
    private var time: Int
    /// Whether the device has reported it.
    private var isLocated = false
    private let rate: Int

    init(frame: Int, at now: Int, rate: Int) {
        self.frame = frame
        time = now
        self.rate = rate
    }

    /// Notes which frame is being captured now.
    /// - Parameters:
    ///   - next: the first frame that has not been read.
    ///   - available: how many can be read.
    @_noLocks @_noAllocation
    mutating func locate(after next: Int, delay: Int, available: Int, at now: Int) {
        // PulseAudio's plug-in reports 0 where the delay is negative: frames of a monitor can be there before they are
        // played. Then the position follows the clock, unless the device never reports more.
        guard delay > 0 || now - time > 500_000_000 || !isLocated else { return }
        isLocated = true
        time = now
        frame = next + (delay > 0 ? delay : available)
    }

    /// Continues after a restart of the device.
    /// - Parameter next: the frame that is dealt with next.
    /// - Returns: the frame that is being captured now.
    @_noLocks @_noAllocation
    mutating func restart(from next: Int, at now: Int) -> Int {
        let present = frame + (now - time) * rate / 1_000_000_000
        (frame, time, isLocated) = (max(present, next), now, false)
        return present
    }

    /// When a frame was captured, or will be.
    @_noLocks @_noAllocation
    func time(of frame: Int) -> Int { time + (frame - self.frame) * 1_000_000_000 / rate }

    /// The first frame captured at this time or later.
    @_noLocks @_noAllocation
    func frame(at time: Int) -> Int {
        let elapsed = time - self.time
        // An order can be older than the device: no overflow.
        guard elapsed > -1_000_000_000_000 else { return 0 }
        let frames = elapsed * rate
        return frame + (frames > 0 ? (frames + 999_999_999) / 1_000_000_000 : frames / 1_000_000_000)
    }
}

/// The mapping from the frames of a device to the times at which they are captured, as a pure state machine. It counts
/// the frames of all devices, one after the other. Times are in nanoseconds of CLOCK_MONOTONIC.
struct CaptureClock {
    /// A frame, and the time at which it was captured.
    private var frame: Int
    private var time: Int
    /// True if the frame was calculated from a delay that the device has reported.
    private var isLocated = false
    private let rate: Int

    init(frame: Int, at now: Int, rate: Int) {
        self.frame = frame
        time = now
        self.rate = rate
    }

    /// Records the frame that is being captured now.
    /// - Parameters:
    ///   - next: the first frame that has not been read.
    ///   - available: the number of frames that can be read.
    @_noLocks @_noAllocation
    mutating func locate(after next: Int, delay: Int, available: Int, at now: Int) {
        // PulseAudio's plug-in reports 0 if the delay is negative, because frames of a monitor may be available before
        // they are played. In that case, keep the last known position, unless the delay has been 0 for half a second.
        guard delay > 0 || now - time > 500_000_000 || !isLocated else { return }
        isLocated = true
        time = now
        frame = next + (delay > 0 ? delay : available)
    }

    /// Continues after the device was restarted.
    /// - Parameter next: the frame that is processed next.
    /// - Returns: the frame that is being captured now.
    @_noLocks @_noAllocation
    mutating func restart(from next: Int, at now: Int) -> Int {
        let present = frame + (now - time) * rate / 1_000_000_000
        (frame, time, isLocated) = (max(present, next), now, false)
        return present
    }

    /// Returns the time at which a frame was or will be captured.
    @_noLocks @_noAllocation
    func time(of frame: Int) -> Int { time + (frame - self.frame) * 1_000_000_000 / rate }

    /// Returns the first frame captured at this time or later.
    @_noLocks @_noAllocation
    func frame(at time: Int) -> Int {
        let elapsed = time - self.time
        // An order may be much older than the frame, so prevent an overflow.
        guard elapsed > -1_000_000_000_000 else { return 0 }
        let frames = elapsed * rate
        return frame + (frames > 0 ? (frames + 999_999_999) / 1_000_000_000 : frames / 1_000_000_000)
    }
}

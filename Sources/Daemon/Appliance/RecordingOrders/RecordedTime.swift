/// The total time that successive recorders have recorded at different rates.
struct RecordedTime {
    /// The frames per second of the device in use.
    private var rate = 0
    /// The time that was recorded before `rate` changed or by earlier recorders.
    private var former = Duration.zero
    /// The recorder's frames that `former` includes.
    private var formerFrames = 0

    /// - Parameter frames: The number of frames of the recorder.
    func total(_ frames: Int) -> Duration {
        rate > 0 ? former + Duration(frames: frames - formerFrames, rate: rate) : former
    }

    /// - Parameter frames: The number of frames that the recorder has recorded at the former rate.
    mutating func use(rate: Int, after frames: Int) {
        guard rate != self.rate else { return }
        former = total(frames)
        formerFrames = frames
        self.rate = rate
    }

    /// Ends the current recorder. The next one counts from zero.
    mutating func endRecorder(after frames: Int) {
        former = total(frames)
        formerFrames = 0
    }
}

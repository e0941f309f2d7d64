/// The gain that was applied to the music over time, with a point wherever its slope changes.
struct RecordedGain {
    private(set) var points: [(time: Duration, gain: Float)] = []

    /// The index of the first point since a device was last opened.
    private var start = 0

    /// Starts a new curve, which is not connected to the previous points, because a device was opened.
    mutating func begin(_ gain: Float, at time: Duration) {
        start = points.count
        points.append((time, gain))
    }

    mutating func append(_ gain: Float, at time: Duration) {
        if points.count - start >= 2, points.suffix(2).allSatisfy({ $0.gain == gain }) { points.removeLast() }
        points.append((time, gain))
    }
}

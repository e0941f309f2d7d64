/// The programme's gain over time, as it was applied: a point wherever it bends.
struct GainCurve {
    private(set) var points: [(time: Duration, gain: Float)] = []

    /// Where the curve last began anew.
    private var start = 0

    /// What comes now does not continue what was before: a device was opened.
    mutating func begin(_ gain: Float, at time: Duration) {
        start = points.count
        points.append((time, gain))
    }

    mutating func append(_ gain: Float, at time: Duration) {
        if points.count - start >= 2, points.suffix(2).allSatisfy({ $0.gain == gain }) { points.removeLast() }
        points.append((time, gain))
    }
}

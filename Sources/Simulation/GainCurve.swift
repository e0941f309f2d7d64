/// The programme's gain over time, as it was applied: a point wherever it bends.
struct GainCurve {
    private(set) var points: [(time: Duration, gain: Float)] = []

    mutating func append(_ gain: Float, at time: Duration) {
        if points.count >= 2, points.suffix(2).allSatisfy({ $0.gain == gain }) { points.removeLast() }
        points.append((time, gain))
    }
}

/// The loudest peak of each pixel column.
enum HeardEnvelope {
    /// Returns the outline of the envelope as steps above `base`. It is empty if nothing was measured in the time span
    /// of the picture.
    static func outline(
        of buckets: [Timeline.PeakBucket], on scale: TimeScale, base: Double, height: Double
    ) -> [Point] {
        let first = Int(scale.left.rounded(.down))
        var columns = Array(repeating: 0.0, count: Int(scale.right.rounded(.up)) - first)
        var measured = false
        for bucket in buckets where bucket.peak.isFinite {
            guard let x = scale.extent(bucket.from, bucket.to, minimum: 1) else { continue }
            measured = true
            let lower = Int(x.lowerBound.rounded(.down)) - first
            let upper = max(lower + 1, Int(x.upperBound.rounded(.down)) - first)
            for column in lower..<min(upper, columns.count) {
                columns[column] = max(columns[column], min(max(bucket.peak, 0), 1))
            }
        }
        guard measured else { return [] }
        var points = [Point(x: scale.left, y: base)]
        for (offset, peak) in columns.enumerated() {
            let y = base - peak * height
            if points[points.count - 1].y == y { continue }
            let x = Double(first + offset)
            points += [Point(x: x, y: points[points.count - 1].y), Point(x: x, y: y)]
        }
        return points + [Point(x: scale.right, y: points[points.count - 1].y), Point(x: scale.right, y: base)]
    }
}

extension Timeline {
    /// The loudest sample that was measured in a time span.
    public struct PeakBucket: Sendable, Equatable {
        /// The time at which the span begins, in seconds.
        public var from: Double
        /// The time at which the span ends, in seconds.
        public var to: Double
        /// The linear amplitude, 0…1. The picture clamps it to that range.
        public var peak: Double

        public init(from: Double, to: Double, peak: Double) {
            self.from = from
            self.to = to
            self.peak = peak
        }
    }
}

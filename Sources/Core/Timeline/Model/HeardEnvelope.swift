/// The loudest peak of each pixel column.
struct HeardEnvelope {
    /// The pixel of the first column.
    private let first: Int
    /// The peak of each column, 0…1, or an empty list if nothing was measured in the time span of the picture.
    private let columns: [Double]

    init(_ buckets: [Timeline.PeakBucket], on scale: TimeScale) {
        first = Int(scale.left.rounded(.down))
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
        self.columns = measured ? columns : []
    }

    /// Returns the outline of the envelope as steps above `base`, from the left edge to the right edge of `scale`.
    func outline(on scale: TimeScale, base: Double, height: Double) -> [Point] {
        guard !columns.isEmpty else { return [] }
        var points = [Point(x: scale.left, y: base)]
        for (offset, peak) in columns.enumerated() {
            let y = base - peak * height
            if points[points.count - 1].y == y { continue }
            let x = Double(first + offset)
            points += [Point(x: x, y: points[points.count - 1].y), Point(x: x, y: y)]
        }
        return points + [Point(x: scale.right, y: points[points.count - 1].y), Point(x: scale.right, y: base)]
    }

    /// Returns the longest part of `x` in which no peak is above `limit`, or nil if there is none.
    func room(in x: ClosedRange<Double>, above limit: Double) -> ClosedRange<Double>? {
        guard !columns.isEmpty else { return x }
        var best: ClosedRange<Double>?
        var start: Double?
        func end(at pixel: Double) {
            guard let from = start else { return }
            if pixel - from > best.map({ $0.upperBound - $0.lowerBound }) ?? 0 { best = from...pixel }
            start = nil
        }
        for column in Int(x.lowerBound.rounded(.down))..<Int(x.upperBound.rounded(.up)) {
            let pixel = max(x.lowerBound, Double(column))
            if columns.indices.contains(column - first), columns[column - first] > limit {
                end(at: pixel)
            } else if start == nil {
                start = pixel
            }
        }
        end(at: x.upperBound)
        return best
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

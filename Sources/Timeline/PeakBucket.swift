extension Timeline {
    /// The loudest sample heard in a bucket of time.
    public struct PeakBucket: Sendable, Equatable {
        /// Where the bucket begins, in seconds.
        public var from: Double
        /// Where the bucket ends, in seconds.
        public var to: Double
        /// Linear amplitude, 0…1; drawn clamped to that.
        public var peak: Double

        public init(from: Double, to: Double, peak: Double) {
            self.from = from
            self.to = to
            self.peak = peak
        }
    }
}

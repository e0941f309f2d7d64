extension Timeline {
    /// The programme's gain at an instant; between two points it is linear.
    public struct GainPoint: Sendable, Equatable {
        /// Seconds.
        public var time: Double
        /// Linear amplitude, 0…1; drawn clamped to that.
        public var gain: Double

        public init(time: Double, gain: Double) {
            self.time = time
            self.gain = gain
        }
    }
}

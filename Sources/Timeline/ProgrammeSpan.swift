extension Timeline {
    /// A stretch of time in which the programme moved evenly through a track, or stood still in it.
    public struct ProgrammeSpan: Sendable, Equatable {
        public enum Motion: Sendable, Equatable {
            case playing
            case held
        }

        /// When it began, in seconds.
        public var from: Double
        /// When it ended, in seconds; a span still going on ends at the picture's `end`, not at infinity,
        /// because its position must be known there.
        public var to: Double
        /// The position in the track at `from`, in seconds.
        public var fromPosition: Double
        /// The position in the track at `to`, in seconds.
        public var toPosition: Double
        /// The track's name.
        public var track: String
        public var motion: Motion

        public init(
            from: Double, to: Double, fromPosition: Double, toPosition: Double, track: String, motion: Motion
        ) {
            self.from = from
            self.to = to
            self.fromPosition = fromPosition
            self.toPosition = toPosition
            self.track = track
            self.motion = motion
        }
    }
}

extension Timeline {
    /// A value that held for a while.
    public struct Span<Value: Sendable & Equatable>: Sendable, Equatable {
        /// When it began, in seconds.
        public var from: Double
        /// When it ended, in seconds; `.infinity` if it has not.
        public var to: Double
        public var value: Value

        public init(from: Double, to: Double, value: Value) {
            self.from = from
            self.to = to
            self.value = value
        }
    }
}

extension Timeline {
    /// Why nothing ran for a while. The raw value labels it.
    public enum Outage: String, Sendable, Equatable, CaseIterable {
        /// The power failed, or the system was reset.
        case powerCut = "no power"
        /// The system was suspended.
        case asleep
        /// Somebody stopped the supervisor.
        case stopped
        /// The system was shut down or rebooted.
        case shutDown = "shut down"
        /// The supervisor was killed, or crashed.
        case killed
    }
}

extension Timeline {
    /// The audio session, as the programme saw it.
    public enum SessionState: Sendable, Equatable {
        /// Not activated.
        case inactive
        case active
        /// Active, but made quieter by this.
        case ducked(String)
        /// Interrupted by this.
        case interrupted(String)
    }
}

extension Timeline {
    /// What the user wants the programme to do.
    public enum Intent: String, Sendable, Equatable {
        case playing
        case paused
        case stopped
    }
}

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

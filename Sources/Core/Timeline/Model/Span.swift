extension Timeline {
    /// A value during a time span.
    public struct Span<Value: Sendable & Equatable>: Sendable, Equatable {
        /// When it began, in seconds.
        public var from: Double
        /// When it ended, in seconds; `.infinity` if it has not ended.
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
    /// Why Tacet did not run for a while. The raw value is its label.
    public enum Outage: String, Sendable, Equatable, CaseIterable {
        /// The power failed, or the system was reset.
        case powerCut = "no power"
        /// The system was suspended.
        case asleep
        /// Someone stopped the supervisor.
        case stopped
        /// The system was shut down or rebooted.
        case shutDown = "shut down"
        /// The supervisor was killed, or crashed.
        case killed
        /// Before an outage: the supervisor gave no sign any more, and it is not known whether it still ran.
        case unknown = "not known"
    }
}

extension Timeline {
    /// The state of the audio session.
    public enum SessionState: Sendable, Equatable {
        /// Not activated.
        case inactive
        case active
        /// Active, but ducked by these signals.
        case ducked(String)
        /// Interrupted by these signals.
        case interrupted(String)
    }
}

extension Timeline {
    /// What the user wants the music to do.
    public enum Intent: String, Sendable, Equatable {
        case playing
        case paused
        case stopped
    }
}

extension Timeline {
    /// A time span in which the music moved steadily through a track, or was held in it.
    public struct PlaybackSpan: Sendable, Equatable {
        public enum Motion: Sendable, Equatable {
            case playing
            case held
        }

        /// When it began, in seconds.
        public var from: Double
        /// When it ended, in seconds. A span that has not ended must end at the picture's `end`, not at infinity, because
        /// its position there must be known.
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

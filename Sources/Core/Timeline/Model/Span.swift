extension Timeline {
    /// A value during a time span.
    public struct Span<Value: Sendable & Equatable>: Sendable, Equatable {
        /// The time at which the span began, in seconds.
        public var from: Double
        /// The time at which the span ended, in seconds, or `.infinity` if it has not ended.
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
    /// The reason why Tacet did not run for a while. The raw value is the label.
    public enum Outage: String, Sendable, Equatable, CaseIterable {
        /// The power failed, or the system was reset.
        case powerCut = "no power"
        /// The system was suspended.
        case asleep
        /// The supervisor was stopped on request.
        case stopped
        /// The system was shut down or rebooted.
        case shutDown = "shut down"
        /// The supervisor was killed or crashed.
        case killed
        /// The supervisor left no trace before an outage, so it is not known whether it was still running.
        case unknown = "not known"
    }
}

extension Timeline {
    /// The state of the audio session.
    public enum SessionState: Sendable, Equatable {
        /// The session is not activated.
        case inactive
        case active
        /// The session is active, but these signals duck the music.
        case ducked(String)
        /// These signals interrupt the session.
        case interrupted(String)
    }
}

extension Timeline {
    /// The user's intent for the music.
    public enum Intent: String, Sendable, Equatable {
        case playing
        case paused
        case stopped
    }
}

extension Timeline {
    /// A time span in which the music moved steadily through a track or was held in it.
    public struct PlaybackSpan: Sendable, Equatable {
        public enum Motion: Sendable, Equatable {
            case playing
            case held
        }

        /// The time at which the span began, in seconds.
        public var from: Double
        /// The time at which the span ended, in seconds. A span that has not ended must end at the `end` of the
        /// picture, not at infinity, because its position there must be known.
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

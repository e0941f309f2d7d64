/// The history of a device over some time, as a picture that answers the question "why was it quiet?".
///
/// The properties describe what happened, and ``svg()`` draws it. All times are in seconds on one clock of the caller's
/// choice. The axis shows them as they are, or as times of day if there is a ``clock``. Parts outside `start…end` are
/// clipped. A span that has not ended can end at `.infinity`. Values that are not numbers are omitted from the picture.
public struct Timeline: Sendable, Equatable {
    /// The heading of the picture, which screen readers read first.
    public var title: String
    /// The left edge, in seconds.
    public var start: Double
    /// The right edge, in seconds. If it is less than a millisecond from `start`, the picture shows one second.
    public var end: Double
    /// One lane per signal, drawn from top to bottom.
    public var signals: [SignalLane]
    /// The state of the audio session.
    public var session: [Span<SessionState>]
    /// The user's intent for the music, regardless of the signals.
    public var intent: [Span<Intent>]
    /// The inputs that were selected instead of the library, by name, or nil if none are configured.
    public var inputs: [Span<String>]?
    /// The sounds over the music, by name, or nil if none are configured.
    public var sounds: [Span<String>]?
    /// One lane per output of the board.
    public var outputs: [OutputLane]
    /// The gain that was applied to the music, which is piecewise linear and in order of time.
    public var gain: [GainPoint]
    /// The peaks that were measured, or nil if they were not recorded.
    public var heard: [PeakBucket]?
    /// The position of the music.
    public var playback: [PlaybackSpan]
    /// The recording from the microphone, or nil if there is no recorder.
    public var recording: [Span<Microphone>]?
    /// The notifications, each at its instant.
    public var marks: [Mark]
    /// The user's commands and their answers, each at its instant.
    public var commands: [Mark]
    /// The spans in which Tacet did not run, and why.
    public var outages: [Span<Outage>]
    /// The spans in which the audio device was lost, in seconds.
    public var servicesLost: [ClosedRange<Double>]
    /// The clock by which instants are shown as times of day, or nil if they are shown in seconds.
    public var clock: WallClock?

    public init(
        title: String,
        start: Double,
        end: Double,
        signals: [SignalLane] = [],
        session: [Span<SessionState>] = [],
        intent: [Span<Intent>] = [],
        inputs: [Span<String>]? = nil,
        sounds: [Span<String>]? = nil,
        outputs: [OutputLane] = [],
        gain: [GainPoint] = [],
        heard: [PeakBucket]? = nil,
        playback: [PlaybackSpan] = [],
        recording: [Span<Microphone>]? = nil,
        marks: [Mark] = [],
        commands: [Mark] = [],
        outages: [Span<Outage>] = [],
        servicesLost: [ClosedRange<Double>] = [],
        clock: WallClock? = nil
    ) {
        self.title = title
        self.start = start
        self.end = end
        self.signals = signals
        self.session = session
        self.intent = intent
        self.inputs = inputs
        self.sounds = sounds
        self.outputs = outputs
        self.gain = gain
        self.heard = heard
        self.playback = playback
        self.recording = recording
        self.marks = marks
        self.commands = commands
        self.outages = outages
        self.servicesLost = servicesLost
        self.clock = clock
    }

    /// Returns the picture as an SVG document, which is 900 px wide and as high as necessary.
    ///
    /// - Parameter notifications: true to draw the rows of the notifications and of the commands, which only programmers
    ///   need.
    ///
    /// The same timeline gives the same bytes on any machine. Any thread can call this.
    public func svg(notifications: Bool = false) -> String {
        Picture(self, notifications: notifications).svg()
    }
}

/// A stretch of time on an appliance, as a picture that answers "why was it quiet?".
///
/// The values say what happened; ``svg()`` draws it. All times are in seconds on one clock of the caller's
/// choice and are shown on the axis as given, or as times of day with a ``clock``. Parts
/// outside `start…end` are clipped; a span that is still going on may end at `.infinity`; values that are not
/// numbers are left out of the picture rather than drawn somewhere wrong.
public struct Timeline: Sendable, Equatable {
    /// The picture's heading; also what a screen reader says first.
    public var title: String
    /// The left edge, in seconds.
    public var start: Double
    /// The right edge, in seconds. At `start`, or less than a millisecond after, one second is shown.
    public var end: Double
    /// One lane per signal, drawn from top to bottom.
    public var signals: [SignalLane]
    /// What the audio session was, as the programme saw it.
    public var session: [Span<SessionState>]
    /// What the user wants, whatever the signals say.
    public var intent: [Span<Intent>]
    /// The programme's gain as really applied: piecewise linear, in order of time.
    public var gain: [GainPoint]
    /// What was really heard, if somebody listened.
    public var heard: [PeakBucket]?
    /// Where the programme was.
    public var programme: [ProgrammeSpan]
    /// Notifications, each at its instant.
    public var marks: [Mark]
    /// The user's commands and their answers, each at its instant.
    public var commands: [Mark]
    /// From when to when nothing ran, and why.
    public var outages: [Span<Outage>]
    /// While the sound device was gone.
    public var servicesLost: [ClosedRange<Double>]
    /// With it, instants are shown as times of day; without it, in seconds.
    public var clock: WallClock?

    public init(
        title: String,
        start: Double,
        end: Double,
        signals: [SignalLane] = [],
        session: [Span<SessionState>] = [],
        intent: [Span<Intent>] = [],
        gain: [GainPoint] = [],
        heard: [PeakBucket]? = nil,
        programme: [ProgrammeSpan] = [],
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
        self.gain = gain
        self.heard = heard
        self.programme = programme
        self.marks = marks
        self.commands = commands
        self.outages = outages
        self.servicesLost = servicesLost
        self.clock = clock
    }

    /// The picture as an SVG document, 900 px wide and as high as it needs to be.
    ///
    /// Pure: the same timeline gives the same bytes, on any machine and any thread.
    public func svg() -> String {
        Picture(self).svg()
    }
}

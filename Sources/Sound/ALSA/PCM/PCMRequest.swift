/// What to ask a PCM for.
public struct PCMRequest: Sendable, Hashable {
    /// What its rate is to be nearest to, and its channels.
    public var format: StreamFormat
    /// Whether it must have just these channels, rather than as many as come nearest.
    public var needsChannels = false
    /// The first of these that it has.
    public var sampleFormats: [SampleFormat]
    /// Frames between two interrupts, and frames that fit in; wishes both.
    public var periodFrames: Int
    public var bufferFrames: Int

    public init(
        _ format: StreamFormat, sampleFormats: [SampleFormat] = SampleFormat.allCases, periodFrames: Int,
        bufferFrames: Int
    ) {
        self.format = format
        self.sampleFormats = sampleFormats
        self.periodFrames = periodFrames
        self.bufferFrames = bufferFrames
    }
}

/// What a PCM has agreed to.
public struct PCMConfiguration: Sendable, Hashable, CustomStringConvertible {
    public let format: StreamFormat
    public let sampleFormat: SampleFormat
    /// Frames between two interrupts.
    public let periodFrames: Int
    /// Frames that fit into the device.
    public let bufferFrames: Int
    /// Number of the card it plays on; nil where a sound server or a plug-in does not say.
    public let card: Int?
    /// Whether frames that were written and have not been played can be taken back: by a card that is spoken to without a
    /// plug-in, and whose driver knows better than to a period what it has played. (Plug-ins hand frames on to others
    /// that do not give them back, PulseAudio's without saying so.)
    public var canRewind = false

    public var bytesPerFrame: Int {
        @_noLocks @_noAllocation get { sampleFormat.bytesPerSample * format.channels }
    }

    public var description: String {
        "\(sampleFormat), \(format), period of \(periodFrames) frames, buffer of \(bufferFrames)"
    }
}

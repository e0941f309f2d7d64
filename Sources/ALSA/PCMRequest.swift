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

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

    public var bytesPerFrame: Int {
        @_noLocks @_noAllocation get { sampleFormat.bytesPerSample * format.channels }
    }

    public var description: String {
        "\(sampleFormat), \(format), period of \(periodFrames) frames, buffer of \(bufferFrames)"
    }
}

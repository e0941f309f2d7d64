/// The configuration to request from a PCM.
public struct PCMRequest: Sendable, Hashable {
    /// The preferred rate and number of channels. The device uses the nearest values that it supports.
    public var format: StreamFormat
    /// True if the device must use exactly this number of channels.
    public var needsChannels = false
    /// The acceptable sample formats. The device uses the first one that it supports.
    public var sampleFormats: [SampleFormat]
    /// The preferred number of frames between two interrupts. The device may use another number.
    public var periodFrames: Int
    /// The preferred size of the device's buffer in frames. The device may use another size.
    public var bufferFrames: Int
    /// The preferred sizes for a device that can rewind, or nil to treat every device alike. If the device can rewind,
    /// a timer determines when frames are written. The device then generates no interrupts, if it supports this, and
    /// its poll descriptors report only that it has stopped or vanished.
    public var rewindable: Sizes?
    /// True to make a device without a clock, which is one that ends in ALSA's null PCM, run in real time. Otherwise,
    /// such a device accepts and delivers frames as fast as a program can write and read them. Use this only for a PCM
    /// that does not block.
    public var isPaced = false

    /// The sizes of a period and of the buffer, in frames.
    public struct Sizes: Sendable, Hashable {
        public var periodFrames: Int
        public var bufferFrames: Int

        public init(periodFrames: Int, bufferFrames: Int) {
            self.periodFrames = periodFrames
            self.bufferFrames = bufferFrames
        }
    }

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

/// The configuration that a PCM has accepted.
public struct PCMConfiguration: Sendable, Hashable, CustomStringConvertible {
    public let format: StreamFormat
    public let sampleFormat: SampleFormat
    /// Frames between two interrupts.
    public let periodFrames: Int
    /// The size of the device's buffer in frames.
    public let bufferFrames: Int
    /// The number of the card, or nil if the PCM does not report it, as with a sound server or a plug-in.
    public let card: Int?
    /// True if `PCM.rewind` can withdraw frames that have not been played. This requires a card that is used without a
    /// plug-in, and a driver that reports the played position with a finer resolution than a period. A plug-in passes
    /// frames on to a device from which it cannot withdraw them, and the plug-in for PulseAudio does not even report
    /// this.
    public var canRewind = false

    public init(
        format: StreamFormat, sampleFormat: SampleFormat, periodFrames: Int, bufferFrames: Int, card: Int?,
        canRewind: Bool = false
    ) {
        self.format = format
        self.sampleFormat = sampleFormat
        self.periodFrames = periodFrames
        self.bufferFrames = bufferFrames
        self.card = card
        self.canRewind = canRewind
    }

    public var bytesPerFrame: Int {
        @_noLocks @_noAllocation get { sampleFormat.bytesPerSample * format.channels }
    }

    public var description: String {
        "\(sampleFormat), \(format), period of \(periodFrames) frames, buffer of \(bufferFrames)"
    }
}

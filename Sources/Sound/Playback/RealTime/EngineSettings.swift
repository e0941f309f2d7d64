import ALSA

/// How a `RealTimeEngine` plays.
public struct EngineSettings: Sendable {
    /// The device.
    public var address: PCMAddress
    /// The devices to use instead, in order of preference, while `address` cannot be opened.
    public var fallbacks: [PCMAddress] = []
    /// How long a device earlier in the order must have been available again before it is used. This time doubles, up
    /// to the longest, when the device is lost again within that longest time.
    public var firstSettle = Duration.seconds(1)
    public var longestSettle = Duration.seconds(60)
    /// How long to wait after a sleep for the device that was in use before, until another one replaces it.
    public var reopeningTime = Duration.seconds(2)
    /// The format to request; the device uses the nearest one it supports.
    public var preferredFormat = StreamFormat(rate: 48_000, channels: 2)
    /// The queue in a device that cannot rewind, 2 ms or more; it is always a little longer than a period. It grows
    /// automatically after underruns, up to the device's buffer.
    public var queue = EngineSettings.normalQueue
    /// The longest queue in a device that can rewind; up to 2 s.
    public var longestQueue = Duration.seconds(2)
    /// The folder or playlist that the tracks come from. It serves to distinguish lost storage from a missing file.
    public var library: String?
    /// How far to read ahead, 1 s or more.
    public var readAhead = Duration.seconds(4)
    /// The longest fade-out. A longer one is shortened to this, as playback must be able to resume where it began.
    public var longestFade = Duration.seconds(2)
    /// The length of the crossfade when playback jumps to another position or track; at most 100 ms.
    public var jumpFade = Duration.milliseconds(20)
    /// How long the device stays open in silence before it is closed, so that other programs can use it; nil to keep it
    /// open.
    public var closeAfter: Duration? = .seconds(10)
    /// The first pause between two attempts to open a lost device, and the longest; the pause doubles with each
    /// attempt.
    public var firstRetry = Duration.milliseconds(50)
    public var longestRetry = Duration.seconds(5)
    /// Folders in which a file appears when a lost device returns; the engine then tries to open it at once.
    public var watchedFolders = ["/dev/snd", "/run/pulse"]
    /// A device that accepts nothing for this long is lost.
    public var stallTimeout = Duration.seconds(2)
    /// A device that takes longer than this to open is lost.
    public var openTimeout = Duration.seconds(10)
    /// How long such a device is kept open. If it continues in this time, it plays the frames it holds, and nothing is
    /// heard twice. After this time it is reopened.
    public var standstillLimit = Duration.seconds(5)
    /// Priority of the render thread under SCHED_FIFO, 1…99, if the process limits allow it.
    public var priority: Int32 = 40
    /// Whether to lock the whole process in memory, so that no page of it has to be read from a slow disk.
    public var locksMemory = false

    /// The default of `queue`.
    public static var normalQueue: Duration { .milliseconds(15) }
    /// The longest time from an order to its first sample, on a device whose queue has not grown after an underrun: what
    /// it takes at a time, and the queue, which is longer while the process starts.
    public static var longestReaction: Duration { .milliseconds(60) }

    public init(_ address: PCMAddress) {
        self.address = address
    }

    /// All devices, in order of preference.
    var devices: [PCMAddress] { [address] + fallbacks }

    /// These settings, limited to valid values. (A longer crossfade would need more frames than a new deck begins
    /// with.)
    var limited: EngineSettings {
        var settings = self
        settings.jumpFade = min(jumpFade, .milliseconds(100))
        settings.queue = max(queue, .milliseconds(2))
        settings.longestQueue = min(max(longestQueue, .zero), .seconds(2))
        settings.readAhead = max(readAhead, .seconds(1))
        settings.priority = min(max(priority, 1), 99)
        return settings
    }
}

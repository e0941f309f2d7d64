import ALSA

/// How a `RealTimeEngine` plays.
public struct EngineSettings: Sendable {
    /// The device.
    public var address: PCMAddress
    /// What to ask the device for; it gives what comes nearest.
    public var preferredFormat = StreamFormat(rate: 48_000, channels: 2)
    /// How much is queued in the device at most, 2 ms or more: the time from an order to its first sample. It grows by
    /// itself, up to the device's buffer, where the device underruns.
    public var queue = EngineSettings.normalQueue
    /// The folder or playlist that the tracks come from. It distinguishes lost storage from a missing file.
    public var library: String?
    /// How far storage is read ahead, 1 s or more.
    public var readAhead = Duration.seconds(4)
    /// The longest fade-out that gives its frames back; a longer one is cut to it.
    public var longestFade = Duration.seconds(2)
    /// Over which a sounding programme gives way to another place or track, 100 ms at most.
    public var jumpFade = Duration.milliseconds(20)
    /// How long the device goes on with silence before it is closed for others to have it; nil: never closed.
    public var closeAfter: Duration? = .seconds(10)
    /// Pause between two tries to open a device that is lost: the first one, and what it grows to.
    public var firstRetry = Duration.milliseconds(50)
    public var longestRetry = Duration.seconds(5)
    /// Folders where something appears when a lost device is back, to try at once.
    public var watchedFolders = ["/dev/snd", "/run/pulse"]
    /// A device that accepts nothing for this long is lost.
    public var stallTimeout = Duration.seconds(2)
    /// A device that takes longer than this to open is lost.
    public var openTimeout = Duration.seconds(10)
    /// How long a device that was lost so is kept open: if it continues meanwhile, it plays what it holds, and nothing is
    /// heard twice. After that it is opened anew.
    public var standstillLimit = Duration.seconds(5)
    /// Priority of the render thread under SCHED_FIFO, 1…99, where the limits allow it.
    public var priority: Int32 = 40
    /// Whether to keep the whole process in memory, so that no page of it has to come from a slow disk.
    public var locksMemory = false

    /// What `queue` is unless it is set.
    public static var normalQueue: Duration { .milliseconds(15) }

    public init(_ address: PCMAddress) {
        self.address = address
    }

    /// Within what is possible: more than a new deck begins with could never be faded in.
    var limited: EngineSettings {
        var settings = self
        settings.jumpFade = min(jumpFade, .milliseconds(100))
        settings.queue = max(queue, .milliseconds(2))
        settings.readAhead = max(readAhead, .seconds(1))
        settings.priority = min(max(priority, 1), 99)
        return settings
    }
}

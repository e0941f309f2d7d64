import ALSA
import Threads

/// How a `RealTimeEngine` plays.
public struct EngineSettings: Sendable {
    /// The device.
    public var address: PCMAddress
    /// What replaces it while it cannot be opened.
    public var fallbacks = FallbackSettings()
    /// How the render thread treats the device. A silent device is not in use.
    public var handling = DeviceHandling()
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
    /// How long a device that accepts nothing is kept open. If it continues in this time, it plays the frames it holds, and
    /// nothing is heard twice. After this time it is reopened.
    public var standstillLimit = Duration.seconds(5)
    /// The names of its threads begin with it; at most 7 bytes.
    public var program = "sound"
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
    var devices: [PCMAddress] { [address] + fallbacks.devices }

    /// These settings, limited to valid values. (A longer crossfade would need more frames than a new deck begins
    /// with.)
    var limited: EngineSettings {
        var settings = self
        settings.jumpFade = min(jumpFade, .milliseconds(100))
        settings.queue = max(queue, .milliseconds(2))
        settings.longestQueue = min(max(longestQueue, .zero), .seconds(2))
        settings.readAhead = max(readAhead, .seconds(1))
        settings.handling = handling.limited
        return settings
    }
}

/// The devices that replace the preferred one, and when they do.
public struct FallbackSettings: Sendable {
    /// In order of preference.
    public var devices: [PCMAddress] = []
    /// How long a device earlier in the order must have been available again before it is used. This time doubles when the
    /// device is lost again within the longest time.
    public var settle = Backoff(from: .seconds(1), to: .seconds(60))
    /// How long to wait after a sleep for the device that was in use before, until another one replaces it.
    public var reopeningTime = Duration.seconds(2)
}

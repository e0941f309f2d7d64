import ALSA
import PulseAudio
import Threads

/// The settings of a `RealTimeEngine`.
public struct EngineSettings: Sendable {
    /// The preferred device.
    public var address: PCMAddress
    /// The devices that replace the preferred device while it cannot be opened.
    public var fallbacks = FallbackSettings()
    /// The way in which the render thread handles the device. A silent device is treated as unused.
    public var handling = DeviceHandling()
    /// The format to request. The device uses the nearest format that it supports.
    public var preferredFormat = StreamFormat(rate: 48_000, channels: 2)
    /// The length of the queue in a device that cannot rewind, which is 2 ms or more. The queue is always a little
    /// longer than a period. After underruns, it grows automatically up to the size of the device's buffer.
    public var queue = EngineSettings.normalQueue
    /// The maximum length of the queue in a device that can rewind, which is up to 2.2 s and up to half of
    /// `readAhead`. It is refilled when 0.5 s are left, which must be more often than a stall is noticed.
    public var longestQueue = EngineSettings.upperLimitOfQueue
    /// The folder or playlist that the tracks come from. The engine uses it to distinguish lost storage from a missing
    /// file.
    public var library: String?
    /// The duration of music to read ahead, which is 1 s or more. The storage thread continues when a third of it is
    /// left, so with a long queue it seldom wakes up.
    public var readAhead = Duration.milliseconds(5800)
    /// The maximum length of a fade-out. Longer fade-outs are shortened, because playback must be able to resume at the
    /// frame at which the fade-out began.
    public var longestFade = Duration.seconds(2)
    /// The length of the crossfade when playback jumps to another position or track, which is at most 100 ms.
    public var jumpFade = Duration.milliseconds(20)
    /// The time for which a device that does not accept frames is kept open. If it continues within this time, it plays
    /// the frames that it holds, so no frames are played twice. After this time, it is reopened.
    public var standstillLimit = Duration.seconds(5)
    /// The prefix of the threads' names, at most 7 bytes long.
    public var program = "sound"
    /// True to lock the whole process in memory, so that no page of it has to be read from a slow disk.
    public var locksMemory = false

    /// The default value of `queue`.
    public static var normalQueue: Duration { .milliseconds(15) }
    private static var upperLimitOfQueue: Duration { .milliseconds(2200) }
    /// The maximum time from an order to the first sample that it changes, on a device whose queue has not grown after
    /// an underrun. It includes a period of the device and the queue, which is longer while the process starts.
    public static var longestReaction: Duration { .milliseconds(60) }

    public init(_ address: PCMAddress) {
        self.address = address
    }

    /// All devices, in order of preference.
    var devices: [PCMAddress] { [address] + fallbacks.devices }

    /// Opens a device for a moment to find out whether it is available. The call blocks as long as a sound server does.
    func isAvailable(_ index: Int) -> Bool {
        if let server = PulseAddress(devices[index]) {
            if server.isAvailable(for: preferredFormat, program: program) { return true }
            guard server.hasOtherWay else { return false }
        }
        return (try? devices[index].probe()) != nil
    }

    /// These settings, limited to valid values. The crossfade is limited because a longer one would need more frames
    /// than a new buffer initially contains.
    var limited: EngineSettings {
        var settings = self
        settings.jumpFade = min(jumpFade, .milliseconds(100))
        settings.queue = max(queue, .milliseconds(2))
        settings.readAhead = max(readAhead, .seconds(1))
        // The queue must not swallow all music that has been read ahead at once, because the storage thread is woken
        // when little is left.
        settings.longestQueue = min(max(longestQueue, .zero), min(Self.upperLimitOfQueue, settings.readAhead / 2))
        settings.handling = handling.limited
        return settings
    }
}

/// The devices that replace the preferred one, and the conditions under which they do.
public struct FallbackSettings: Sendable {
    /// The devices, in order of preference.
    public var devices: [PCMAddress] = []
    /// The time for which a preferred device must have been available again before it is used. This time doubles if the
    /// device is lost again within the maximum of this time.
    public var settle = Backoff(from: .seconds(1), to: .seconds(60))
    /// The time to wait after a sleep for the device that was in use before. After this time, another device replaces
    /// it.
    public var reopeningTime = Duration.seconds(2)
}

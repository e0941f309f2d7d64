import ALSA
import AudioSession
import Signals

/// A place where audio arrives live. See AudioSession's Semantics.
public struct InputSettings: Hashable, Sendable {
    /// The place from which the audio comes.
    public enum Origin: Hashable, Sendable, CustomStringConvertible {
        /// A FIFO that Tacet creates, into which another program writes samples of this format.
        case pipe(path: String, LiveFormat)
        /// A capture device. Only audio above the threshold counts, in decibels relative to full scale.
        case alsa(device: String, threshold: Level)
        /// A radio station. Another program receives it and writes it into a FIFO that Tacet creates.
        case stream(StreamURL)

        /// The value of From=, without the secrets of a URL.
        public var description: String {
            switch self {
            case .pipe(let path, _): "pipe:\(path)"
            case .alsa(let device, _): "alsa:\(device)"
            case .stream(let url): "stream:\(url.shown)"
            }
        }
    }

    public var policy: InputPolicy
    public var origin: Origin
    /// The times by which its arrival is conditioned.
    public var arrival: ArrivalPolicy
    /// The constant delay with which the audio is played.
    public var latency: Duration

    public init(
        _ policy: InputPolicy, from origin: Origin, arrival: ArrivalPolicy = ArrivalPolicy(),
        latency: Duration = InputSettings.defaultLatency
    ) {
        self.policy = policy
        self.origin = origin
        self.arrival = arrival
        self.latency = latency
    }

    public static let defaultLatency = Duration.milliseconds(150)

    /// The format in which a stream reaches Tacet.
    public static let streamedFormat = LiveFormat(.s16, StreamFormat(rate: 48_000, channels: 2))

    public var id: InputID { policy.id }
}

extension LiveFormat: DocumentedValue {
    var configurationText: String { description }
}

extension InputKeys.Role: DocumentedValue {}

/// The keys of a section `[Input NAME]`.
struct InputKeys: Sendable {
    enum Role: String, Hashable, Sendable, CaseIterable { case programme, page }

    var from: String?
    var format = LiveFormat.usual
    var role = Role.programme
    /// The setting of `Automatic=`, or nil to use the default for the origin.
    var automatic: Bool?
    var attack = Duration.milliseconds(100)
    var idle = Duration.seconds(2)
    var settleTime = Duration.seconds(10)
    var threshold = Level(decibels: -60) ?? .mute
    var latency = InputSettings.defaultLatency
    var player: String?
    var isEnabled = true

    /// True if the input starts without anybody's doing.
    var isAutomatic: Bool { automatic ?? isStream }

    var isStream: Bool { from?.hasPrefix("stream:") ?? false }
}

/// The keys of a section `[Player NAME]`.
struct PlayerKeys: Sendable {
    var bus: String?
    var mpd: String?
    var isEnabled = true
}

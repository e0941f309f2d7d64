import AudioSession
import Signals

/// A place where audio arrives live. See AudioSession's Semantics.
public struct InputSettings: Hashable, Sendable {
    /// The place from which the audio comes.
    public enum Origin: Hashable, Sendable, CustomStringConvertible {
        /// A FIFO that Tacet creates, into which another program writes samples of this format.
        case pipe(path: String, SampleFormat)
        /// A capture device. Only audio above the threshold counts, in decibels relative to full scale.
        case alsa(device: String, threshold: Level)

        /// The value of From=.
        public var description: String {
            switch self {
            case .pipe(let path, _): "pipe:\(path)"
            case .alsa(let device, _): "alsa:\(device)"
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

    public var id: InputID { policy.id }
}

/// The format of raw samples, such as `s16le:44100:2`.
public struct SampleFormat: Hashable, Sendable, CustomStringConvertible {
    /// The encoding of a sample. All are little-endian.
    public enum Encoding: String, Hashable, Sendable, CaseIterable {
        case s16le, s24le = "s24_3le", s32le, f32le = "f32le"
    }

    public var encoding: Encoding
    /// The number of frames per second, within `rates`.
    public var rate: Int
    /// The number of channels, within `channelCounts`.
    public var channels: Int

    public static let rates = 8000...192_000
    public static let channelCounts = 1...8

    public init(_ encoding: Encoding = .s16le, rate: Int = 44_100, channels: Int = 2) {
        self.encoding = encoding
        self.rate = rate
        self.channels = channels
    }

    /// Parses a `description`.
    ///
    /// - Returns: nil if the text is not the description of a format in range.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let encoding = Encoding(rawValue: parts[0]), let rate = Int(parts[1]),
            let channels = Int(parts[2]), Self.rates.contains(rate), Self.channelCounts.contains(channels)
        else { return nil }
        self.init(encoding, rate: rate, channels: channels)
    }

    public var description: String { "\(encoding.rawValue):\(rate):\(channels)" }
}

extension SampleFormat: DocumentedValue {
    var configurationText: String { description }
}

extension InputKeys.Role: DocumentedValue {}

/// The keys of a section `[Input NAME]`.
struct InputKeys: Sendable {
    enum Role: String, Hashable, Sendable, CaseIterable { case programme, page }

    var from: String?
    var format = SampleFormat()
    var role = Role.programme
    var isAutomatic = false
    var attack = Duration.milliseconds(100)
    var idle = Duration.seconds(2)
    var settleTime = Duration.seconds(10)
    var threshold = Level(decibels: -60) ?? .mute
    var latency = InputSettings.defaultLatency
    var player: String?
    var isEnabled = true
}

/// The keys of a section `[Player NAME]`.
struct PlayerKeys: Sendable {
    var bus: String?
    var mpd: String?
    var isEnabled = true
}

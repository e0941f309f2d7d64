/// The format of raw audio that arrives at an input, such as `s16le:44100:2`.
public struct LiveFormat: Sendable, Hashable, CustomStringConvertible {
    public let samples: SampleFormat
    public let stream: StreamFormat

    /// The format of an input that does not specify one.
    public static var usual: LiveFormat { LiveFormat(.s16, StreamFormat(rate: 44_100, channels: 2)) }

    public static let rates = 8000...192_000
    public static let channels = 1...8

    /// The names of the sample formats, as other programs write them.
    private static let names: [(name: String, samples: SampleFormat)] = [
        ("s16le", .s16), ("s24le", .s24), ("s24_3le", .s24Packed), ("s32le", .s32), ("f32le", .float),
    ]

    /// - Parameter stream: a rate within `rates` and a number of channels within `channels`.
    public init(_ samples: SampleFormat, _ stream: StreamFormat) {
        self.samples = samples
        self.stream = stream
    }

    /// Parses a format.
    /// - Parameter text: the sample format, the rate in Hz and the number of channels, separated by colons.
    public init(_ text: String) throws(LiveFormatError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw LiveFormatError(text: text, problem: .parts) }
        guard let samples = Self.names.first(where: { $0.name == parts[0] })?.samples else {
            throw LiveFormatError(text: text, problem: .samples)
        }
        guard let rate = Self.number(parts[1]), Self.rates.contains(rate) else {
            throw LiveFormatError(text: text, problem: .rate)
        }
        guard let channels = Self.number(parts[2]), Self.channels.contains(channels) else {
            throw LiveFormatError(text: text, problem: .channels)
        }
        self.init(samples, StreamFormat(rate: rate, channels: channels))
    }

    /// Returns a number of at most seven decimal digits, or nil.
    private static func number(_ text: Substring) -> Int? {
        guard 1...7 ~= text.utf8.count, text.utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        return Int(text)
    }

    public var bytesPerFrame: Int { samples.bytesPerSample * stream.channels }

    public var description: String {
        let name = Self.names.first { $0.samples == samples }?.name ?? "\(samples)"
        return "\(name):\(stream.rate):\(stream.channels)"
    }

    /// A description of the formats that can be received.
    public static var expected: String {
        "a format such as s16le:44100:2, with \(names.map(\.name).joined(separator: ", ")),"
            + " a rate from \(rates.lowerBound) to \(rates.upperBound) Hz,"
            + " and \(channels.lowerBound) to \(channels.upperBound) channels"
    }
}

/// The reason why a text is not a `LiveFormat`.
public struct LiveFormatError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Problem: Sendable, Hashable {
        case parts, samples, rate, channels
    }

    public let text: String
    public let problem: Problem

    public var description: String {
        let reason =
            switch problem {
            case .parts: "it does not consist of three parts separated by colons"
            case .samples: "the sample format is unknown"
            case .rate: "the rate is not possible"
            case .channels: "the number of channels is not possible"
            }
        return "\(text) is not a format because \(reason). Use \(LiveFormat.expected)."
    }
}

import Files
import Spelling

/// The attempts to receive a station that have not led to steady playback. Another process continues with them, because
/// the station itself may have ended this one.
public struct StreamBackoff: Hashable, Sendable {
    /// The pause after the last attempt, or zero if there was none.
    public var pause = Duration.zero
    /// The time at which the last attempt began.
    public var began = Duration.zero
    /// The reason for the last failure, or nil if audio has arrived since.
    public var failure: String?

    public static let firstPause = Duration.seconds(1)
    public static let longestPause = Duration.seconds(60)

    public init() {}

    mutating func begin(at now: Duration) {
        pause = min(max(pause * 2, Self.firstPause), Self.longestPause)
        began = now
    }

    mutating func fail(_ reason: String, at now: Duration) {
        // Steady playback has failed.
        if pause == .zero { begin(at: now) }
        failure = reason
    }

    /// What another machine continues with. If the attempt has not ended, the other machine has not seen its end.
    func inherited() -> StreamBackoff {
        var backoff = self
        if pause > .zero, failure == nil { backoff.failure = "the last attempt to receive the station was cut off" }
        return backoff
    }
}

/// The attempts of all stations, and their text, which a file keeps. The text does not contain addresses, because these
/// may contain passwords.
public struct StreamBackoffs: Hashable, Sendable {
    /// The attempts by the checksum of the input's name and the address.
    private var entries: [String: StreamBackoff] = [:]

    /// The longest text that is read, in bytes.
    public static let longestText = 1 << 16
    private static let mostEntries = 64
    /// The longest time since boot that is read, in milliseconds, which is 34 years.
    private static let longestUptime: Int64 = 1 << 40
    /// The time after which an attempt is forgotten. A station that is received tries again before.
    static let memory = StreamBackoff.longestPause * 2

    public init() {}

    /// Reads a text. Lines that are damaged are ignored.
    public init(_ text: [UInt8]) {
        for line in text.split(separator: UInt8(ascii: "\n")).prefix(Self.mostEntries) {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 3)
            guard words.count >= 3, let pause = Int64(words[1]), let began = Int64(words[2]),
                (0...Self.longestUptime).contains(began)
            else { continue }
            var entry = StreamBackoff()
            (entry.pause, entry.began) = (.milliseconds(pause), .milliseconds(began))
            guard (StreamBackoff.firstPause...StreamBackoff.longestPause).contains(entry.pause) else { continue }
            if words.count > 3 { entry.failure = StreamText.limited(String(words[3])) }
            entries[String(words[0])] = entry
        }
    }

    public var text: [UInt8] {
        let lines = entries.sorted { $0.key < $1.key }.map { key, entry in
            let times = [entry.pause, entry.began].map { "\($0.wholeNanoseconds / 1_000_000)" }
            return ([key] + times + (entry.failure.map { [$0] } ?? [])).joined(separator: " ") + "\n"
        }
        return Array(lines.joined().utf8)
    }

    /// Returns the attempts to receive the station of an input, or none if the last one is too long ago.
    public func attempts(of input: String, _ address: String, at now: Duration) -> StreamBackoff {
        entries[Self.key(input, address)].flatMap { Self.isRecent($0, at: now) ? $0 : nil } ?? StreamBackoff()
    }

    /// Replaces the attempts to receive the station of an input, and forgets those that are too long ago.
    public mutating func record(_ backoff: StreamBackoff, of input: String, _ address: String, at now: Duration) {
        let key = Self.key(input, address)
        entries[key] = backoff.pause > .zero ? backoff : nil
        entries = entries.filter { $0.key == key || Self.isRecent($0.value, at: now) }
    }

    private static func isRecent(_ entry: StreamBackoff, at now: Duration) -> Bool {
        (now - memory...now).contains(entry.began)
    }

    private static func key(_ input: String, _ address: String) -> String {
        Checksum.text(of: "\(input) \(address)".utf8)
    }
}

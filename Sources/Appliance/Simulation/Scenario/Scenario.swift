import ALSA
import AudioSession
import Files
import Glibc
import Playback

/// What is going to happen, in the order of time.
public struct Scenario: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        public let time: Duration
        public let event: ScenarioEvent
        /// The event as it was written, its words a space apart.
        public let text: String
        /// From 1.
        public let line: Int
    }

    /// What people call it: the file's name.
    public let name: String
    public let entries: [Entry]
    /// What is so before the first boot.
    var beforeBoot: [Entry] = []

    /// The instant of the last event.
    public var end: Duration { entries.last?.time ?? .zero }
}

extension Scenario {
    public init(name: String, entries: [(time: Duration, event: ScenarioEvent)]) {
        self.init(
            name: name,
            entries: entries.enumerated().map { index, entry in
                Entry(time: entry.time, event: entry.event, text: "\(entry.event)", line: index + 1)
            })
    }
}

/// What a line of a scenario can say.
public enum ScenarioEvent: Hashable, Sendable {
    /// A signal, as it is after conditioning.
    case edge(Edge)
    /// A line's raw electrical level; nil: it cannot be read any more.
    case line(SignalID, level: Bool?)
    case command(Command)
    case deviceLost, deviceReset
    case configuration(StreamFormat)
    case routeLost, routeBack
    /// The system is suspended for this long; lines and the device may change meanwhile.
    case asleep(Duration)
    case powerCut
    case boot
    case end
}

/// All that is wrong with a scenario, one mistake a line: `FILE:LINE: what (what would be right)`.
public struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
    public struct Mistake: Hashable, Sendable, CustomStringConvertible {
        public let file: String
        public let line: Int
        public let what: String

        public var description: String { "\(file):\(line): \(what)" }
    }

    public let mistakes: [Mistake]
    public var description: String { mistakes.map(\.description).joined(separator: "\n") }
}

extension Scenario {
    /// Reads a scenario from a file; `-` is standard input.
    ///
    /// - Parameter signals: those that it may speak of.
    /// - Throws: `SimulationError` if it cannot be read, `ScenarioError` with all that is wrong in it.
    public static func load(_ path: String, signals: [SignalID]) throws -> Scenario {
        try ScenarioParser.parse(
            try read(path), file: path == "-" ? "standard input" : path, signals: signals)
    }

    private static func read(_ path: String) throws(SimulationError) -> String {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try OpenFile.open(path, O_RDONLY, dash: STDIN_FILENO).readAll()
        } catch {
            throw SimulationError("cannot read the scenario \(path): \(error.words)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SimulationError("the scenario \(path) is not UTF-8 text")
        }
        // Editors of other systems begin a text with a byte order mark.
        return text.first == "\u{FEFF}" ? String(text.dropFirst()) : text
    }
}

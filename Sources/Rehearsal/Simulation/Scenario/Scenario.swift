import ALSA
import AudioSession
import Configuration
import Files
import Glibc
import Playback
import Signals

/// The events of a rehearsal in chronological order.
public struct Scenario: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        public let time: Duration
        public let event: ScenarioEvent
        /// The event as it was written, with single spaces between words.
        public let text: String
        /// The line number, counted from 1.
        public let line: Int
    }

    /// The name of the file without its folder.
    public let name: String
    public let entries: [Entry]
    /// The initial conditions, which are set before the first boot.
    var beforeBoot: [Entry] = []

    /// The time of the last event.
    public var end: Duration { entries.last?.time ?? .zero }

    /// The paths of the files that announcements play.
    var files: [String] {
        entries.compactMap { if case .announce(_, let file) = $0.event { file } else { nil } }
    }
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

/// An event that a scenario can contain.
public enum ScenarioEvent: Hashable, Sendable {
    /// An event of the session. It is an edge (a signal after conditioning, without debounce or release delay), a
    /// command, a loss or return of a device, or a route change.
    case event(Event)
    /// An announcement that plays this file instead of the sound's own.
    case announce(Announcement, file: String)
    /// A press of a button, which sends the command of this kind of press.
    case button(String, Button.Press)
    /// A command that depends on the position or volume at its time, such as `seek +10s` or `volume +3dB`.
    case relative(WrittenCommand)
    /// The raw electrical level of a signal's line, or of the line with the opposite contact, or nil if the line is lost.
    case line(SignalID, Contact = .main, level: Bool?)
    /// The raw electrical level of a button's line, or nil if the line is lost.
    case buttonLine(String, level: Bool?)
    /// From now on, the player ignores orders to pause, until it is found or has ended.
    case playerRefuses(PlayerID)
    /// Audio begins to arrive at an input, or ceases.
    case arrival(InputID, Bool)
    /// A sound server mutes what is played or turns it down, or no longer does.
    case output(DeviceAudibility)
    /// The device changes its format.
    case configuration(StreamFormat)
    /// The system is suspended for this long. Lines and the device can change during that time.
    case asleep(Duration)
    case powerCut
    case boot
    case end
}

/// All mistakes in a scenario, one per line in the form `FILE:LINE: what is wrong, and how to fix it`.
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
    /// Reads a scenario from a file, where `-` is standard input.
    ///
    /// - Parameter configuration: the configuration that the scenario rehearses, whose names it can use.
    /// - Throws: `SimulationError` if it cannot be read, or `ScenarioError` with all its mistakes.
    public static func load(_ path: String, for configuration: Configuration) throws -> Scenario {
        try ScenarioParser.parse(
            try read(path), file: path == "-" ? "standard input" : path, for: configuration)
    }

    /// The maximum length in bytes, which is far more than any scenario needs.
    private static let longest = 4 << 20

    private static func read(_ path: String) throws(SimulationError) -> String {
        // This is checked before the file is opened, because opening a device can have side effects.
        if path != "-", let kind = InputFile.otherKind(path) {
            throw SimulationError(
                "cannot read the scenario \(path): it is \(kind), not a file; specify a regular file, or - for standard input"
            )
        }
        let bytes: [UInt8]
        do throws(FileError) {
            // Without O_NONBLOCK, a FIFO that has just replaced the file would wait for a writer.
            bytes = try OpenFile.open(path, path == "-" ? O_RDONLY : O_RDONLY | O_NONBLOCK, dash: STDIN_FILENO)
                .readAll(limit: longest)
        } catch {
            throw SimulationError("cannot read the scenario \(path): \(error.words)")
        }
        guard bytes.count <= longest else {
            throw SimulationError(
                "cannot read the scenario \(path): it is longer than \(longest >> 20) MiB; is it a scenario?")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SimulationError("the scenario \(path) is not UTF-8 text")
        }
        // Some editors start a text with a byte order mark.
        return text.first == "\u{FEFF}" ? String(text.dropFirst()) : text
    }
}

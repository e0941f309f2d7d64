import AudioSession
import Files
import Glibc

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

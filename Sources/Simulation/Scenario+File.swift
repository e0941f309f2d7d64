import AudioSession
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
        let failed = { SimulationError("cannot read the scenario \(path): \(String(cString: strerror(errno)))") }
        let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failed() }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count == 0 { break }
            if count > 0 { bytes += chunk[..<count] } else if errno != EINTR { throw failed() }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SimulationError("the scenario \(path) is not UTF-8 text")
        }
        // Editors of other systems begin a text with a byte order mark.
        return text.first == "\u{FEFF}" ? String(text.dropFirst()) : text
    }
}

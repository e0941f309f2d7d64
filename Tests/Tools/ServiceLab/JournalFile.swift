import Foundation

/// Creates journal files.
public enum JournalFile {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// The program that creates them. Debian installs it in a folder that is not in PATH.
    private static let maker = "/lib/systemd/systemd-journal-remote"

    /// Converts a file in the export format into a journal file.
    public static func write(_ export: String, to journal: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: maker)
        process.arguments = ["--output=\(journal)", export]
        let output = Pipe()
        process.standardError = output
        process.standardOutput = output
        try process.run()
        let words = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(description: "systemd-journal-remote: \(words)") }
    }
}

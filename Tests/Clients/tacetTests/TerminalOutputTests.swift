import Foundation
import ResumeStore
import Testing

@testable import tacet

/// File names can contain control characters, which must not reach the terminal.
@Suite struct TerminalOutputTests {
    /// The error contains the name of a scenario that does not exist.
    @Test func escapesControlCharactersInErrors() throws {
        let result = try Program.run("simulate", "\u{1B}[31mred\u{9B}", "--config", "/dev/null")
        #expect(result.code == 1 && result.errors.contains("\\x1b[31mred\\x9b"))
        #expect(!result.errors.unicodeScalars.contains("\u{1B}"))
    }

    /// A line break in a name must not break the table either.
    @Test func escapesControlCharactersInASavedState() throws {
        let folder = try Folder()
        let state = SavedState(
            savedAt: .zero, intent: "playing", track: "\u{1B}]0;owned\u{07}\n.flac", position: .zero, volume: 0,
            shuffleSeed: 0, held: [], episode: nil)
        try StateFile(ResumeStore(directory: folder.url.path)).write(state)
        let result = try Program.run("state", folder.url.path)
        #expect(result.code == 0 && result.output.contains("\\x1b]0;owned\\x07\\x0a.flac"))
        #expect(result.output.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        // Without a configuration, a single line states that the result of a boot is unknown.
        #expect(result.errors.split(separator: "\n").count <= 1 && !result.errors.contains("error:"))
    }
}

import Foundation
import Testing

@testable import tacet

/// What `make install` puts on a board says what the program says.
@Suite struct ManualTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("deploy")

    private static let manuals = CommandLineTool.subcommands.map { $0.manual }

    @Test func pagesAreUpToDate() throws {
        try compare("man/tacet.1", ManualPage(Self.manuals).text)
        for manual in Self.manuals { try compare("man/tacet-\(manual.name).1", ManualPage(manual).text) }
    }

    @Test func completionsAreUpToDate() throws {
        for shell in ShellCompletion.allCases {
            try compare("completions/tacet.\(shell.rawValue)", shell.script(Self.manuals))
        }
    }

    private func compare(_ name: String, _ text: String) throws {
        let there = try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
        #expect(there == text, "deploy/\(name) is not what the program says: make manual")
    }

    @Test func helpFitsATerminal() {
        for manual in Self.manuals {
            #expect(manual.helpText.split(separator: "\n").allSatisfy { $0.count <= 104 }, "\(manual.name)")
        }
    }

    @Test func theProgramPrintsThem() throws {
        #expect(try Program.run("--manual", "verify").output.hasPrefix(".TH TACET-VERIFY 1"))
        #expect(try Program.run("--completion", "fish").output.contains("complete -c tacet"))
        #expect(try Program.run("--completion", "tcsh").code == 64)
        #expect(try Program.run("--manual", "verfy").errors.contains("did you mean ‘verify’?"))
    }
}

import Configuration
import Foundation
import Testing

@testable import tacet

/// The installed manual pages and completions, which must match the program.
@Suite struct ManualTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("deploy")

    private static let manuals = CommandLineTool.subcommands.map { $0.manual }

    @Test func pagesAreUpToDate() throws {
        try compare("man/tacet.1", ManualPage(Self.manuals).text)
        for manual in Self.manuals { try compare("man/tacet-\(manual.name).1", ManualPage(manual).text) }
        try compare("man/tacet.conf.5", ManualPage(SectionDocumentation.all).text)
        try compare("man/mqtt.conf.5", ManualPage(broker: SectionDocumentation.broker).text)
    }

    @Test func completionsAreUpToDate() throws {
        for shell in ShellCompletion.allCases {
            try compare("completions/tacet.\(shell.rawValue)", shell.script(Self.manuals))
        }
    }

    @Test func everyKeyIsDocumentedInSentences() {
        for section in SectionDocumentation.all + SectionDocumentation.broker {
            #expect(section.text.hasSuffix("."), "\(section.heading)")
            for key in section.keys {
                let first = key.paragraphs.first ?? ""
                #expect(first.contains("Takes \(key.values). \(key.builtIn.sentence)"), "\(key.name)")
                #expect(first.hasPrefix("Takes") == key.meaning.hasPrefix("If "), "\(key.name)")
                #expect(key.paragraphs.allSatisfy { $0.hasSuffix(".") && !$0.contains("\n") }, "\(key.name)")
                #expect(!key.values.isEmpty, "\(key.name)")
                #expect(key.since.map { $0.wholeMatch(of: /\d+\.\d+\.\d+/) != nil } ?? true, "\(key.name)")
            }
        }
    }

    @Test func examplesForABrokerLoadWithoutErrors() throws {
        for (number, example) in [BrokerManual.example, BrokerManual.vehicle].enumerated() {
            let file = FileManager.default.temporaryDirectory
                .appendingPathComponent("mqtt-\(number)-\(ProcessInfo.processInfo.processIdentifier).conf")
            try example.write(to: file, atomically: true, encoding: .utf8)
            defer { try? FileManager.default.removeItem(at: file) }
            #expect(try BrokerConfiguration.load(.file(file.path)).warnings.isEmpty)
        }
    }

    @Test func examplesOfASubcommandFollowItsExitStatus() {
        let manual = Manual(
            name: "test", summary: "do nothing", text: "Does nothing.", examples: [.init("Do nothing:", "tacet test")])
        let page = ManualPage(manual).text
        #expect(page.contains(".SH EXAMPLES\n.PP\nDo nothing:\n.PP\n.RS 4\n.nf\ntacet test\n.fi\n.RE\n.SH SEE ALSO"))
        #expect(
            !ManualPage(Manual(name: "test", summary: "do nothing", text: "Does nothing.")).text.contains("EXAMPLES"))
    }

    @Test func namesOfPagesAreBold() {
        #expect(ManualPage.escape("See tacet-mqtt(8).") == "See \\fBtacet\\-mqtt\\fR(8).")
        #expect(ManualPage.escape("a list (8) of f(x)") == "a list (8) of f(x)")
    }

    @Test func exampleOfTheConfigurationLoadsWithoutWarnings() throws {
        let vendor = try String(contentsOf: Self.folder.appendingPathComponent("tacet.conf"), encoding: .utf8)
        let texts = [("tacet.conf", vendor), ("50-board.conf", ConfigurationManual.example)].map {
            ConfigurationText(path: "/etc/tacet/\($0)", bytes: Array($1.utf8))
        }
        let loaded = try ConfigurationAttempt(texts).get()
        #expect(loaded.warnings.isEmpty)
        #expect(loaded.configuration.session.signals.map(\.id.rawValue) == ["phone-call", "alarm", "door-open"])
    }

    @Test func vendorFileMatchesItsManualPage() throws {
        let vendor = try String(contentsOf: Self.folder.appendingPathComponent("tacet.conf"), encoding: .utf8)
        func settings(_ text: String) -> [String] {
            text.split(separator: "\n").map(String.init).filter { $0.first.map { $0 != "#" } ?? false }
        }
        let signals = settings(vendor).drop { $0 != "[Signal phone-call]" }.filter {
            !$0.hasPrefix("[State") && $0 != "[Health]"
        }
        #expect(signals == settings(ConfigurationManual.vendorFile))
        #expect(settings(vendor).prefix { $0 != "[Signal phone-call]" }.allSatisfy { $0.hasPrefix("[") })
    }

    private func compare(_ name: String, _ text: String) throws {
        let there = try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
        #expect(there == text, "deploy/\(name) differs from the program's: run make manual")
    }

    @Test func helpFitsATerminal() {
        for manual in Self.manuals {
            #expect(manual.helpText.split(separator: "\n").allSatisfy { $0.count <= 104 }, "\(manual.name)")
        }
    }

    @Test func programPrintsPagesAndCompletions() throws {
        #expect(try Program.run("--manual", "verify").output.hasPrefix(".TH TACET-VERIFY 1"))
        #expect(try Program.run("--manual", "tacet.conf").output.hasPrefix(".TH TACET.CONF 5"))
        #expect(try Program.run("--manual", "mqtt.conf").output.hasPrefix(".TH MQTT.CONF 5"))
        #expect(try Program.run("--completion", "fish").output.contains("complete -c tacet"))
        #expect(try Program.run("--completion", "tcsh").code == 64)
        #expect(try Program.run("--manual", "verfy").errors.contains("did you mean ‘verify’?"))
    }
}

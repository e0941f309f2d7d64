import AudioSession
import Foundation
import Testing

@testable import Configuration

@Suite("The vendor's file")
struct VendorFileTests {
    private static let path =
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path + "/deploy/tacet.conf"

    /// Returns the file with every commented-out setting enabled.
    private func uncommented() throws -> String {
        try String(contentsOfFile: VendorFileTests.path, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.starts(with: /#(\[[A-Z]|[A-Za-z]+=)/) ? $0.dropFirst() : $0 }
            .joined(separator: "\n")
    }

    @Test("It has no mistakes and wires the three built-in signals")
    func loads() throws {
        let loaded = try Configuration.load(.file(VendorFileTests.path))
        #expect(loaded.warnings == [])
        // An alarm's cue is played during a call.
        var session = Configuration.builtIn.session
        session.signals[1].priority = 90
        #expect(loaded.configuration.session == session)
        #expect(loaded.configuration.playback == PlaybackSettings())
        let lines = loaded.configuration.lines
        #expect(lines["phone-call"]?.releaseDelay == .seconds(5) && lines["phone-call"]?.stuckAfter == .seconds(43_200))
        #expect(lines["alarm"]?.releaseDelay == .seconds(2) && lines["alarm"]?.stuckAfter == .seconds(43_200))
        #expect(
            loaded.configuration.sources == [
                "phone-call": .line(Wiring(line: .named("PHONE_CALL", chip: nil), bias: .pullDown)),
                "alarm": .line(Wiring(line: .named("ALARM", chip: nil), bias: .pullDown)),
                "cover-closed": .line(Wiring(line: .named("COVER_CLOSED", chip: nil), bias: .pullDown)),
            ])
    }

    @Test("Its commented-out settings are the defaults")
    func defaults() throws {
        let shown = try Configuration.load(.file(VendorFileTests.path)).configuration
        let loaded = try load(try uncommented())
        var enabled = loaded.configuration
        let expected = [
            "DuckLevel= in [Signal phone-call]", "File=/srv/sounds/gong.wav", "[Recording] is ignored",
            "SettleTime= in [Input airplay]", "Threshold= in [Input airplay]",
            "MPD= in [Player shairport]",
        ]
        #expect(loaded.warnings.allSatisfy { warning in expected.contains { warning.message.hasPrefix($0) } })
        #expect(enabled.buttons.map(\.command) == [.command(.playPause)])
        enabled.buttons = []
        #expect(
            enabled.outputs == [
                Output(
                    OutputPolicy(id: "amplifier", meaning: .amplifier(lead: .milliseconds(50), lag: .seconds(1))),
                    wiring: Wiring(line: .named("AMPLIFIER", chip: nil)))
            ])
        enabled.outputs = []
        #expect(enabled.session.sounds == [SoundPolicy(id: "gong")])
        #expect(enabled.sounds == ["gong": SoundSettings(file: "/srv/sounds/gong.wav")])
        enabled.session.sounds = []
        enabled.sounds = [:]
        let input = InputPolicy(id: "airplay", player: "shairport")
        #expect(
            enabled.inputs == [InputSettings(input, from: .pipe(path: "/run/tacet/inputs/airplay", .usual))])
        #expect(enabled.session.inputs == [input] && enabled.session.players == ["shairport"])
        #expect(enabled.players == [PlayerSettings("shairport", at: .bus("ShairportSync"))])
        enabled.inputs = []
        enabled.session.inputs = []
        enabled.players = []
        enabled.session.players = []
        #expect(enabled.recording == RecordingSettings() && enabled.session.recorder == RecorderPolicy())
        enabled.recording = nil
        enabled.session.recorder = nil
        #expect(enabled == shown)
    }

    @Test("It mentions exactly the keys that exist")
    func complete() throws {
        let document = IniDocument(bytes: Array(try uncommented().utf8), file: "tacet.conf")
        var section: SectionKind?
        var mentioned: [SectionKind: Set<String>] = [:]
        for item in document.items {
            switch item.content {
            case .section(let text):
                let kind = try SectionName(text).kind
                section = kind
                mentioned[kind, default: []] = mentioned[kind, default: []]
            case .setting(let key, _):
                let section = try #require(section)
                mentioned[section, default: []].insert(key)
            case .unreadableSection: Issue.record("line \(item.line)")
            }
        }
        // The file explains the keys that buttons and outputs share with signals only once, for signals.
        for kind in [SectionKind.button, .output] {
            mentioned[kind, default: []].formUnion(
                mentioned[.signal, default: []].intersection(KeyTable.names(of: kind)))
        }
        #expect(document.problems == [])
        for kind in SectionKind.allCases {
            #expect(mentioned[kind] == Set(KeyTable.names(of: kind)), "\(kind.heading)")
        }
    }

    @Test("It names every meaning of an output")
    func meanings() throws {
        let text = try String(contentsOfFile: VendorFileTests.path, encoding: .utf8)
        let rest = try #require(text.split(separator: "# When it is asserted: ").last)
        let list = try #require(rest.split(separator: "#Means=").first)
        for meaning in OutputMeaning.all { #expect(list.contains(meaning.name), "\(meaning.name)") }
    }

    @Test("No two unnamed sections share a key")
    func places() {
        let names = KeyTable.session.map(\.name) + KeyTable.playback.map(\.name) + KeyTable.state.map(\.name)
        #expect(Set(names).count == names.count)
    }
}

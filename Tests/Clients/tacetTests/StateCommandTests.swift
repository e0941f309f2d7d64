import Foundation
import ResumeStore
import Testing

@Suite struct StateCommandTests {
    private let folder: Folder
    private var path: String { folder.url.path + "/state" }
    private var state = SavedState(
        savedAt: .seconds(1_700_000_000), intent: "playing", track: "/srv/music/One.flac", trackNumber: 2,
        position: .milliseconds(151_250), volume: -6, shuffleSeed: 7,
        held: [SavedState.Held(signal: "phone-call", standing: "inForce", age: .seconds(3), isStuck: false)],
        episode: SavedState.Episode(reason: "default", lastCommand: nil, recommendsResuming: true))

    init() throws {
        folder = try Folder(["c.conf": "[State]\nDirectory=.\n"])
        let file = StateFile(ResumeStore(directory: folder.url.path))
        for _ in 0..<3 { try file.write(state) }
    }

    private func run(_ arguments: String...) throws -> Program.Result {
        try Program.run(["state", "--config", "c.conf"] + arguments, in: folder.url)
    }

    /// Returns the rows by their labels.
    private func rows(_ result: Program.Result) -> [String: String] {
        let rows = result.output.split(separator: "\n").dropFirst().map { $0.split(separator: "  ") }
        return Dictionary(rows.map { (String($0[0]), $0[1].trimmingCharacters(in: .whitespaces)) }) { first, _ in first
        }
    }

    @Test func showsAnIntactState() throws {
        let result = try run()
        #expect(result.code == 0 && result.errors.isEmpty)
        #expect(result.output.hasPrefix("\(path): state 3 in slot 0\n") || result.output.contains("/state: state 3 "))
        let rows = rows(result)
        #expect(rows["slot 0, bytes 0 to 16383"]?.hasPrefix("intact: state 3, ") == true)
        #expect(rows["slot 1, bytes 16384 to 32767"]?.hasPrefix("intact: state 2, ") == true)
        #expect(rows["saved"]?.hasPrefix("2023-11-14 22:13:20 UTC, ") == true)
        #expect(rows["track"] == "/srv/music/One.flac (number 3 in playing order)")
        #expect(rows["position"] == "2:31.250" && rows["asserted"] == "phone-call, for 3.000 s")
        #expect(
            rows["a boot with the same signals"] == "silent: interrupted by phone-call in ‘One.flac’ at 2:31.250")
        #expect(rows["a boot with no signal"] == "plays ‘One.flac’ at 2:31.250")
    }

    private func configure(_ text: String) throws {
        try "[State]\nDirectory=.\n\(text)".write(
            toFile: folder.url.path + "/c.conf", atomically: true, encoding: .utf8)
    }

    @Test(arguments: [
        ("", "5s after the boot (ReleaseDelay=)"),
        ("[Session]\nResumeDelay=20s\n", "25s after the boot (ReleaseDelay= and ResumeDelay=)"),
    ])
    func bootNamesTheDelaysThatItWaitsFor(session: String, later: String) throws {
        try configure(session + "[Signal phone-call]\nReleaseDelay=5s\n")
        #expect(rows(try run())["a boot with no signal"] == "plays ‘One.flac’ at 2:31.250, \(later)")
    }

    @Test func bootRewindsMusicThatWasPlaying() throws {
        try configure("[Playback]\nResumeRewind=5s\n")
        var playing = state
        playing.wasPlaying = true
        playing.held = []
        playing.episode = nil
        try StateFile(ResumeStore(directory: folder.url.path)).write(playing)
        let rows = rows(try run())
        #expect(rows["position"] == "2:31.250" && rows["a boot now"] == "plays ‘One.flac’ at 2:26.250")

        let json = try run("--json").output
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect((object["boot_same_wires"] as? [String: Any])?["position"] as? Double == 146.25)
        #expect((object["state"] as? [String: Any])?["position"] as? Double == 151.25)
    }

    @Test func usesTheOtherSlotIfOneIsDamaged() throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[100] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        let result = try run(path)
        #expect(result.code == 0)
        #expect(
            result.output.hasPrefix(
                "\(path): state 2 in slot 1 (slot 0 is ignored because the checksum does not match)\n"))
        #expect(rows(result)["slot 0, bytes 0 to 16383"] == "damaged: the checksum does not match")
    }

    @Test func failsIfBothSlotsAreUnreadable() throws {
        try Data(repeating: 0, count: 32_768).write(to: URL(fileURLWithPath: path))
        let result = try run(folder.url.path)
        #expect(result.code == 1)
        #expect(result.output.hasPrefix("\(path): the saved state is damaged: it contains only zeros\n"))
        #expect(rows(result)["slot 1, bytes 16384 to 32767"] == "empty")
    }

    @Test func failsUnlessEveryFileIsReadable() throws {
        let good = folder.url.path
        let two = try run(good, good)
        #expect(two.code == 0 && two.output.components(separatedBy: "a boot with no signal").count == 3)
        #expect(try run(good, good, "--json").output.split(separator: "\n").count == 2)
        #expect(try run("nowhere", good).code == 1 && run("nowhere", good).output.contains("a boot with no signal"))
        let result = try run("nowhere")
        #expect(result.code == 1 && result.output.isEmpty)
        #expect(result.errors.contains("cannot open nowhere: No such file or directory"))
    }

    @Test func jsonHasStateSlotsAndBoots() throws {
        let result = try run("--json")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(object["readable"] as? Bool == true && object["sequence"] as? Int == 3)
        #expect((object["slots"] as? [Any])?.count == 2)
        let state = try #require(object["state"] as? [String: Any])
        #expect(state["track"] as? String == "/srv/music/One.flac" && state["position"] as? Double == 151.25)
        #expect((object["boot_none_asserted"] as? [String: Any])?["playing"] as? Bool == true)
        #expect((object["boot_same_wires"] as? [String: Any])?["playing"] as? Bool == false)

        try Data("rubbish".utf8).write(to: URL(fileURLWithPath: path))
        let damaged = try run("--json")
        let error = try #require(
            try JSONSerialization.jsonObject(with: Data(damaged.output.utf8)) as? [String: Any])
        #expect(damaged.code == 1 && error["readable"] as? Bool == false && error["state"] is NSNull)
    }
}

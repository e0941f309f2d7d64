import AudioSession
import Playback
import Simulation
import Testing

/// Audio files that arrive at inputs in a rehearsal. The samples of the files are the numbers of their frames.
@Suite struct InputFileTests {
    private static let radio = "[Input radio]\nFrom=pipe:/run/radio\n"
    private static let page =
        "[Input desk]\nFrom=alsa:hw:0\nRole=page\n"
        + "[Signal call]\nSource=input\nInput=desk\nCue=input\nEffect=duck\nDuckLevel=mute\n"

    private func makeLab(_ configuration: String) throws -> Lab {
        let lab = try Lab("[Playback]\nLibrary=music\n" + configuration)
        try lab.addTrack("one.wav", frames: 60 * 48_000)
        try lab.write("input.wav", frames: 10 * 48_000, rate: 48_000) { [Int32($0 << 8), Int32($0 << 8)] }
        return lab
    }

    /// Runs a scenario and returns the frames of the file that are heard at each frame.
    private func listen(_ lab: Lab, _ input: InputID, _ scenario: String) throws -> [Int] {
        var rehearsal = try lab.rehearsal(scenario)
        rehearsal.inputFiles = [input: Track(path: lab.path("input.wav"))]
        rehearsal.wav = lab.path("heard.wav")
        _ = try rehearsal.run()
        return try lab.left(lab.path("heard.wav")).map { Int($0 >> 8) }
    }

    @Test func fileIsHeardWhileTheInputSounds() throws {
        let lab = try makeLab(Self.radio)
        let heard = try listen(lab, "radio", "0s command play\n1s input radio 1\n4s input radio 0\n8s end")
        #expect(heard[..<52_800].allSatisfy { $0 == 0 })
        // The latency is 150 ms, and the input has faded in by then.
        #expect((96_000..<190_000).allSatisfy { heard[$0] == $0 - 48_000 - 7200 })
        #expect(heard[(4 * 48_000 + 7200)...].allSatisfy { $0 == 0 })
    }

    @Test func withoutAFileSilenceArrives() throws {
        let lab = try makeLab(Self.radio)
        let (_, samples) = try lab.listen("0s command play\n1s input radio 1\n4s input radio 0\n8s end")
        #expect(samples.allSatisfy { $0 == 0 })
    }

    @Test func fileIsHeardAsAPageUntilItsSignalEnds() throws {
        let lab = try makeLab(Self.page)
        let heard = try listen(lab, "desk", "0s command play\n1s input desk 1\n4s input desk 0\n8s end")
        // The page begins once the music is low, which takes at least DuckAttack=.
        #expect(heard[..<57_600].allSatisfy { $0 == 0 })
        #expect((96_000..<190_000).allSatisfy { heard[$0] == $0 - 48_000 - 7200 })
        #expect(heard[(6 * 48_000 + 2000)...].allSatisfy { $0 == 0 })
    }

    @Test func pageContinuesLiveAfterASoundOfHigherPriority() throws {
        let lab = try makeLab(
            Self.page + "[Sound siren]\nFile=siren.wav\n[Signal alarm]\nPriority=90\nEffect=duck\nCue=siren\n")
        try lab.addSound("siren", frames: 48_000) { _ in 0 }
        let heard = try listen(
            lab, "desk", "0s command play\n1s input desk 1\n3s assert alarm\n6s deassert alarm\n8s end")
        #expect((96_000..<144_000).allSatisfy { heard[$0] == $0 - 48_000 - 7200 })
        #expect(heard[150_000..<192_000].allSatisfy { $0 == 0 })
        #expect((310_000..<380_000).allSatisfy { heard[$0] == $0 - 48_000 - 7200 })
    }

    @Test func unknownInputIsAnErrorWithASuggestion() throws {
        let lab = try makeLab(Self.radio)
        let error = thrown { _ = try listen(lab, "radoi", "1s end") }
        #expect(error.contains("there is no input ‘radoi’") && error.contains("radio"))
    }

    @Test func unreadableFileIsAnError() throws {
        let lab = try makeLab(Self.radio)
        var rehearsal = try lab.rehearsal("1s end")
        rehearsal.inputFiles = ["radio": Track(path: lab.path("missing.wav"))]
        let error = thrown { _ = try rehearsal.run() }
        #expect(error.contains("missing.wav"), "\(error)")
    }

    @Test func outputCannotReplaceTheFileOfAnInput() throws {
        let lab = try makeLab(Self.radio)
        var rehearsal = try lab.rehearsal("1s end")
        rehearsal.inputFiles = ["radio": Track(path: lab.path("input.wav"))]
        rehearsal.wav = lab.path("input.wav")
        let error = thrown { _ = try rehearsal.run() }
        #expect(error.contains("is also an input"), "\(error)")
    }
}

/// Returns the description of the error that is thrown, which is empty if none is.
private func thrown(by body: () throws -> Void) -> String {
    do { try body() } catch { return "\(error)" }
    return ""
}

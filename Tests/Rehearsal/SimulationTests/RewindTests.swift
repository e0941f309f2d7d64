import AudioSession
import Foundation
import Simulation
import Testing

/// The position at which music resumes. It is `ResumeRewind=` earlier, but neither before the position from which the
/// music last resumed nor before the start of the track.
@Suite struct RewindTests {
    private func run(_ scenario: String, _ configuration: String = "") throws -> [TraceRow] {
        let lab = try Lab("[Playback]\nLibrary=music\nResumeRewind=5s\nFadeOut=100ms\n\(configuration)")
        try lab.addNumberedTrack("one.wav", seconds: 60)
        try lab.addNumberedTrack("two.wav", seconds: 60)
        return try lab.run(scenario)
    }

    @Test func rewindsOfInterruptionsInQuickSuccessionDoNotAddUp() throws {
        let rows = try run(
            """
            10s assert phone-call
            11s deassert phone-call
            12s assert phone-call
            13s deassert phone-call
            14s assert phone-call
            15s deassert phone-call
            23s assert phone-call
            24s end
            """)
        #expect(try rows.at("assert phone-call").position == .seconds(5))
        for occurrence in 1...2 {
            #expect(try rows.at("assert phone-call", occurrence: occurrence).position == .seconds(5))
            #expect(try rows.at("deassert phone-call", occurrence: occurrence).position == .seconds(5))
        }
        #expect(try rows.at("assert phone-call", occurrence: 3).position == .seconds(8))
    }

    @Test func rewindDoesNotPassTheTargetOfAJump() throws {
        let rows = try run(
            "10s command seek 30s\n12s assert phone-call\n13s deassert phone-call\n14s command next\n15s assert phone-call\n16s end"
        )
        #expect(try rows.at("assert phone-call").position == .seconds(30))
        #expect(try rows.at("assert phone-call", occurrence: 1).position == .zero)
        #expect(rows.last?.state?.track == "two.wav")
    }

    @Test func rewindInARepeatedTrackStopsAtItsStart() throws {
        let rows = try run("10s command seek 55s\n18s assert phone-call\n19s end", "Repeat=track")
        #expect(try rows.at("track ended").position == .zero)
        #expect(try rows.at("assert phone-call").position == .zero)
    }

    @Test func reversedFadeOutRepeatsNothingAndKeepsTheRewindLimit() throws {
        let rows = try run(
            "10s assert phone-call\n10.05s deassert phone-call\n12s assert phone-call\n13s end")
        #expect(try rows.at("deassert phone-call").position == .milliseconds(10_050))
        // If the limit had moved to where the fade-out reversed, this would be 10.05 s.
        #expect(try rows.at("assert phone-call", occurrence: 1).position == .seconds(7))
    }

    @Test func mutedMusicHasNoFadeOutToReverse() throws {
        let rows = try run(
            "1s command volume mute\n10s assert phone-call\n10.05s deassert phone-call\n11s end")
        #expect(try rows.at("deassert phone-call").position == .seconds(5))
    }

    @Test func bootRewindsMusicThatWasPlaying() throws {
        let rows = try run("10s command volume -1dB\n10s power-cut\n20s boot\n21s power-cut\n22s boot\n23s end")
        #expect(try rows.at("boot", occurrence: 1).position == .seconds(5))
        // The rewind limit is saved, so the second boot does not rewind further.
        #expect(try rows.at("boot", occurrence: 2).position == .seconds(5))
    }

    /// A library disk that is mounted late must not lose the saved limit.
    @Test func bootWithoutTheLibraryKeepsTheRewindLimit() throws {
        let lab = try Lab("[Playback]\nLibrary=music\nResumeRewind=5s\n")
        try lab.addNumberedTrack("one.wav", seconds: 60)
        func rehearse(_ scenario: String, hasLibrary: Bool = true) throws -> [TraceRow] {
            lab.configuration =
                "[Playback]\nLibrary=\(hasLibrary ? "music" : "")\nResumeRewind=5s\n[Signal phone-call]\nReleaseDelay=0s"
            var rehearsal = try lab.rehearsal(scenario)
            rehearsal.stateFolder = lab.path("state")
            return try rehearsal.run().rows
        }
        try FileManager.default.createDirectory(atPath: lab.path("state"), withIntermediateDirectories: true)
        _ = try rehearse(
            "7s assert phone-call\n7.5s deassert phone-call\n8.5s command volume -1dB\n8.5s power-cut")
        _ = try rehearse("1s power-cut", hasLibrary: false)
        // The music last resumed at 2 s and played for one second.
        #expect(try rehearse("1s end").at("boot").position == .seconds(2))
    }

    @Test func bootKeepsThePositionOfSilentMusic() throws {
        let rows = try run(
            """
            10s assert phone-call
            12s power-cut
            13s boot
            14s power-cut
            15s boot
            16s deassert phone-call
            18s command pause
            19s power-cut
            20s boot
            20s command play
            21s end
            """)
        for occurrence in 1...2 { #expect(try rows.at("boot", occurrence: occurrence).position == .seconds(5)) }
        #expect(try rows.at("deassert phone-call").position == .seconds(5))
        #expect(try rows.at("boot", occurrence: 3).position == .seconds(7))
        #expect(try rows.at("command play").position == .seconds(7))
    }

    @Test func lostDeviceRewindsOnceAcrossBoots() throws {
        let rows = try run(
            "10s device lost\n11s power-cut\n12s boot\n13s power-cut\n14s boot\n15s device reset\n16s end")
        #expect(try rows.at("boot", occurrence: 2).position == .seconds(5))
        #expect(try rows.at("device reset").position == .seconds(5))
        #expect(try rows.at("end").position == .seconds(6))
    }
}

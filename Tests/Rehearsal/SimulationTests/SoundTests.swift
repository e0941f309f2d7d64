import AudioSession
import Foundation
import Simulation
import Testing

/// The recordings of rehearsals, sample by sample.
@Suite struct SoundTests {
    private static let fades = """
        [Playback]
        Library=music
        FadeOut=50ms
        FadeIn=50ms
        DuckAttack=50ms
        DuckRelease=50ms

        """

    @Test func samplesBetweenFadesAreUnchanged() throws {
        let lab = try Lab(Self.fades)
        try lab.addNumberedTrack("one.wav", seconds: 5)
        let (_, samples) = try lab.listen("1s assert phone-call\n2s deassert phone-call\n3s end")
        #expect(samples.count == 3 * 48_000)
        for frame in 2400..<48_000 { try #require(samples[frame] == Int32(frame << 8)) }
        // The interruption comes at frame 48000. The fade-out starts there, as does playback after it.
        for frame in 50_400..<96_000 { try #require(samples[frame] == 0) }
        for frame in 98_400..<144_000 { try #require(samples[frame] == Int32((frame - 48_000) << 8)) }
    }

    @Test func reversedFadeOutRepeatsNothing() throws {
        let lab = try Lab(Self.fades)
        try lab.addNumberedTrack("one.wav", seconds: 5)
        let (rows, samples) = try lab.listen("1s assert phone-call\n1.02s deassert phone-call\n2s end")
        for frame in 51_360..<96_000 { try #require(samples[frame] == Int32(frame << 8)) }
        #expect(try rows.at("end").position == .seconds(2))
        // During the fade-out, the position is the one at which the interruption began, because playback would resume
        // there.
        #expect(try rows.at("assert phone-call").position == .seconds(1))
        #expect(try rows.at("deassert phone-call").position == .milliseconds(1020))
    }

    @Test func tracksFollowEachOtherWithoutAGap() throws {
        let lab = try Lab(Self.fades)
        try lab.addNumberedTrack("1.wav", seconds: 1)
        try lab.addNumberedTrack("2.wav", seconds: 1, first: 48_000)
        let (_, samples) = try lab.listen("2s end")
        for frame in 2400..<96_000 { try #require(samples[frame] == Int32(frame << 8)) }
    }

    @Test func recordingIsSilentDuringAPowerCut() throws {
        let lab = try Lab(Self.fades)
        try lab.addNumberedTrack("one.wav", seconds: 20)
        let (_, samples) = try lab.listen("1s command seek 10s\n2s power-cut\n3s boot\n4s end")
        #expect(samples.count == 4 * 48_000)
        #expect(samples[96_000..<144_000].allSatisfy { $0 == 0 })
        #expect(samples[150_000] != 0)
    }

    @Test func bootDuringACallPlaysNotASingleFrame() throws {
        let lab = try Lab(Self.fades)
        try lab.addNumberedTrack("one.wav", seconds: 20)
        let (_, samples) = try lab.listen(
            "1s power-cut\n1.5s line phone-call 1\n2s boot\n4s line phone-call 0\n6s end")
        #expect(samples[48_000..<193_440].allSatisfy { $0 == 0 })
        #expect(samples[200_000] != 0)
    }

    @Test(arguments: [997.0, 60.0]) func recordingHasNoClicks(frequency: Double) throws {
        let lab = try Lab(Self.fades)
        let step = 2 * Double.pi * frequency / 48_000
        let sample = { (frame: Int) in Int32((sin(step * Double(frame)) * 2_147_483_520).rounded()) }
        try lab.addTrack("sine.wav", frames: 20 * 48_000, sample: sample)
        let (_, samples) = try lab.listen(
            """
            1.0001s assert phone-call
            2s deassert phone-call
            3.00013s assert alarm
            3.0202s assert phone-call
            3.031s deassert phone-call
            3.5s deassert alarm
            4s assert alarm
            4.02s deassert alarm
            5s command pause
            5.03s command play
            6.0007s command seek 1.00019s
            6.51s command volume -20dB
            6.53s command volume 0dB
            7.003s command seek 12s
            7.0101s command seek 3s
            8s command stop
            8.01s command play
            9.001s configuration 48000 2
            9.5s device lost
            """)
        let own = step * 2_147_483_648
        let jumps = zip(samples, samples.dropFirst()).map { abs(Int64($0) - Int64($1)) }
        let largest = jumps.enumerated().max { $0.element < $1.element }
        // A seek changes the phase. Both sides are faded, and their sum must not change faster than the sine itself.
        #expect(Double(largest?.element ?? 0) <= own * 1.0001 + 2, "at frame \(largest?.offset ?? 0)")
    }

    @Test func changeOfTheDevicesRateLosesNothing() throws {
        let lab = try Lab(Self.fades)
        let step = 2 * Double.pi * 400 / 48_000
        let sine = { (frame: Int) in sin(step * Double(frame)) * 0.5 }
        try lab.addTrack("sine.wav", frames: 5 * 48_000) { Int32(sine($0) * 2_147_483_648) }
        let (rows, samples) = try lab.listen("1s configuration 44100 2\n2s configuration 48000 2\n3s end")
        #expect(try rows.at("end").position == .seconds(3))
        #expect(samples.count == 3 * 48_000)
        for frame in stride(from: 4800, to: 144_000, by: 7) {
            try #require(abs(Double(samples[frame]) / 2_147_483_648 - sine(frame)) < 1e-3, "frame \(frame)")
        }
    }
}

import AudioSession
import Foundation
import Simulation
import Testing

/// The volume's maximum, and sounds that follow the volume, in the recordings of rehearsals.
@Suite struct VolumeTests {
    private static let volumes = """
        [Playback]
        Library=music
        Volume=-20dB
        MaximumVolume=-6dB
        FadeIn=0s
        DuckAttack=0s
        [Button louder]
        Line=LOUDER
        Command=volume +40dB
        [Sound gong]
        File=gong.wav
        Effect=mix
        [Sound story]
        File=story.wav
        Effect=mix
        Level=-6dB
        Follow=volume

        """

    /// The music is silent, so that only the sounds are recorded. They are sines at half of full scale.
    private func lab(_ configuration: String = volumes) throws -> Lab {
        let lab = try Lab(configuration)
        try lab.addTrack("one.wav", frames: 20 * 48_000)
        for name in ["gong", "story"] { try lab.addSound(name, frames: 2 * 48_000, sample: Self.sine) }
        return lab
    }

    private static let step = 2 * Double.pi * 1_000 / 48_000
    private static func sine(_ frame: Int) -> Int32 { Int32((sin(step * Double(frame)) * 1_073_741_824).rounded()) }

    /// Returns the level of the sine in the recording, relative to that in the file, in decibels.
    private func level(_ samples: [Int32], at second: Double) -> Double {
        let first = Int(second * 48_000)
        let power = samples[first..<first + 480].reduce(0) { $0 + Double($1) * Double($1) } / 480
        return 10 * log10(power / (1_073_741_824 * 1_073_741_824 / 2))
    }

    /// Returns the greatest difference between two samples, relative to that of the sine in the file.
    private func largestStep(_ samples: ArraySlice<Int32>) -> Double {
        let steps = zip(samples, samples.dropFirst()).map { abs(Double($0) - Double($1)) }
        return (steps.max() ?? 0) / (1_073_741_824 * Self.step)
    }

    @Test func nothingInARehearsalExceedsTheMaximum() throws {
        let rows = try lab().run(
            """
            1s command volume 0dB
            2s command volume 50%
            3s command volume +20dB
            4s command volume -30dB
            5s button louder press
            6s end
            """)
        let maximum = Level(decibels: -6)
        #expect(try rows.at("boot").volume == Level(decibels: -20))
        #expect(try rows.at("command volume 0dB").volume == maximum)
        #expect(try rows.at("command volume 0dB").answer == .success)
        #expect(try rows.at("command volume +20dB").volume == maximum)
        #expect(try rows.at("command volume -30dB").volume == Level(decibels: -30))
        #expect(try rows.at("button louder press").volume == maximum)
    }

    @Test func savedVolumeOfAnEarlierConfigurationIsLimited() throws {
        let lab = try lab("[Playback]\nLibrary=music\n")
        var loud = try lab.rehearsal("1s command volume 0dB\n2s end")
        loud.stateFolder = lab.path("state")
        #expect(try loud.run().rows.last?.state?.volume == .full)
        lab.configuration = Self.volumes
        var limited = try lab.rehearsal("1s power-cut\n2s boot\n3s end")
        limited.stateFolder = lab.path("state")
        let rows = try limited.run().rows
        #expect(try rows.at("boot").volume == Level(decibels: -6))
        #expect(try rows.at("boot", occurrence: 1).volume == Level(decibels: -6))
    }

    @Test func soundFollowsTheVolumeWithoutAStep() throws {
        let (_, heard) = try lab().listen(
            """
            0.5s command volume -10dB
            1s command announce story
            1.5s command volume 0dB
            2s command volume -26dB
            2.5s command volume mute
            4s end
            """)
        #expect(heard[..<48_000].allSatisfy { $0 == 0 })
        // The sound's own level of -6 dB applies in addition, and the volume is at most -6 dB.
        for (time, decibels) in [(1.2, -16.0), (1.7, -12.0), (2.2, -32.0)] {
            let found = level(heard, at: time)
            #expect(abs(found - decibels) < 0.05, "\(found) instead of \(decibels) at \(time)")
        }
        #expect(heard[(48_000 * 26 / 10)...].allSatisfy { $0 == 0 })
        // A ramp changes the sine only slightly, so no step is much greater than one at the highest level.
        let loudest = pow(10, -12.0 / 20)
        #expect(largestStep(heard[48_001...]) < loudest * 1.02)
        let quiet = heard[(48_000 * 21 / 10)..<(48_000 * 27 / 10)]
        #expect(largestStep(quiet) < pow(10, -32.0 / 20) * 1.02)
    }

    @Test func otherSoundsDoNotFollowTheVolume() throws {
        let (_, heard) = try lab().listen(
            "1s command announce gong\n1.5s command volume mute\n2s command volume 0dB\n3s end")
        for frame in 0..<2 * 48_000 {
            try #require(abs(Int(heard[48_000 + frame]) - Int(Self.sine(frame))) <= 256)
        }
    }

    @Test func cueAndItsToneFollowTheVolume() throws {
        let cue = "[Signal door]\nLine=DOOR\nEffect=ignore\nCue=story\n"
        let (_, heard) = try lab(Self.volumes + cue).listen("1s assert door\n1.5s command volume -40dB\n2s end")
        #expect(abs(level(heard, at: 1.2) + 26) < 0.05 && abs(level(heard, at: 1.7) + 46) < 0.05)
        let absent = Self.volumes.replacingOccurrences(of: "story.wav", with: "absent.wav") + cue
        let (_, tone) = try lab(absent).listen("1s assert door\n2s command volume -40dB\n4s end")
        // The built-in tone peaks at -6 dBFS, as the sine does.
        #expect(abs(level(tone, at: 1.2) + 26) < 0.2 && abs(level(tone, at: 3.2) + 46) < 0.2)
    }

    @Test func rampContinuesOnADeviceWithAnotherRate() throws {
        let (_, heard) = try lab().listen(
            "1s command announce story\n1.5s command volume -40dB\n1.54s configuration 44100 2\n3s end")
        #expect(abs(level(heard, at: 2.2) + 46) < 0.1)
    }
}

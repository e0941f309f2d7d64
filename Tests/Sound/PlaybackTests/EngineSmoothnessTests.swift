import Foundation
import SoundLab
import Testing

@testable import Playback

/// The smoothness of the output. There must be no clicks, so neighbouring samples of a faded full-scale sine may differ
/// no more than those of the sine.
@Suite struct EngineSmoothnessTests {
    struct Tone: CustomTestStringConvertible {
        let frequency: Double
        /// A fade that is long enough not to be steeper than the tone. `jumpFade` is so long that even a crossfade of
        /// opposite phases is not steeper.
        let fade: Duration
        let jumpFade: Duration

        var steepest: Double {
            2 * sin(.pi * frequency / 48_000) + 0x1p-23
        }

        var testDescription: String {
            "\(frequency) Hz"
        }
    }

    static let tones = [
        Tone(frequency: 997, fade: .milliseconds(20), jumpFade: .milliseconds(20)),
        Tone(frequency: 60, fade: .milliseconds(20), jumpFade: .milliseconds(20)),
        Tone(frequency: 20, fade: .milliseconds(40), jumpFade: .milliseconds(60)),
    ]

    let folder: TemporaryFolder
    let output = FrameCollector()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func playing(_ tone: Tone) throws -> OfflineEngine {
        let path = try folder.encode(sine(frames: 480_000, frequency: tone.frequency), to: "sine.wav", .wav24)
        let engine = makeEngine([path], jumpFade: tone.jumpFade)
        engine.open(output)
        engine.loadNow(track: 0, at: .zero)
        engine.play(gain: 1, over: .zero)
        return engine
    }

    /// The positions at which fades start, at different phases of the slowest tone.
    private static let starts = stride(from: 0, to: 2400, by: 307)

    @Test(arguments: tones)
    func fadesDucksAndReversalsDoNotClick(_ tone: Tone) throws {
        let engine = try playing(tone)
        for start in Self.starts {
            try engine.run(start)
            engine.silence(over: tone.fade)
            try engine.run(2000)
            engine.play(gain: 1, over: tone.fade)
            try engine.run(2500)
            engine.play(gain: 0.2, over: tone.fade)
            try engine.run(700)
            engine.play(gain: 1, over: tone.fade)
            try engine.run(2000)
            engine.silence(over: tone.fade)
            try engine.run(start / 2)
            engine.play(gain: 1, over: tone.fade)
            try engine.run(2500)
        }
        #expect(largestStep(output.samples) <= tone.steepest)
        #expect(output.samples.contains { abs(Double($0)) > 0.99 * 0x1p31 })
    }

    @Test(arguments: tones)
    func jumpsDoNotClick(_ tone: Tone) throws {
        let engine = try playing(tone)
        for (number, start) in Self.starts.enumerated() {
            try engine.run(3000 + start)
            engine.seek(to: .milliseconds(number * 517 + 3))
        }
        try engine.run(5000)
        #expect(largestStep(output.samples) <= tone.steepest)
        #expect(output.samples.allSatisfy { abs(Double($0)) <= 0x1p31 })
    }

    @Test(arguments: tones)
    func overlappingJumpsDoNotClick(_ tone: Tone) throws {
        let engine = try playing(tone)
        try engine.run(5000)
        // The jumps are whole periods apart, so that only the gains matter.
        for number in 1...12 {
            engine.seek(to: .seconds(number % 5))
            try engine.run(150 * number)
        }
        try engine.run(5000)
        #expect(largestStep(output.samples) <= tone.steepest)
    }

    @Test(arguments: tones)
    func jumpsDuringFadeOutsDoNotClick(_ tone: Tone) throws {
        let engine = try playing(tone)
        for start in Self.starts {
            try engine.run(3000 + start)
            engine.silence(over: .milliseconds(100))
            try engine.run(1 + start)
            engine.loadNow(track: 0, at: .seconds(2))
            #expect(engine.playhead?.frame == 96_000)
            try engine.run(5000)
            engine.play(gain: 1, over: tone.fade)
        }
        #expect(largestStep(output.samples) <= tone.steepest)
        #expect(engine.takeEvents().allSatisfy { $0 == .faded })
    }

    @Test func seekCrossfadesFromTheNextFrame() throws {
        let engine = makeEngine([
            try folder.encode(sine(frames: 48_000, frequency: 997), to: "a.wav", .wav24),
            try folder.encode(counter(frames: 48_000), to: "b.wav", .wav24),
        ])
        engine.open(output)
        engine.loadNow(track: 0, at: .zero)
        engine.play(gain: 1, over: .zero)
        try engine.run(10_000)
        engine.loadNow(track: 1, at: .zero)
        #expect(engine.playhead == Playhead(track: 1, frame: 0, rate: 48_000))
        // During 20 ms both tracks are played, and after that only the new one.
        try engine.run(2000)
        #expect(numbers(output.samples.suffix(2 * 1040)) == Array(960..<2000))
        #expect(engine.takeEvents().isEmpty)
    }
}

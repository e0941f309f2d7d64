import ALSA
import SoundLab
import Testing

@testable import Playback

/// Boundaries between tracks, and the end of the music.
@Suite struct EngineBoundaryTests {
    let folder: TemporaryFolder
    let output = FrameCollector()

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Creates an engine with three tracks of 10 000, 7000 and 12 000 frames, whose samples are numbered continuously.
    private func countingEngine(playing: Bool = true, repeating: Bool = false) throws -> OfflineEngine {
        let engine = makeEngine(
            [
                try folder.encode(counter(frames: 10_000), to: "a.wav", .wav24),
                try folder.encode(counter(frames: 7000, from: 10_000), to: "b.flac", .flac24),
                try folder.encode(counter(frames: 12_000, from: 17_000), to: "c.wav", .wav24),
            ], repeating: repeating)
        engine.open(output)
        engine.loadNow(track: 0, at: .zero)
        if playing { engine.play(gain: 1, over: .zero) }
        return engine
    }

    @Test func tracksOfOneRateFollowWithoutAGapAndEventsAreExact() throws {
        let engine = try countingEngine()
        #expect(try engine.run(frames: 100_000) == 10_000)
        #expect(engine.takeEvents() == [.trackAdvanced(to: 1)])
        #expect(engine.playhead == Playhead(track: 1, frame: 0, rate: 48_000))
        #expect(try engine.run(frames: 6999) == 6999)
        #expect(engine.takeEvents().isEmpty)
        #expect(engine.playhead == Playhead(track: 1, frame: 6999, rate: 48_000))
        #expect(try engine.run(frames: 1) == 1)
        #expect(engine.takeEvents() == [.trackAdvanced(to: 2)])
        #expect(try engine.run(frames: 100_000) == 12_000)
        #expect(engine.takeEvents() == [.playbackEnded])
        #expect(numbers(output.samples) == Array(0..<29_000))
        #expect(engine.playhead == Playhead(track: 2, frame: 12_000, rate: 48_000))
        #expect(try engine.run(frames: 500) == 500)
        #expect(output.samples.suffix(1000).allSatisfy { $0 == 0 })
        #expect(engine.takeEvents().isEmpty)
    }

    @Test func playsAgainAfterTheEndOnceATrackIsLoaded() throws {
        let engine = try countingEngine()
        for _ in 0..<3 { _ = try engine.run(frames: 100_000) }
        _ = engine.takeEvents()
        engine.play(gain: 1, over: .zero)
        engine.passBoundaries()
        #expect(engine.takeEvents() == [.playbackEnded])
        #expect(engine.loadNow(track: 1, at: .zero) == 1)
        engine.play(gain: 1, over: .zero)
        output.samples = []
        try engine.run(10)
        #expect(numbers(output.samples) == Array(10_000..<10_010))
    }

    @Test func fadeOutAcrossABoundaryReportsNoAdvance() throws {
        let engine = try countingEngine()
        try engine.run(9000)
        engine.silence(over: .milliseconds(100))
        #expect(try engine.run(frames: 50_000) == 4800)
        #expect(engine.takeEvents() == [.faded])
        #expect(engine.playhead == Playhead(track: 0, frame: 9000, rate: 48_000))
        output.samples = []
        engine.play(gain: 1, over: .zero)
        #expect(try engine.run(frames: 50_000) == 1000)
        #expect(engine.takeEvents() == [.trackAdvanced(to: 1)])
        try engine.run(100)
        #expect(numbers(output.samples) == Array(9000..<10_100))
    }

    @Test func reversingAFadeOutBeyondBoundariesReportsThemAtOnce() throws {
        let engine = try countingEngine()
        try engine.run(9000)
        engine.silence(over: .milliseconds(500))
        try engine.run(9000)
        #expect(engine.takeEvents().isEmpty)
        #expect(engine.playhead?.track == 0)
        engine.play(gain: 1, over: .zero)
        #expect(engine.takeEvents() == [.trackAdvanced(to: 1), .trackAdvanced(to: 2)])
        #expect(engine.playhead == Playhead(track: 2, frame: 1000, rate: 48_000))
        output.samples = []
        try engine.run(10)
        #expect(numbers(output.samples) == Array(18_000..<18_010))
    }

    @Test func reversingAFadeOutBeyondTheEndReportsTheEnd() throws {
        let engine = try countingEngine()
        engine.loadNow(track: 2, at: .milliseconds(200))
        _ = engine.takeEvents()
        engine.silence(over: .seconds(1))
        try engine.run(20_000)
        #expect(engine.takeEvents().isEmpty)
        engine.play(gain: 1, over: .milliseconds(10))
        engine.passBoundaries()
        #expect(engine.takeEvents() == [.playbackEnded])
        #expect(engine.gain == 0)
    }

    @Test func fadeOutAcrossTheEndResumesWhereItBegan() throws {
        let engine = try countingEngine()
        engine.loadNow(track: 2, at: .milliseconds(200))
        try engine.run(960)
        engine.silence(over: .milliseconds(100))
        #expect(try engine.run(frames: 50_000) == 4800)
        #expect(engine.takeEvents() == [.faded])
        #expect(engine.playhead == Playhead(track: 2, frame: 10_560, rate: 48_000))
        engine.play(gain: 1, over: .zero)
        #expect(try engine.run(frames: 50_000) == 1440)
        #expect(engine.takeEvents() == [.playbackEnded])
    }

    @Test func seekBeyondTheEndContinuesWithTheNextTrack() throws {
        let engine = try countingEngine(playing: false)
        engine.seek(to: .seconds(100))
        #expect(engine.playhead == Playhead(track: 0, frame: 10_000, rate: 48_000))
        #expect(engine.takeEvents().isEmpty)
        engine.play(gain: 1, over: .zero)
        engine.passBoundaries()
        #expect(engine.takeEvents() == [.trackAdvanced(to: 1)])
        try engine.run(10)
        #expect(numbers(output.samples) == Array(10_000..<10_010))
        // The result is the same while the music plays.
        engine.seek(to: .seconds(100))
        engine.passBoundaries()
        #expect(engine.takeEvents() == [.trackAdvanced(to: 2)])
        engine.seek(to: .seconds(100))
        engine.passBoundaries()
        #expect(engine.takeEvents() == [.playbackEnded])
    }

    @Test func singleTrackRepeats() throws {
        let engine = OfflineEngine(
            tracks: [Track(path: try folder.encode(counter(frames: 1000), to: "a.wav", .wav24))],
            successor: { $0 }, predecessor: { $0 })
        engine.open(output)
        engine.loadNow(track: 0, at: .zero)
        engine.play(gain: 1, over: .zero)
        for _ in 0..<50 { #expect(try engine.run(frames: 2000) == 1000) }
        #expect(engine.takeEvents() == [PlaybackEvent](repeating: .trackAdvanced(to: 0), count: 50))
        #expect(numbers(output.samples) == (0..<50).flatMap { _ in 0..<1000 })
    }

    @Test func channelsCanChangeAtABoundary() throws {
        let mono = (0..<3000).map { Int32($0) << 8 }
        let engine = makeEngine([
            try folder.encode(mono, to: "mono.wav", .wav24, channels: 1),
            try folder.encode(counter(frames: 1500, from: 3000), to: "stereo.wav", .wav24),
        ])
        engine.open(output)
        engine.loadNow(track: 0, at: .zero)
        engine.play(gain: 1, over: .zero)
        #expect(try engine.run(frames: 9000) == 3000)
        #expect(try engine.run(frames: 9000) == 1500)
        #expect(numbers(output.samples) == Array(0..<4500))
        #expect(output.samples[1000] == output.samples[1001])
    }

    @Test func ratesCanChangeAtABoundary() throws {
        let engine = makeEngine([
            try folder.encode(sine(frames: 44_107, frequency: 440, rate: 44_100), to: "a.wav", .wav16, rate: 44_100),
            try folder.encode(counter(frames: 4800), to: "b.wav", .wav24),
            try folder.encode(sine(frames: 96_001, frequency: 440, rate: 96_000), to: "c.wav", .wav16, rate: 96_000),
        ])
        engine.open(output)
        engine.loadNow(track: 0, at: .zero)
        engine.play(gain: 1, over: .zero)
        try engine.run(1)
        // The device has played 0.92 of a frame of the track.
        #expect(engine.playhead == Playhead(track: 0, frame: 1, rate: 44_100))
        // 44 107 × 48 000 / 44 100 = 48 007.6
        #expect(try engine.run(frames: 900_000) == 48_007)
        #expect(engine.playhead == Playhead(track: 1, frame: 0, rate: 48_000))
        #expect(try engine.run(frames: 900_000) == 4800)
        #expect(numbers(output.samples.suffix(9600)) == Array(0..<4800))
        try engine.run(24_000)
        #expect(engine.playhead == Playhead(track: 2, frame: 48_000, rate: 96_000))
        #expect(try engine.run(frames: 900_000) == 24_001)
        #expect(
            engine.takeEvents() == [.trackAdvanced(to: 1), .trackAdvanced(to: 2), .playbackEnded])
        #expect(engine.playhead == Playhead(track: 2, frame: 96_001, rate: 96_000))
    }

    @Test func resampledTracksOfOneRateFollowWithoutAGap() throws {
        let whole = music(frames: 60_000)
        let engine = makeEngine([
            try folder.encode(Array(whole[..<40_002]), to: "a.wav", .wav24, rate: 44_100),
            try folder.encode(Array(whole[40_002...]), to: "b.wav", .wav24, rate: 44_100),
        ])
        engine.open(output)
        engine.loadNow(track: 0, at: .zero)
        engine.play(gain: 1, over: .zero)
        // This is the first device frame at or after 20 001 / 44 100 s, a fifth of a track frame late.
        #expect(try engine.run(frames: 900_000) == 21_770)
        #expect(engine.takeEvents() == [.trackAdvanced(to: 1)])
        #expect(engine.playhead?.track == 1 && engine.playhead?.frame == 0)
        #expect(try engine.run(frames: 900_000) == 65_306 - 21_770)

        let reference = FrameCollector()
        let single = makeEngine([try folder.encode(whole, to: "whole.wav", .wav24, rate: 44_100)])
        single.open(reference)
        single.loadNow(track: 0, at: .zero)
        single.play(gain: 1, over: .zero)
        #expect(try single.render(frames: 900_000) == 65_306)
        #expect(reference.samples == output.samples)
    }

    @Test(arguments: [44_100, 96_000, 44_101, 22_050])
    func seekInAResampledTrackEqualsContinuousPlayback(_ rate: Int) throws {
        let path = try folder.encode(music(frames: 3 * rate), to: "m.wav", .wav24, rate: rate)
        let continuous = makeEngine([path])
        continuous.open(output)
        continuous.loadNow(track: 0, at: .zero)
        continuous.play(gain: 1, over: .zero)
        try continuous.run(100_000)
        // The positions are whole numbers of frames at both rates. 100 ms is less than the longest pre-roll.
        for position in [Duration.milliseconds(1000), .milliseconds(100), .milliseconds(20), .milliseconds(1260)]
        where (position / .milliseconds(1) * Double(rate)).truncatingRemainder(dividingBy: 1000) == 0 {
            let sought = makeEngine([path])
            let recorder = FrameCollector()
            sought.open(recorder)
            sought.loadNow(track: 0, at: position)
            #expect(sought.playhead?.position == position)
            sought.play(gain: 1, over: .zero)
            try sought.run(20_000)
            let start = 2 * position.frames(atRate: 48_000)
            let worst = (0..<40_000).map { abs(Int(recorder.samples[$0]) - Int(output.samples[start + $0])) }.max()
            #expect(Double(worst ?? .max) / 0x1p31 < 1e-4, "\(rate) Hz at \(position)")
        }
    }
}

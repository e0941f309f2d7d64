import ALSA
import Glibc
import SoundLab
import Testing

@testable import Playback

/// The continuity of the music. No frame may be lost or repeated. The samples of the tracks are their frame numbers.
@Suite struct EngineContinuityTests {
    let folder: TemporaryFolder
    let output = FrameCollector()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func countingEngine(frames: Int = 400_000) throws -> OfflineEngine {
        let engine = makeEngine([try folder.encode(counter(frames: frames), to: "counter.wav", .wav24)])
        engine.open(output)
        #expect(engine.loadNow(track: 0, at: .zero) == 0)
        return engine
    }

    /// Returns the frame numbers rendered since the last call.
    private func heard() -> [Int] {
        defer { output.samples = [] }
        return numbers(output.samples)
    }

    @Test(arguments: [Encoding.wav16, .wav24, .flac16, .flac24])
    func unityGainIsBitExact(_ encoding: Encoding) throws {
        let mask: Int32 = encoding == .wav16 || encoding == .flac16 ? ~0xFFFF : ~0xFF
        let samples = (music(frames: 100_000) + [Int32.min, Int32.max]).map { $0 & mask }
        let engine = makeEngine([try folder.encode(samples, to: "exact", encoding)])
        engine.open(output)
        engine.loadNow(track: 0, at: .zero)
        engine.play(gain: 1, over: .zero)
        #expect(try engine.run(frames: 200_000) == 100_001)
        #expect(output.samples == samples)
        #expect(engine.takeEvents() == [.playbackEnded])
    }

    @Test func rendersSilenceAndKeepsThePositionWhileStopped() throws {
        let engine = try countingEngine()
        #expect(try engine.run(frames: 5000) == 5000)
        #expect(heard().allSatisfy { $0 == 0 })
        #expect(engine.playhead?.frame == 0)
        #expect(engine.gain == 0)
    }

    @Test func playAfterSilenceResumesWhereTheFadeOutBegan() throws {
        let engine = try countingEngine()
        engine.play(gain: 1, over: .zero)
        try engine.run(12_345)
        engine.silence(over: .milliseconds(500))
        #expect(engine.playhead == Playhead(track: 0, frame: 12_345, rate: 48_000))
        #expect(try engine.run(frames: 100_000) == 24_000)
        #expect(engine.takeEvents() == [.faded])
        #expect(engine.playhead?.frame == 12_345)
        try engine.run(1000)
        _ = heard()
        engine.play(gain: 1, over: .zero)
        try engine.run(50_000)
        #expect(heard() == Array(12_345..<62_345))
        #expect(engine.playhead?.frame == 62_345)
        #expect(engine.takeEvents().isEmpty)
    }

    @Test func playAfterAFadeOutLongerThanTheRingResumesWhereItBegan() throws {
        let engine = try countingEngine()
        engine.play(gain: 1, over: .zero)
        try engine.run(54_321)
        engine.silence(over: .seconds(4))
        #expect(try engine.run(frames: 400_000) == 192_000)
        #expect(engine.takeEvents() == [.faded])
        #expect(engine.playhead?.frame == 54_321)
        _ = heard()
        engine.play(gain: 1, over: .zero)
        try engine.run(9000)
        #expect(heard() == Array(54_321..<63_321))
    }

    @Test func reversingAFadeOutRepeatsNothing() throws {
        let engine = try countingEngine()
        engine.play(gain: 1, over: .zero)
        try engine.run(10_000)
        engine.silence(over: .milliseconds(500))
        try engine.run(7000)
        engine.play(gain: 1, over: .milliseconds(100))
        try engine.run(4800)
        _ = heard()
        try engine.run(3000)
        #expect(heard() == Array(21_800..<24_800))
        #expect(engine.takeEvents().isEmpty)
    }

    @Test func playRewindsOnlyWhenStopped() throws {
        let engine = try countingEngine()
        engine.play(gain: 1, over: .zero, rewinding: .seconds(1))
        try engine.run(100_000)
        engine.play(gain: 1, over: .zero, rewinding: .seconds(1))
        #expect(engine.playhead?.frame == 100_000)
        engine.silence(over: .milliseconds(10))
        engine.play(gain: 1, over: .zero, rewinding: .seconds(1))
        #expect(engine.playhead?.frame == 100_000)
        engine.silence(over: .zero)
        #expect(engine.takeEvents() == [.faded])
        _ = heard()
        engine.play(gain: 1, over: .zero, rewinding: .milliseconds(1500))
        try engine.run(100)
        #expect(heard() == Array(28_000..<28_100))
        engine.silence(over: .zero)
        engine.play(gain: 1, over: .zero, rewinding: .seconds(60))
        try engine.run(10)
        #expect(heard() == Array(0..<10))
    }

    @Test func closingKeepsThePlayhead() throws {
        let engine = try countingEngine()
        engine.play(gain: 1, over: .zero)
        try engine.run(33_333)
        engine.silence(over: .seconds(1))
        try engine.run(1111)
        engine.close()
        #expect(!engine.isOpen)
        #expect(engine.playhead == Playhead(track: 0, frame: 33_333, rate: 48_000))
        #expect(engine.trackLength == .nanoseconds(8_333_333_333))
        #expect(try engine.run(frames: 10) == 0)
        engine.play(gain: 1, over: .zero)
        engine.open(output)
        _ = heard()
        try engine.run(10)
        #expect(heard().allSatisfy { $0 == 0 })
        engine.play(gain: 1, over: .zero)
        try engine.run(100)
        #expect(heard() == Array(33_333..<33_433))
        #expect(engine.takeEvents().isEmpty)
    }

    @Test func loadingWhileClosedTakesEffectOnOpening() throws {
        let engine = makeEngine([
            try folder.encode(counter(frames: 1000), to: "a.wav", .wav24),
            try folder.encode(counter(frames: 9600, from: 100_000), to: "b.wav", .wav24),
        ])
        #expect(engine.playhead == nil && engine.trackLength == nil)
        #expect(engine.loadNow(track: 1, at: .milliseconds(100)) == 1)
        #expect(engine.playhead == Playhead(track: 1, frame: 4800, rate: 48_000))
        #expect(engine.trackLength == .milliseconds(200))
        engine.seek(to: .milliseconds(50))
        engine.open(output)
        #expect(engine.playhead?.frame == 2400)
        engine.play(gain: 1, over: .zero)
        try engine.run(10)
        #expect(heard() == Array(102_400..<102_410))
    }

    @Test func blockThatTheDeviceRejectsIsNotLost() throws {
        let engine = try countingEngine()
        engine.play(gain: 1, over: .zero)
        try engine.run(3000)
        output.failsNext = true
        #expect(throws: PCMError.self) { try engine.run(frames: 1000) }
        #expect(engine.playhead?.frame == 3000)
        try engine.run(2000)
        engine.silence(over: .milliseconds(1))
        output.failsNext = true
        let error = thrown(PCMError.self) { try engine.run(frames: 1000) }
        #expect(error?.code == ENODEV)
        #expect(engine.takeEvents().isEmpty)
        engine.play(gain: 1, over: .zero)
        #expect(engine.playhead?.frame == 5000)
        try engine.run(100)
        #expect(heard() == Array(0..<5100))
    }

    @Test func reopeningInTheSameFormatContinuesAtTheNextFrame() throws {
        let engine = try countingEngine()
        engine.play(gain: 1, over: .zero)
        try engine.run(20_001)
        let other = FrameCollector()
        engine.reopen(other)
        try engine.run(5000)
        #expect(numbers(output.samples + other.samples) == Array(0..<25_001))
        #expect(engine.takeEvents().isEmpty)
    }

    @Test func reopeningDuringAFadeOutStopsWhereItBegan() throws {
        let engine = try countingEngine()
        engine.play(gain: 1, over: .zero)
        try engine.run(20_001)
        engine.silence(over: .seconds(1))
        try engine.run(5000)
        let other = FrameCollector(rate: 44_100)
        engine.reopen(other)
        #expect(engine.playhead?.frame == 20_001)
        #expect(engine.takeEvents() == [.faded])
        try engine.run(1000)
        #expect(other.samples.allSatisfy { $0 == 0 })
    }

    @Test func reopeningAtAnotherRateKeepsPositionGainAndRamp() throws {
        let engine = try countingEngine()
        engine.play(gain: 1, over: .seconds(1))
        try engine.run(24_000)
        let gain = engine.gain
        let other = FrameCollector(rate: 96_000, channels: 4)
        engine.reopen(other)
        #expect(engine.playhead?.frame == 24_000)
        #expect(engine.gain == gain)
        try engine.run(47_000)
        #expect(engine.gain > gain && engine.gain < 1)
        try engine.run(1000)
        #expect(engine.playhead?.frame == 48_000)
        #expect(engine.gain == 1)
        try engine.run(9600)
        #expect(engine.playhead?.frame == 52_800)
        // The last frame that was played is number 52 799.5, resampled.
        let last = Double(other.samples[other.samples.count - 4]) / 256
        #expect(abs(last - 52_799.5) < 2)
    }

    @Test func reopeningAClosedEngineOpensTheDevice() throws {
        let engine = makeEngine([try folder.encode(counter(frames: 1000), to: "a.wav", .wav24)])
        engine.loadNow(track: 0, at: .zero)
        engine.reopen(output)
        #expect(engine.isOpen)
        engine.play(gain: 1, over: .zero)
        try engine.run(10)
        #expect(heard() == Array(0..<10))
    }

    @Test func doesNothingWithoutTracks() throws {
        let engine = makeEngine([])
        engine.open(output)
        #expect(engine.loadNow(track: 0, at: .zero) == nil)
        #expect(engine.loadNow(track: -1, at: .zero, searching: .backward) == nil)
        engine.seek(to: .seconds(1))
        engine.play(gain: 1, over: .zero, rewinding: .seconds(1))
        engine.silence(over: .seconds(1))
        try engine.run(100)
        #expect(engine.playhead == nil && engine.trackLength == nil)
        #expect(output.samples.allSatisfy { $0 == 0 })
        #expect(engine.takeEvents().isEmpty)
    }
}

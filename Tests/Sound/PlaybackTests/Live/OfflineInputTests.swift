import ALSA
import SoundLab
import Testing

@testable import Playback

/// The sources of an offline engine. The samples of its files are their frame numbers.
@Suite struct OfflineInputTests {
    let folder: TemporaryFolder
    let output = FrameCollector()
    let latency = 7200

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Returns an engine with two inputs, of which one receives numbers from 100,000 and the other one silence.
    private func makeEngine() throws -> OfflineEngine {
        let library = try folder.encode(counter(frames: 400_000), to: "library.wav", .wav24)
        let radio = try folder.encode(counter(frames: 200_000, from: 1_000_000), to: "radio.wav", .wav24)
        let engine = OfflineEngine(
            tracks: [Track(path: library)],
            order: TrackOrder(successor: { _ in nil }, next: { _ in nil }, previous: { _ in nil }),
            inputs: [OfflineInput(file: Track(path: radio)), OfflineInput()])
        engine.open(output)
        engine.loadNow(track: 0, at: .zero)
        return engine
    }

    /// Returns the frame numbers rendered since the last call.
    private func heard() -> [Int] {
        defer { output.samples = [] }
        return numbers(output.samples)
    }

    @Test func whatArrivesIsHeardExactlyAfterTheLatency() throws {
        let engine = try makeEngine()
        try engine.run(1234)
        engine.setArrival(at: 0, true)
        engine.select(.input(0), over: .zero)
        engine.play(gain: 1, over: .zero)
        try engine.run(10_000)
        let samples = heard()
        #expect(samples[..<(1234 + latency)].allSatisfy { $0 == 0 })
        // The first 5 ms fade in.
        #expect(Array(samples[(1234 + latency + 240)...]) == Array(1_000_240..<1_000_000 + 10_000 - latency))
        #expect(engine.takeEvents().isEmpty)
    }

    @Test func theLibraryStandsStillWhileAnInputIsSelected() throws {
        let engine = try makeEngine()
        engine.play(gain: 1, over: .zero)
        try engine.run(5000)
        engine.setArrival(at: 1, true)
        engine.select(.input(1), over: .milliseconds(100))
        engine.play(gain: 1, over: .milliseconds(100))
        #expect(engine.playhead?.frame == 5000)
        try engine.run(50_000)
        #expect(engine.playhead?.frame == 5000 && engine.source == .input(1))
        _ = heard()
        engine.setArrival(at: 1, false)
        engine.select(.library, over: .milliseconds(100))
        engine.play(gain: 1, over: .zero)
        try engine.run(1000)
        #expect(heard() == Array(5000..<6000))
        #expect(engine.takeEvents().isEmpty)
    }

    @Test func theLibraryReturnsEarlierByTheRewind() throws {
        let engine = try makeEngine()
        engine.play(gain: 1, over: .zero)
        try engine.run(48_000)
        engine.select(.input(1), over: .zero)
        engine.play(gain: 1, over: .zero)
        try engine.run(1000)
        _ = heard()
        engine.select(.library, over: .zero)
        engine.play(gain: 1, over: .zero, rewinding: .milliseconds(500))
        try engine.run(100)
        #expect(heard() == Array(24_000..<24_100))
    }

    @Test func aPausedInputContinuesLive() throws {
        let engine = try makeEngine()
        engine.setArrival(at: 0, true)
        engine.select(.input(0), over: .zero)
        engine.play(gain: 1, over: .zero)
        try engine.run(latency + 1000)
        engine.silence(over: .milliseconds(10))
        try engine.run(20_000)
        #expect(engine.takeEvents() == [.faded])
        _ = heard()
        engine.play(gain: 1, over: .zero)
        try engine.run(100)
        #expect(heard() == Array(1_021_000..<1_021_100))
    }

    @Test func aPauseInTheMiddleOfAChangeIsReportedOnce() throws {
        let engine = try makeEngine()
        engine.setArrival(at: 0, true)
        engine.play(gain: 1, over: .zero)
        try engine.run(1000)
        engine.silence(over: .milliseconds(100))
        try engine.run(100)
        engine.select(.input(0), over: .milliseconds(100))
        #expect(engine.takeEvents() == [.faded])
        try engine.run(20_000)
        #expect(engine.takeEvents().isEmpty)
    }

    @Test func anInputThatCeasesFadesOutAndTheNextStreamFadesIn() throws {
        let engine = try makeEngine()
        engine.select(.input(0), over: .zero)
        engine.play(gain: 1, over: .zero)
        engine.setArrival(at: 0, true)
        try engine.run(10_000)
        engine.setArrival(at: 0, false)
        try engine.run(10_000)
        let samples = heard()
        #expect(samples[16_900] == 1_009_700 && samples[17_200...].allSatisfy { $0 == 0 })
        engine.setArrival(at: 0, true)
        try engine.run(latency + 1000)
        let next = heard()
        #expect(next[..<latency].allSatisfy { $0 == 0 } && next[latency + 500] == 1_010_500)
    }

    @Test func aGapShorterThanTheLatencyIsHeardAsAGap() throws {
        let engine = try makeEngine()
        engine.select(.input(0), over: .zero)
        engine.play(gain: 1, over: .zero)
        engine.setArrival(at: 0, true)
        try engine.run(10_000)
        engine.setArrival(at: 0, false)
        try engine.run(1000)
        engine.setArrival(at: 0, true)
        try engine.run(20_000)
        let samples = heard()
        #expect(samples[17_000] == 1_009_800 && samples[17_199] == 1_009_999)
        #expect(samples[17_200..<18_200].allSatisfy { $0 == 0 } && samples[18_200] == 1_010_000)
    }

    @Test(arguments: [1, 37, 480, 2048])
    func theResultDoesNotDependOnTheBlocks(block: Int) throws {
        func play(_ block: Int) throws -> [Int32] {
            let engine = try makeEngine()
            output.samples = []
            engine.play(gain: 1, over: .milliseconds(10))
            var time = 0
            func run(until end: Int) throws {
                while time < end { time += try engine.render(frames: min(block, end - time)) }
            }
            try run(until: 2000)
            engine.setArrival(at: 0, true)
            engine.select(.input(0), over: .milliseconds(30))
            engine.play(gain: 0.8, over: .milliseconds(20))
            try run(until: 12_000)
            engine.play(gain: 0.3, over: .milliseconds(20))
            try run(until: 13_000)
            engine.select(.library, over: .milliseconds(20))
            engine.play(gain: 1, over: .milliseconds(20))
            try run(until: 15_000)
            return output.samples
        }
        let expected = try play(100)
        #expect(try play(block) == expected)
    }

    @Test func continuesLiveInAnotherFormat() throws {
        let engine = try makeEngine()
        engine.select(.input(0), over: .zero)
        engine.play(gain: 1, over: .zero)
        engine.setArrival(at: 0, true)
        try engine.run(20_000)
        let next = FrameCollector(rate: 96_000)
        engine.reopen(next)
        try engine.run(30_000)
        let samples = numbers(next.samples)
        #expect(samples[..<14_400].allSatisfy { $0 == 0 })
        // What arrived before, but was not heard, is discarded.
        #expect(abs(samples[16_400] - 1_021_000) < 10)
        #expect(engine.takeEvents().isEmpty)
    }

    @Test func aBlockThatTheDeviceRejectsIsRenderedAgain() throws {
        let engine = try makeEngine()
        engine.select(.input(0), over: .zero)
        engine.play(gain: 1, over: .zero)
        engine.setArrival(at: 0, true)
        try engine.run(10_000)
        _ = heard()
        output.failsNext = true
        #expect(throws: PCMError.self) { try engine.render(frames: 500) }
        try engine.run(500)
        #expect(heard() == Array(1_002_800..<1_003_300))
    }

    // MARK: Pages

    @Test func aPageIsHeardOverTheMusicAndWhatArrivesDuringTheWaitIsDiscarded() throws {
        let engine = try makeEngine()
        engine.setArrival(at: 0, true)
        engine.play(gain: 0, over: .zero)
        try engine.run(latency + 1000)
        _ = heard()
        engine.playPage(0, after: .milliseconds(50))
        try engine.run(10_000)
        let samples = heard()
        #expect(samples[..<2400].allSatisfy { $0 == 0 })
        // After the fade-in of 20 ms, the page is heard as it arrives.
        #expect(Array(samples[3360...]) == Array(1_004_360..<1_011_000))
        engine.stopSound()
        try engine.run(2000)
        let end = heard()
        #expect(zip(end, end.dropFirst()).prefix(960).allSatisfy { $0 >= $1 } && end[0] > 0)
        #expect(end[960...].allSatisfy { $0 == 0 })
        #expect(engine.takeEvents().isEmpty)
    }

    @Test func aPageThatReturnsContinuesLive() throws {
        let engine = try makeEngine()
        engine.setArrival(at: 0, true)
        engine.playPage(0, after: .zero)
        try engine.run(20_000)
        engine.stopSound()
        try engine.run(20_000)
        _ = heard()
        engine.playPage(0, after: .zero)
        try engine.run(2000)
        #expect(Array(heard()[960...]) == Array((1_040_960 - latency)..<(1_042_000 - latency)))
    }

    @Test func aPageContinuesOnADeviceWithAnotherFormat() throws {
        let engine = try makeEngine()
        engine.setArrival(at: 0, true)
        engine.playPage(0, after: .zero)
        try engine.run(20_000)
        let other = FrameCollector(rate: 44_100)
        engine.reopen(other)
        try engine.run(44_100)
        #expect(numbers(other.samples).suffix(10_000).allSatisfy { $0 > 1_000_000 })
    }

    @Test func aPageReplacesAnotherPageAndIsReplacedByNothing() throws {
        let engine = try makeEngine()
        engine.setArrival(at: 0, true)
        engine.setArrival(at: 1, true)
        engine.playPage(0, after: .zero)
        try engine.run(20_000)
        engine.playPage(1, after: .zero)
        _ = heard()
        try engine.run(5000)
        let samples = heard()
        #expect(samples[0] > 0 && samples[1000...].allSatisfy { $0 == 0 })
    }
}

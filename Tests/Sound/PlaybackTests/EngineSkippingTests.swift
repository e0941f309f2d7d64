import Foundation
import SoundLab
import Testing

@testable import Playback

/// Tracks that cannot be played, and the continuation of the music.
@Suite struct EngineSkippingTests {
    let folder: TemporaryFolder
    let output = FrameCollector()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func track(_ name: String, from base: Int, frames: Int = 5000) throws -> String {
        try folder.encode(counter(frames: frames, from: base), to: name, .wav24)
    }

    private func text(_ name: String) throws -> String {
        try folder.write("no audio at all, just words\n", to: name)
    }

    private func skips(_ events: [PlaybackEvent]) -> [Int] {
        events.compactMap { if case .trackSkipped(let track, _) = $0 { track } else { nil } }
    }

    /// Returns a truncated FLAC file of 100 000 frames, and the number of frames that it yields.
    private func truncatedFlac(_ name: String) throws -> (path: String, frames: Int) {
        try folder.encode(counter(frames: 100_000), to: "whole.flac", .flac24)
        let bytes = try folder.bytes(of: "whole.flac")
        let path = try folder.write(Array(bytes[..<(bytes.count * 2 / 3)]), to: name)
        let decoder = try Decoder.open(path)
        _ = try? decodeAll(decoder)
        return (path, decoder.position)
    }

    @Test func skipsUnreadableTracksAtABoundary() throws {
        let engine = makeEngine([
            try track("a.wav", from: 0), try text("b.flac"), folder.path("missing.wav"),
            try folder.encode([], to: "zero.wav", .wav24), try track("e.wav", from: 5000),
        ])
        engine.open(output)
        engine.loadNow(track: 0, at: .zero)
        engine.play(gain: 1, over: .zero)
        #expect(try engine.run(frames: 20_000) == 5000)
        let events = engine.takeEvents()
        #expect(skips(events) == [1, 2, 3])
        #expect(events.last == .trackAdvanced(to: 4))
        #expect(try engine.run(frames: 20_000) == 5000)
        #expect(numbers(output.samples) == Array(0..<10_000))
    }

    @Test func reportsEverySkippedFileOnce() throws {
        let bad = try text("bad.flac")
        let engine = makeEngine(
            [try track("a.wav", from: 0, frames: 1000), bad, bad, folder.path("missing.wav")], repeating: true)
        engine.open(output)
        engine.loadNow(track: 0, at: .zero)
        engine.play(gain: 1, over: .zero)
        for _ in 0..<5 { #expect(try engine.run(frames: 2000) == 1000) }
        engine.loadNow(track: 1, at: .zero)
        #expect(skips(engine.takeEvents()) == [1, 3])
    }

    /// With a list of such tracks, the engine would change tracks thousands of times a second.
    @Test func tracksShorterThanTwentyMillisecondsCountAsEmpty() throws {
        let engine = makeEngine(
            [
                try track("a.wav", from: 0, frames: 1), try track("b.wav", from: 0, frames: 959),
                try track("c.wav", from: 0, frames: 960), try track("d.wav", from: 0, frames: 2),
            ], repeating: true)
        engine.open(output)
        #expect(engine.loadNow(track: 0, at: .zero) == 2)
        engine.play(gain: 1, over: .zero)
        for _ in 0..<3 { #expect(try engine.run(frames: 2000) == 960) }
        let events = engine.takeEvents()
        #expect(skips(events) == [0, 1, 3])
        #expect(events.count { $0 == .trackAdvanced(to: 2) } == 3)
        #expect(makeEngine([folder.path("a.wav")], repeating: true).loadNow(track: 0, at: .zero) == nil)
    }

    /// In files on a memory card, bits occasionally flip.
    @Test func damagedFrameIsSilentAndReportedOnceAndTheRestIsInItsPlace() throws {
        try folder.encode(counter(frames: 100_000, from: 1), to: "whole.flac", .flac24)
        var bytes = try folder.bytes(of: "whole.flac")
        bytes[bytes.count / 3] ^= 0x10
        let engine = makeEngine([try folder.write(bytes, to: "bit.flac")])
        engine.open(output)
        engine.loadNow(track: 0, at: .zero)
        engine.play(gain: 1, over: .zero)
        #expect(try engine.run(frames: 200_000) == 100_000)
        let events = engine.takeEvents()
        #expect(events.count == 2 && skips(events) == [0], "\(events)")
        let heard = numbers(output.samples)
        let silent = heard.indices.filter { heard[$0] == 0 }
        #expect(silent.count == 4096 && silent.last == silent[0] + 4095, "\(silent.count)")
        #expect(heard.enumerated().allSatisfy { $0.element == 0 || $0.element == $0.offset + 1 })
    }

    /// The report about the gap says that the rest is played, so the break must also be reported.
    @Test func breakAfterAGapIsReportedTooAndBothOnce() throws {
        let (path, frames) = try truncatedFlac("cut.flac")
        var bytes = try folder.bytes(of: "cut.flac")
        for place in [4, 2] { bytes[bytes.count / place] ^= 0x10 }
        try folder.write(bytes, to: "cut.flac")
        let engine = makeEngine([path, try track("b.wav", from: 0)], repeating: true)
        engine.open(output)
        engine.loadNow(track: 0, at: .zero)
        engine.play(gain: 1, over: .zero)
        for _ in 0..<3 {
            #expect(try engine.run(frames: 200_000) == frames)
            #expect(try engine.run(frames: 200_000) == 5000)
        }
        let reasons = engine.takeEvents().compactMap { event -> DecoderError.Reason? in
            if case .trackSkipped(0, let error) = event { error.reason } else { nil }
        }
        #expect(reasons == [.gap, .damaged])
    }

    @Test func loadSearchesForwardAndBackward() throws {
        let engine = makeEngine([
            try track("a.wav", from: 0), try text("b.flac"), try text("c.flac"), try track("d.wav", from: 5000),
        ])
        engine.open(output)
        #expect(engine.loadNow(track: 1, at: .milliseconds(50)) == 3)
        #expect(engine.playhead == Playhead(track: 3, frame: 0, rate: 48_000))
        #expect(engine.loadNow(track: 2, at: .milliseconds(50), searching: .backward) == 0)
        #expect(engine.playhead == Playhead(track: 0, frame: 0, rate: 48_000))
        #expect(skips(engine.takeEvents()) == [1, 2])
    }

    @Test func failedLoadChangesNothing() throws {
        let good = try track("a.wav", from: 0)
        let engine = OfflineEngine(
            tracks: [good, try text("b.flac"), try text("c.flac")].map(Track.init),
            successor: { $0 == 1 ? 2 : $0 == 2 ? 1 : nil }, predecessor: { _ in nil })
        engine.open(output)
        engine.loadNow(track: 0, at: .zero)
        engine.play(gain: 1, over: .zero)
        try engine.run(100)
        #expect(engine.loadNow(track: 1, at: .zero) == nil)
        #expect(engine.loadNow(track: 2, at: .zero, searching: .backward) == nil)
        #expect(engine.playhead == Playhead(track: 0, frame: 100, rate: 48_000))
        try engine.run(100)
        #expect(numbers(output.samples) == Array(0..<200))
        #expect(skips(engine.takeEvents()) == [1, 2])
    }

    @Test func musicEndsWhenNoTrackCanFollow() throws {
        let engine = makeEngine([try track("a.wav", from: 0), try text("b.flac"), folder.path("missing.wav")])
        engine.open(output)
        engine.loadNow(track: 0, at: .zero)
        engine.play(gain: 1, over: .zero)
        #expect(try engine.run(frames: 20_000) == 5000)
        #expect(engine.takeEvents().last == .playbackEnded)
    }

    @Test func nextTrackFollowsExactlyWhereATruncatedOneBreaksOff() throws {
        let (path, frames) = try truncatedFlac("cut.flac")
        let engine = makeEngine([path, try track("b.wav", from: 200_000)])
        engine.open(output)
        engine.loadNow(track: 0, at: .zero)
        engine.play(gain: 1, over: .zero)
        #expect(try engine.run(frames: 200_000) == frames)
        let events = engine.takeEvents()
        #expect(skips(events) == [0])
        #expect(events.last == .trackAdvanced(to: 1))
        try engine.run(1000)
        #expect(numbers(output.samples) == Array(0..<frames) + Array(200_000..<201_000))
        // Loading a position before the break succeeds. Loading a position beyond it leads to the next track.
        _ = engine.takeEvents()
        engine.loadNow(track: 0, at: .seconds(2))
        engine.passBoundaries()
        #expect(engine.takeEvents() == [.trackAdvanced(to: 1)])
    }

    @Test func skipsATrackWithoutADecodableFrame() throws {
        try folder.encode(music(frames: 50_000), to: "whole.flac", .flac16)
        let bytes = try folder.bytes(of: "whole.flac")
        let stub = try folder.write(Array(bytes[..<2000]), to: "stub.flac")
        let engine = makeEngine([stub, try track("b.wav", from: 0)])
        #expect(engine.loadNow(track: 0, at: .zero) == 1)
        #expect(skips(engine.takeEvents()) == [0])
    }

    @Test func seekInADeletedTrackAdvancesToTheNext() throws {
        let first = try track("a.wav", from: 0)
        let engine = makeEngine([first, try track("b.wav", from: 5000)])
        engine.open(output)
        engine.loadNow(track: 0, at: .zero)
        engine.play(gain: 1, over: .zero)
        try engine.run(100)
        try FileManager.default.removeItem(atPath: first)
        engine.seek(to: .milliseconds(10))
        let events = engine.takeEvents()
        #expect(skips(events) == [0])
        #expect(events.last == .trackAdvanced(to: 1))
        #expect(engine.playhead == Playhead(track: 1, frame: 0, rate: 48_000))
    }

    @Test func reopeningWithADeletedTrackAdvancesToTheNext() throws {
        let first = try track("a.wav", from: 0)
        let engine = makeEngine([first, try track("b.wav", from: 5000)])
        engine.open(output)
        engine.loadNow(track: 0, at: .zero)
        engine.play(gain: 1, over: .zero)
        try engine.run(100)
        try FileManager.default.removeItem(atPath: first)
        engine.reopen(output)
        #expect(engine.takeEvents().last == .trackAdvanced(to: 1))
        output.samples = []
        try engine.run(10)
        #expect(numbers(output.samples) == Array(5000..<5010))
    }

    @Test func indexOutOfRangeEndsTheMusic() throws {
        let engine = OfflineEngine(
            tracks: [Track(path: try track("a.wav", from: 0))], successor: { $0 + 1 }, predecessor: { $0 - 1 })
        engine.open(output)
        #expect(engine.loadNow(track: 5, at: .zero) == nil)
        engine.loadNow(track: 0, at: .zero)
        engine.play(gain: 1, over: .zero)
        #expect(try engine.run(frames: 20_000) == 5000)
        #expect(engine.takeEvents() == [.playbackEnded])
    }
}

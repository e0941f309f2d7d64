import CPulse
import SoundLab
import Testing

@testable import Playback
@testable import PulseAudio

/// A sound server that appends frames that should replace others. No such server is available, so the client library's
/// function is replaced by one that ignores the position.
@Suite(.serialized) struct AppendingServerTests {
    nonisolated(unsafe) private static var write: Write?

    private typealias Write =
        @convention(c) (
            OpaquePointer?, UnsafeRawPointer?, Int, pa_free_cb_t?, Int64, pa_seek_mode_t
        ) -> Int32

    @Test func aServerThatAppendsGetsAShortQueueAndPlaysEachFrameOnce() throws {
        let library = try #require(UnsafeMutablePointer(mutating: PulseStream.library))
        Self.write = library.pointee.stream_write
        library.pointee.stream_write = { stream, data, bytes, free, _, mode in
            AppendingServerTests.write?(stream, data, bytes, free, 0, mode) ?? -1
        }
        defer { library.pointee.stream_write = Self.write }
        let lab = try EngineLab()
        let recording = try lab.record()
        lab.engine.load(track: 0, at: .zero)
        lab.engine.play(gain: 1, over: .zero)
        let configuration = try lab.wait("opening") { event in
            if case .deviceOpened(let configuration) = event { configuration } else { nil }
        }
        #expect(!configuration.canRewind && configuration.bufferFrames == 9600)
        _ = try lab.waitForEffect()
        for _ in 0..<3 {
            try recording.waitForMore(14_400)
            lab.engine.silence(over: .milliseconds(20))
            try lab.wait(for: .faded)
            try recording.waitForMore(4800)
            lab.engine.play(gain: 1, over: .zero)
            let effect = try lab.waitForEffect()
            #expect(effect.latency < .milliseconds(250), "\(effect.latency)")
        }
        try recording.waitForMore(14_400)
        #expect(lab.underruns == 0)
        lab.engine.stop(within: .seconds(1))
        let runs = NumberedRun.all(in: recording.finish())
        #expect(runs.count == 4 && runs.first?.number == 1)
        for (before, after) in zip(runs, runs.dropFirst()) { #expect(after.number == before.next) }
    }
}

import ALSA
import SoundLab
import Testing

@testable import Playback

/// Positions beyond any track, which a program on the bus may send or an old state may contain.
@Suite struct FarPositionTests {
    @Test(arguments: [Duration.seconds(300 * 31_557_600), .microseconds(Int64.max), .seconds(Int64.max)])
    func playheadBecomesAPositionBeyondTheTrack(position: Duration) throws {
        let folder = try TemporaryFolder()
        let path = try folder.encode(music(frames: 4800), to: "one.wav", .wav16)
        let engine = RealTimeEngine(
            tracks: [Track(path: path)],
            order: TrackOrder(successor: { _ in nil }, next: { _ in nil }, previous: { _ in nil }),
            settings: EngineSettings(PCMAddress("null")))
        engine.load(track: 0, at: position)
        #expect((engine.playhead?.position ?? .zero) > .seconds(365 * 86_400))
        engine.seek(to: position)
        #expect((engine.playhead?.position ?? .zero) > .seconds(365 * 86_400))
        #expect(engine.stop(within: .seconds(10)))
    }
}

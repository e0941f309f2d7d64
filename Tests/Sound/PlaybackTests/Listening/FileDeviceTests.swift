import ALSA
import Foundation
import SoundLab
import Testing

@testable import Playback

/// The bytes that the engine passes to libasound, which are recorded.
@Suite(.serialized) struct FileDeviceTests {
    /// ALSA's null PCM has no clock. The bound holds however slow the machine is.
    @Test func playbackWithoutADeviceIsNoFasterThanWithOne() throws {
        let lab = try EngineLab { $0.address = PCMAddress("null") }
        let start = ContinuousClock.now
        try lab.play()
        try lab.pass("two seconds") { _ in lab.engine.playhead?.position ?? .zero > .seconds(2) }
        #expect(lab.engine.playhead?.position ?? .zero <= ContinuousClock.now - start)
        #expect(lab.engine.stop(within: .seconds(5)))
    }

    @Test func outputEqualsTheMusicBitForBit() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("heard.raw")
        let lab = try EngineLab {
            $0.address = PCMAddress(
                "paper", definedBy: "pcm.paper { type file slave.pcm { type null } file \"\(path)\" format raw }")
        }
        try lab.play()
        try lab.pass("half a second") { _ in (lab.engine.playhead?.frame ?? 0) > 24_000 }
        lab.engine.silence(over: .milliseconds(20))
        try lab.wait(for: .faded)
        lab.engine.play(gain: 1, over: .zero)
        _ = try lab.waitForEffect()
        let frame = try #require(lab.engine.playhead?.frame)
        try lab.pass("another half") { _ in (lab.engine.playhead?.frame ?? 0) > frame + 24_000 }
        #expect(lab.engine.stop(within: .seconds(5)))
        let samples = try Data(contentsOf: URL(fileURLWithPath: path)).withUnsafeBytes { bytes in
            bytes.bindMemory(to: Int32.self).enumerated().compactMap { $0.offset % 2 == 0 ? $0.element : nil }
        }
        let runs = NumberedRun.all(in: samples)
        #expect(runs.count == 2)
        #expect(runs.first?.number == 1)
        guard runs.count == 2 else { return }
        // The first frame of the fade-out is played in full.
        #expect((0...16).contains(runs[0].next - runs[1].number))
    }
}

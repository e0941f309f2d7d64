import ALSA
import Foundation
import SoundLab
import Testing

@testable import Playback

/// Against a real sound server, at whose sink's monitor it is recorded what was heard.
@Suite(.serialized) struct RealTimeEngineTests {
    @Test func nothingIsLostOrRepeatedByInterruptions() throws {
        let lab = try EngineLab()
        let recording = try Recording(lab.server)
        try lab.play()
        for _ in 0..<20 {
            recording.waitForMore(2000)
            lab.engine.silence(over: .milliseconds(20))
            try lab.wait(for: .faded)
            recording.waitForMore(500)
            lab.engine.play(gain: 1, over: .zero)
            _ = try lab.waitForEffect()
        }
        recording.waitForMore(5000)
        lab.engine.stop(within: .seconds(1))
        let samples = recording.finish()
        let runs = NumberedRun.all(in: samples)
        #expect(runs.count == 21)
        #expect(runs.first?.number == 1)
        for (before, after) in zip(runs, runs.dropFirst()) { #expect(after.number == before.next) }
        #expect(lab.underruns == 0)
    }
}

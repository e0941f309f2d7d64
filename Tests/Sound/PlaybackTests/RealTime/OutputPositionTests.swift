import Testing

@testable import Playback

/// The mapping from the frames that the device plays to the frames of the music.
@Suite struct OutputPositionTests {
    private func heard(_ output: OutputPosition, queued: Int) -> Int {
        var status = RenderStatus()
        status.output = output
        status.delay = queued
        status.continueIndex = Int.max
        return status.heardIndex(at: 0, rate: 48_000)
    }

    @Test func musicStandsStillInAGapUntilItContinues() {
        var output = OutputPosition()
        output.passLeadIn(50)
        output.beginRun(at: 1000)
        output.pass(100, taken: 100, from: 1000, isPlaying: true)
        output.pass(30, taken: 0, from: 1100, isPlaying: true)
        // While no music follows the gap, the position is that of the frames before the gap.
        #expect(heard(output, queued: 80) == 1050)
        output.pass(20, taken: 20, from: 1100, isPlaying: true)
        #expect(output.written == 200)
        #expect(heard(output, queued: 5) == 1115)
        output.passGap(10)
        output.pass(20, taken: 20, from: 1120, isPlaying: true)
        #expect(heard(output, queued: 5) == 1135)
    }

    @Test func countsTheFramesOfASilence() {
        var output = OutputPosition()
        output.pass(100, taken: 0, from: 0, isPlaying: false)
        output.pass(50, taken: 0, from: 0, isPlaying: false)
        #expect(output.silentFrames == 150)
        output.pass(1, taken: 1, from: 0, isPlaying: true)
        #expect(output.silentFrames == 0)
    }
}

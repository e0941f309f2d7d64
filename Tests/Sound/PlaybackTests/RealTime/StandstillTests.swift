import Testing

@testable import Playback

@Suite struct StandstillTests {
    private let second = 1_000_000_000

    /// Returns the state of a device that was given up one second after the start, with 1000 frames written and 400 of
    /// them played.
    private func standstill() -> Standstill {
        var status = RenderStatus()
        status.hasSlot = 1
        status.done.buffer = 7
        status.continueIndex = 1000
        status.output.beginRun(at: 0)
        status.output.pass(1000, taken: 1000, from: 0, isPlaying: true)
        status.delay = 600
        status.time = second
        var standstill = Standstill()
        standstill.begin(status, at: second)
        return standstill
    }

    @Test func deviceThatContinuesAndEmptiesItsQueueHasPlayedAllOfIt() {
        var standstill = standstill()
        let left = [600, 600, 300, 0]
        for (turn, frames) in left.enumerated() {
            let continues = standstill.observe(left: frames, limit: 5 * second, at: second + turn)
            #expect(continues)
        }
        #expect(standstill.phase.isDrained)
        // There is also time for the frames between the converter and the loudspeaker to be played.
        #expect(!standstill.isOver(delay: 10, at: second + 13) && standstill.isOver(delay: 10, at: second + 14))
        #expect(standstill.heard(rate: 48_000) == HeardPlayback(slotNumber: 7, index: 1000))
    }

    @Test func deviceThatStopsAgainHasPlayedSome() {
        var standstill = standstill()
        for (frames, time) in [(600, 0), (300, 1), (300, 2), (300, 100_000_002)] {
            let continues = standstill.observe(left: frames, limit: 5 * second, at: second + time)
            #expect(continues)
        }
        #expect(standstill.phase.isDrained)
        #expect(standstill.heard(rate: 48_000) == HeardPlayback(slotNumber: 7, index: 700))
    }

    @Test func deviceThatDoesNotContinueIsLostAfterTheLimit() {
        var standstill = standstill()
        let waits = standstill.observe(left: 600, limit: 5 * second, at: 6 * second)
        let isLost = !standstill.observe(left: 600, limit: 5 * second, at: 6 * second + 1)
        #expect(waits && isLost && !standstill.isFed)
    }
}

import Testing

@testable import ALSA
@testable import Playback

@Suite struct DeviceQueueTests {
    /// Creates a queue at 48 kHz, with periods of 20 ms and a buffer of 2 s.
    private func queue(canRewind: Bool, buffer: Int = 96_960, longest: Duration = .seconds(2)) -> DeviceQueue {
        DeviceQueue(
            .milliseconds(15), longest: longest,
            for: PCMConfiguration(
                format: StreamFormat(rate: 48_000, channels: 2), sampleFormat: .s32, periodFrames: 960,
                bufferFrames: buffer, card: 0, canRewind: canRewind))
    }

    @Test func growsInStepsAndStartsAgainAfterAnOrder() {
        var queue = queue(canRewind: true)
        var targets: [Int] = []
        for _ in 0..<5 {
            targets.append(queue.target)
            queue.advance()
            // The queue is refilled only when it runs low, so that orders in quick succession waste few frames.
            #expect(queue.low == targets.last.map { $0 / 4 })
        }
        #expect(targets == [12_000, 24_000, 48_000, 96_000, 96_000])
        queue.restart()
        #expect(queue.target == 12_000)
    }

    @Test func longestQueueIsRefilledWhenHalfASecondIsLeft() {
        var queue = queue(canRewind: true, buffer: 106_560, longest: .milliseconds(2200))
        for _ in 0..<6 { queue.advance() }
        #expect(queue.target == 105_600 && queue.low == 24_000)
        queue.frames = queue.target
        #expect(queue.pause(at: 0) == 1_700_000_000)
    }

    @Test func isNoLongerThanTheBufferOrTheSetting() {
        var small = queue(canRewind: true, buffer: 16_000)
        for _ in 0..<5 { small.advance() }
        #expect(small.target == 16_000 - 960)
        var set = queue(canRewind: true, longest: .milliseconds(400))
        for _ in 0..<5 { set.advance() }
        #expect(set.target == 19_200)
    }

    @Test func staysShortIfTheDeviceCannotRewind() {
        var queue = queue(canRewind: false)
        #expect(queue.isShort && queue.target == queue.short.target)
        queue.advance()
        #expect(queue.target == queue.short.target && queue.low == queue.short.low)
    }

    /// If a check comes before the device has consumed anything, it is repeated soon, so that the next ones closely
    /// follow the device.
    @Test func shortQueueIsRefilledJustAfterTheDeviceHasTakenAPeriod() {
        var queue = queue(canRewind: false)
        let period = 20_000_000
        var (now, looks, early, lag) = (0, 0, 0, 0)
        var taken = 0
        while now < 1000 * period {
            let isEarly = now / period == taken
            if isEarly {
                early += 1
            } else {
                lag = max(lag, looks > 200 ? now % period : 0)
                taken = now / period
            }
            looks += 1
            now += queue.pause(isEarly: isEarly)
        }
        #expect(taken == 999)
        #expect(lag <= 3_500_000 && early < 100, "\(lag) \(early)")
    }

    @Test func growsAfterAnUnderrunUnlessTheDeviceStoodStill() {
        var queue = queue(canRewind: false)
        let second = 1_000_000_000
        let before = queue.target
        // The buffer lasts two seconds. A device that consumed nothing for longer than that catches up for as long.
        queue.underrun(at: 10 * second, written: 7 * second)
        queue.underrun(at: 11 * second, written: 11 * second)
        #expect(queue.target == before)
        queue.underrun(at: 13 * second, written: 13 * second)
        #expect(queue.target > before)
    }

    @Test func pausesUntilTheQueueIsLow() {
        var queue = queue(canRewind: true)
        queue.advance()
        queue.advance()
        queue.frames = 24_000
        #expect(queue.pause(at: 0) == 375_000_000)
        // The next frames can be rendered only shortly before they are played.
        queue.isHeldBack = true
        #expect(queue.pause(at: 0) == (24_000 - queue.short.low) * 1_000_000 / 48)
        queue.frames = 0
        #expect(queue.pause(at: 0) == 1_000_000)
    }
}

import Testing

@testable import ALSA
@testable import Playback

@Suite struct ShortQueueTests {
    /// A configuration with 48 kHz, periods of 3 ms and a buffer of 200 ms.
    private let configuration = PCMConfiguration(
        format: StreamFormat(rate: 48_000, channels: 2), sampleFormat: .s32, periodFrames: 144, bufferFrames: 9600,
        card: nil)

    private func queue(_ milliseconds: Int = 15, isStarting: Bool = false) -> ShortQueue {
        ShortQueue(.milliseconds(milliseconds), for: configuration, isStarting: isStarting)
    }

    @Test func growsByHalfAtEachUnderrunUpToTheBuffer() {
        var queue = queue()
        #expect(queue.target == 720)
        queue.grow()
        #expect(queue.target == 1080)
        for _ in 0..<20 { queue.grow() }
        #expect(queue.target == 9600 - 144)
    }

    /// A longer queue would leave a live input without a chance to send its frames in time.
    @Test func queueOfADeviceThatCanRewindIsNeverTooLongForALiveInput() {
        let configuration = PCMConfiguration(
            format: StreamFormat(rate: 48_000, channels: 2), sampleFormat: .s32, periodFrames: 480,
            bufferFrames: 96_000, card: nil, canRewind: true)
        var queue = ShortQueue(.milliseconds(30), for: configuration)
        for _ in 0..<20 { queue.grow() }
        #expect(queue.target == 9600)
        let buffer = LiveBuffer(format: configuration.format, latency: .zero, at: 0)
        #expect(queue.target + 960 < buffer.room)
    }

    @Test func shrinksAfterATimeWithoutUnderrunsThatEachUnderrunDoubles() {
        var queue = queue()
        queue.grow()
        queue.pass(119 * 48_000)
        #expect(queue.target == 1080)
        queue.pass(48_000)
        #expect(queue.target == 720)
        queue.grow()
        queue.pass(239 * 48_000)
        #expect(queue.target == 1080)
        queue.pass(48_000)
        #expect(queue.target == 720)
    }

    @Test func isTwiceAsLongForTwoSecondsAfterTheStart() {
        var queue = queue(isStarting: true)
        #expect(queue.target == 1440)
        queue.pass(48_000)
        #expect(queue.target == 1440)
        queue.pass(48_000)
        #expect(queue.target == 720)
        queue.pass(48_000)
        #expect(queue.target == 720)
    }

    @Test func forgetsUnderrunsDuringTheStart() {
        var queue = queue(isStarting: true)
        queue.grow()
        #expect(queue.target == 2160)
        queue.pass(2 * 48_000)
        #expect(queue.target == 720)
        // The time until a later queue shrinks is also the initial one.
        queue.grow()
        queue.pass(120 * 48_000)
        #expect(queue.target == 720)
    }

    @Test func shrinksLittleByLittleSoThatSomethingIsWrittenInEachPeriod() {
        var queue = queue(isStarting: true)
        queue.pass(2 * 48_000 - 144)
        #expect(queue.target == 1440)
        for step in 1...80 {
            queue.pass(144)
            #expect(queue.target == 1440 - 9 * step)
        }
        queue.pass(144)
        #expect(queue.target == 720)
    }

    @Test func lengthIsLimitedByTheBufferAndByThePeriod() {
        #expect(queue(5000, isStarting: true).target == 9600 - 144)
        // The length is a period and a half.
        #expect(queue(1).target == 216)
    }
}

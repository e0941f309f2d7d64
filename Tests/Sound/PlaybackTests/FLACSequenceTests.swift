import ALSA
import Testing

@testable import Playback

/// The handling of the blocks that libFLAC delivers.
@Suite struct FLACSequenceTests {
    private static let stereo = StreamFormat(rate: 48_000, channels: 2)
    private static let mono = StreamFormat(rate: 48_000, channels: 1)

    /// A file of ten blocks of 1000 samples.
    private struct Run {
        var sequence = FLACSequence(size: 1 << 20)
        var source: [UInt8] = []

        init() { sequence.head.info = FLACSequence.Info(format: stereo, total: 10_000, numbered: 1000) }

        /// Delivers a block in a separate step, unless it continues another one.
        mutating func take(
            _ first: Int, format: StreamFormat = stereo, rest: Int = 0, isSilent: Bool = false, continues: Bool = false
        ) -> FLACSequence.Verdict {
            if !continues { sequence.beginStep() }
            let block = FLACSequence.Block(format: format, first: first, count: 1000, rest: rest)
            return sequence.take(block, isSilent: isSilent, in: source)
        }
    }

    @Test func blocksInTheirPlacesArePlayed() {
        var run = Run()
        for first in stride(from: 0, to: 10_000, by: 1000) {
            #expect(!run.sequence.isComplete)
            #expect(run.take(first) == .play(after: 0))
        }
        #expect(run.sequence.isComplete && run.sequence.origin == 0 && run.sequence.takeGap() == nil)
    }

    @Test(arguments: [nil, "a frame is damaged"]) func missingBlocksAreSilent(words: String?) {
        var run = Run()
        #expect(run.take(0) == .play(after: 0))
        run.sequence.fault.words = words
        #expect(run.take(3000) == .play(after: 2000))
        let gap = FLACSequence.Gap(number: 1000, words: words ?? "frames are missing", silence: 2000)
        #expect(run.sequence.takeGap() == gap)
        #expect(run.sequence.takeGap() == nil)
    }

    @Test func blockWithAWrongChecksumIsLeftOutIfItIsSilent() {
        var run = Run()
        #expect(run.take(0) == .play(after: 0))
        run.sequence.fault.isDelivered = true
        #expect(run.take(7000, isSilent: true) == .leaveOut(all: false))
        #expect(run.take(1000) == .play(after: 0))
    }

    @Test func repeatedBlockIsLeftOut() {
        var run = Run()
        for first in [0, 1000] { #expect(run.take(first) == .play(after: 0)) }
        #expect(run.take(0) == .leaveOut(all: false) && run.sequence.hasJustMisplaced)
        #expect(run.take(1000) == .leaveOut(all: false) && !run.sequence.hasJustMisplaced)
        #expect(run.take(2000) == .play(after: 0) && !run.sequence.hasMisplaced)
        #expect(run.sequence.takeGap()?.words == "a frame is not in its place")
    }

    @Test func blockBeyondTheEndIsLeftOut() {
        var run = Run()
        #expect(run.take(0) == .play(after: 0))
        #expect(run.take(9500) == .leaveOut(all: false))
        #expect(run.take(9000) == .play(after: 8000))
    }

    /// Silence takes the place of the first frames only if the damage is long enough.
    @Test func fileBeginsWithItsFirstBlockUnlessThatIsDamaged() {
        var part = Run()
        #expect(part.take(5000) == .play(after: 0) && part.sequence.origin == 5000)
        for (rest, silence) in [(8000, 5000), (10, 0)] {
            var damaged = Run()
            damaged.sequence.fault.words = "a frame is damaged"
            #expect(damaged.take(5000, rest: rest) == .play(after: silence))
            #expect(damaged.sequence.origin == 5000 - silence)
        }
    }

    @Test func changeOfTheFormatEndsTheSoundUntilItMoves() {
        var run = Run()
        #expect(run.take(0) == .play(after: 0))
        #expect(run.take(1000, format: Self.mono) == .leaveOut(all: false))
        #expect(run.sequence.end == .change(to: Self.mono))
        #expect(run.take(1000) == .leaveOut(all: false))
        run.sequence.move()
        #expect(run.take(4000) == .play(after: 0) && run.sequence.end == nil)
    }

    /// The blocks that libFLAC inserts before the damaged one are ignored.
    @Test func blockAfterAFilledGapIsDeliveredAgainAndItsGapCountsOnce() {
        for isRepeated in [true, false] {
            var run = Run()
            #expect(run.take(0) == .play(after: 0) && !run.sequence.hasFilledGap)
            #expect(run.take(1000) == .play(after: 0))
            #expect(run.take(3000, continues: true) == .play(after: 2000) && run.sequence.hasFilledGap)
            run.sequence.beginRepetition()
            if isRepeated {
                #expect(run.take(3000, continues: true) == .play(after: 0))
                run.sequence.endRepetition()
            } else {
                run.sequence.endRepetition()
                run.sequence.omit(3000, count: 1000)
            }
            #expect(run.take(4000) == .play(after: 0))
            #expect(run.sequence.takeGap()?.silence == (isRepeated ? 2000 : 3000))
        }
    }

    @Test func blockOfAnotherFileIsLeftOutIfTheRestFollows() {
        for follows in [true, false] {
            var run = Run()
            #expect(run.take(0) == .play(after: 0))
            run.source = follows ? Self.header(number: 1) : []
            #expect(run.take(8000) == (follows ? .leaveOut(all: false) : .play(after: 7000)))
            guard follows else { continue }
            #expect(run.take(1000) == .play(after: 0))
            #expect(run.sequence.takeGap()?.words == "a frame is not in its place")
        }
    }

    /// Returns the header of a frame of 1000 samples in stereo.
    private static func header(number: UInt8) -> [UInt8] {
        let bytes: [UInt8] = [0xff, 0xf8, 0x70, 0x18, number, 0x03, 0xe7]
        let sum = bytes.reduce(UInt8(0)) { sum, byte in
            (0..<8).reduce(sum ^ byte) { sum, _ in sum & 0x80 != 0 ? sum << 1 ^ 7 : sum << 1 }
        }
        return bytes + [sum]
    }
}

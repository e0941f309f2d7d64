import Testing

@testable import Playback

/// The handling of the frames that libmpg123 finds.
@Suite struct MPEGSequenceTests {
    private static let length = 417
    /// A Layer III frame at 128 kbit/s and 44.1 kHz. `foreign` is a frame of 384 bytes at 48 kHz.
    private static let own = [0xff, 0xfb, 0x90, 0] + [UInt8](repeating: 0, count: length - 4)
    private static let foreign = [0xff, 0xfb, 0x94, 0] + [UInt8](repeating: 0, count: 380)
    private static let row = (0..<10).flatMap { _ in own }

    /// A file that begins with ten frames, all of which have been delivered.
    private struct Run {
        var sequence: MPEGSequence
        let bytes: [UInt8]

        init(_ rest: [UInt8]) throws {
            bytes = row + rest
            let outline = try #require(MPEGOutline(bytes, size: bytes.count, mustBeginAtOnce: true))
            sequence = MPEGSequence(outline, size: bytes.count)
            for place in 0..<10 { #expect(take(place * length) == .play(after: 0, words: nil)) }
        }

        mutating func take(_ place: Int, length: Int = MPEGSequenceTests.length) -> MPEGSequence.Verdict {
            sequence.take(place..<place + length, in: bytes)
        }

        mutating func noteRate(isForeign: Bool, at place: Int) -> Bool {
            sequence.noteRate(isForeign: isForeign, at: place, in: bytes)
        }
    }

    @Test func bytesThatAreNotFramesAreSilentForTheirDuration() throws {
        let gap = [UInt8](repeating: 0x55, count: 3 * Self.length)
        var run = try Run(gap + Self.row)
        let words = "1251 bytes are not MPEG frames: 3456 frames are silent"
        #expect(run.take(13 * Self.length) == .play(after: 3 * 1152, words: words))
        #expect(run.take(14 * Self.length) == .play(after: 0, words: nil))
        // When frames are delivered again after a seek, the gap is as long as before.
        run.sequence.move()
        #expect(run.take(9 * Self.length) == .play(after: 0, words: nil))
        #expect(run.take(13 * Self.length) == .play(after: 3 * 1152, words: words))
        #expect(run.sequence.gaps.place(of: 13 * 1152).found == 10 * 1152)
    }

    @Test func tagBetweenFramesIsNotAGap() throws {
        let tag = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
        var run = try Run(tag + Self.row)
        #expect(run.take(10 * Self.length + 128) == .play(after: 0, words: nil))
    }

    @Test func bytesThatOnlyLookLikeAFrameAreLeftOut() throws {
        let noise = [UInt8](repeating: 0x55, count: 1000)
        var run = try Run(joined(noise, Array(Self.own[..<4]), noise, Self.row))
        #expect(run.take(10 * Self.length + 1000) == .leaveOut)
    }

    @Test func framesOfAnotherRateAreSilentIfTheFileContinuesInItsOwn() throws {
        let strays = (0..<10).flatMap { _ in Self.foreign }
        for continues in [true, false] {
            var run = try Run(strays + (continues ? Self.row : []))
            let start = 10 * Self.length
            #expect(run.noteRate(isForeign: true, at: start) == !continues)
            guard continues else { continue }
            for index in 0..<10 {
                #expect(run.noteRate(isForeign: true, at: start + index * 384) == false)
                #expect(run.take(start + index * 384, length: 384) == .leaveOut)
            }
            #expect(run.noteRate(isForeign: false, at: start + 3840) == false)
            let words = "10 MPEG frames of another rate are silent"
            #expect(run.take(start + 3840) == .play(after: 10 * 1152, words: words))
        }
    }
}

import Foundation
import Testing

@testable import ALSA

@Suite struct LiveFormatTests {
    @Test(arguments: ["s16le:44100:2", "s24le:8000:1", "s24_3le:192000:8", "s32le:48000:6", "f32le:96000:2"])
    func readsAFormatAndWritesItBack(text: String) throws {
        #expect(try LiveFormat(text).description == text)
    }

    @Test func determinesTheSizeOfAFrame() throws {
        #expect(try LiveFormat("s24_3le:44100:2").bytesPerFrame == 6)
        #expect(LiveFormat.usual.bytesPerFrame == 4 && LiveFormat.usual.description == "s16le:44100:2")
    }

    @Test(arguments: [
        ("", LiveFormatError.Problem.parts), ("s16le", .parts), ("s16le:44100", .parts), ("s16le:44100:2:", .parts),
        ("s16be:44100:2", .samples), ("S16LE:44100:2", .samples), (":44100:2", .samples), ("s16le:7999:2", .rate),
        ("s16le:192001:2", .rate), ("s16le:-44100:2", .rate), ("s16le:+44100:2", .rate), ("s16le:44100.0:2", .rate),
        ("s16le::2", .rate), ("s16le:99999999999999999999:2", .rate), ("s16le:44100:0", .channels),
        ("s16le:44100:9", .channels), ("s16le:44100:2 ", .channels), ("s16le:44100:٢", .channels),
    ])
    func rejectsEverythingElse(text: String, problem: LiveFormatError.Problem) {
        do throws(LiveFormatError) {
            _ = try LiveFormat(text)
            Issue.record("‘\(text)’ is accepted")
        } catch {
            #expect(error.problem == problem)
            #expect(error.description.contains("s16le:44100:2"))
        }
    }

    @Test func decodesEverySampleFormatExactly() {
        func decode(_ bytes: [UInt8], _ format: SampleFormat) -> [Float] {
            let count = bytes.count / format.bytesPerSample
            var samples = [Float](repeating: .nan, count: count)
            format.decode(bytes, to: &samples, count: count)
            return samples
        }
        #expect(decode([0, 0x40, 0, 0x80, 0xFF, 0xFF], .s16) == [0.5, -1, -0x1p-15])
        let least: Float = 0x1p-23
        #expect(decode([1, 0, 0x40, 0, 0, 0x80, 0xFF, 0xFF, 0xFF], .s24Packed) == [0.5 + least, -1, -least])
        // The upper byte is undefined.
        #expect(decode([0, 0, 0x40, 0x77, 0, 0, 0x80, 0], .s24) == [0.5, -1])
        #expect(decode([0, 0, 0, 0x40, 0, 0, 0, 0x80], .s32) == [0.5, -1])
        let strange: [Float] = [0.25, 1.5, .nan, .infinity, -.infinity]
        let bytes = strange.flatMap { (sample: Float) -> [UInt8] in withUnsafeBytes(of: sample) { Array($0) } }
        #expect(decode(bytes, .float) == [0.25, 1.5, 0, 16, -16])
    }
}

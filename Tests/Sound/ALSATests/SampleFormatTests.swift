import Testing

@testable import ALSA

@Suite struct SampleFormatTests {
    private func encode(_ samples: [Float], as format: SampleFormat) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xaa, count: samples.count * format.bytesPerSample)
        format.encode(samples, to: &bytes, count: samples.count)
        return bytes
    }

    @Test(arguments: [
        (SampleFormat.s32, [0, 0, 0, 0x40] as [UInt8]), (.s24, [0, 0, 0x40, 0]), (.s24Packed, [0, 0, 0x40]),
        (.float, [0, 0, 0, 0x3f]), (.s16, [0, 0x40]),
    ])
    func encodesOneHalfInEveryFormat(format: SampleFormat, bytes: [UInt8]) {
        #expect(encode([0.5], as: format) == bytes)
    }

    @Test(arguments: [
        (SampleFormat.s32, [0xff, 0xff, 0xff, 0x7f] as [UInt8], [0, 0, 0, 0x80] as [UInt8]),
        (.s24, [0xff, 0xff, 0x7f, 0], [0, 0, 0x80, 0xff]), (.s24Packed, [0xff, 0xff, 0x7f], [0, 0, 0x80]),
        (.float, [0, 0, 0x80, 0x3f], [0, 0, 0x80, 0xbf]), (.s16, [0xff, 0x7f], [0, 0x80]),
    ])
    func clampsSamplesBeyondFullScale(format: SampleFormat, most: [UInt8], least: [UInt8]) {
        #expect(encode([1.5], as: format) == most)
        #expect(encode([-1.5], as: format) == least)
        #expect(encode([.nan], as: format) == [UInt8](repeating: 0, count: format.bytesPerSample))
    }

    @Test(arguments: SampleFormat.allCases) func decodesWhatItEncodes(format: SampleFormat) {
        let largest = Int32(1) << Int32(format.bits - 1) - 1
        let samples: [Int32] = [0, 1, -1, 1234, -1234, largest, -largest - 1]
        let scale = Float(Int32(1) << Int32(format.bits - 1))
        let bytes = encode(samples.map { Float($0) / scale }, as: format)
        var decoded = [Int32](repeating: 0, count: samples.count)
        format.decode(bytes, to: &decoded, count: samples.count)
        #expect(decoded == samples)
    }

    @Test func roundsToTheNearest16BitSample() {
        // Swift 6.0 needs the type annotation.
        let samples: [Float] = [1.4 / 32768, 1.6 / 32768, -1.6 / 32768]
        #expect(encode(samples, as: .s16) == [1, 0, 2, 0, 0xfe, 0xff])
    }
}

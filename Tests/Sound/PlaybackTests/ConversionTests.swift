import ALSA
import Foundation
import Testing

@testable import Playback

@Suite struct ConversionTests {
    @Test func conversionTo32BitsIsExactAndClamps() {
        let strange = Float(nan: 7, signaling: false)
        let input: [Float] = [
            0, 1, -1, 1.5, -7, .infinity, -.infinity, .nan, strange, 0.5, -0x1p-23, 0x1p-31, 1 - 0x1p-24,
        ]
        var output = [Int32](repeating: 99, count: input.count)
        SampleFormat.s32.encode(input, to: &output, count: input.count)
        #expect(
            output == [0, .max, .min, .max, .min, .max, .min, 0, 0, 1 << 30, -256, 1, Int32.max - 127])
    }

    @Test func conversionTo32BitsPreserves24BitSamples() {
        let values = stride(from: Int32(-8_388_608), to: 8_388_608, by: 61).map { $0 }
        var output = [Int32](repeating: 0, count: values.count)
        SampleFormat.s32.encode(values.map { Float($0) / 8_388_608 }, to: &output, count: values.count)
        #expect(output == values.map { $0 << 8 })
    }

    private func map(_ frames: [Float], _ map: ChannelMap) -> [Float] {
        let count = frames.count / map.inputs
        var output = [Float](repeating: .nan, count: count * map.outputs)
        map.map(frames, into: &output, frames: count)
        return output
    }

    @Test func mapsMonoAndStereo() {
        #expect(map([0.1, 0.2], ChannelMap(from: 1, to: 2)) == [0.1, 0.1, 0.2, 0.2])
        #expect(map([0.5], ChannelMap(from: 1, to: 4)) == [0.5, 0.5, 0.5, 0.5])
        #expect(map([0.5, 0.25, 1, 1], ChannelMap(from: 2, to: 1)) == [0.375, 1])
        #expect(map([0.5, 0.25], ChannelMap(from: 2, to: 4)) == [0.5, 0.25, 0, 0])
        #expect(ChannelMap(from: 2, to: 2).isIdentity)
        #expect(map([1, 2, 3, 4], ChannelMap(from: 2, to: 2)) == [1, 2, 3, 4])
    }

    @Test func mixesSurroundDownAsITUSpecifies() {
        let half = Float(0.5).squareRoot()
        let scale = 1 / (1 + 2 * half)
        let wave = ChannelMap(from: 6, to: 2)
        for (channel, shares) in [(1, 0), (0, 1), (half, half), (0, 0), (half, 0), (0, half)].enumerated() {
            let frame = (0..<6).map { $0 == channel ? Float(1) : 0 }
            let output = map(frame, wave)
            #expect(abs(output[0] - shares.0 * scale) < 1e-6 && abs(output[1] - shares.1 * scale) < 1e-6)
        }
        // In Vorbis, the centre is second and the low frequencies are last.
        #expect(map([0, 1, 0, 0, 0, 0], ChannelMap(from: 6, order: .vorbis, to: 2))[0] > 0.2)
        #expect(map([0, 0, 0, 0, 0, 1], ChannelMap(from: 6, order: .vorbis, to: 2)) == [0, 0])
    }

    @Test(arguments: [ChannelOrder.wave, .vorbis], Array(2...12))
    func downmixNeverClips(order: ChannelOrder, channels: Int) {
        for outputs in 1...3 where outputs != channels {
            let frame = [Float](repeating: 1, count: channels)
            #expect(map(frame, ChannelMap(from: channels, order: order, to: outputs)).allSatisfy { $0 <= 1.000_001 })
        }
    }

    @Test(arguments: [(44_100, 48_000), (48_000, 44_100), (96_000, 48_000), (11_025, 48_000), (44_100, 44_101)])
    func resamplerPreservesTimeAndLength(_ rates: (Int, Int)) throws {
        let (from, to) = rates
        let frames = 30_011
        let frequency = 0.3 * Double(min(from, to))
        let resampler = try Resampler(from: from, to: to, channels: 1)
        let input = (0..<frames).map { Float(sin(2 * .pi * frequency * Double($0) / Double(from))) }
        var output: [Float] = []
        var block = [Float](repeating: 0, count: 777)
        var done = 0
        while done < frames {
            let count = min(1000, frames - done)
            let progress = try resampler.process(
                Array(input[done..<done + count]), frames: count, into: &block, frames: 777)
            done += progress.consumed
            output += block[..<progress.produced]
        }
        while case let count = try resampler.flush(into: &block, frames: 777), count > 0 { output += block[..<count] }
        #expect(output.count == Int((Double(frames) * Double(to) / Double(from)).rounded()))
        // Both ends are ignored, because the tone starts and stops abruptly there.
        let worst = (output.count / 4..<output.count * 3 / 4).map {
            abs(Double(output[$0]) - sin(2 * .pi * frequency * Double($0) / Double(to)))
        }.max()
        #expect((worst ?? 1) < 1e-5)
    }

    /// As the documentation of `Resampler` states, nothing changes within the band, and frequencies that the new rate
    /// cannot represent are removed.
    @Test func resamplerKeepsTheBandAndSuppressesTheRest() throws {
        for (from, to) in [(44_100, 48_000), (48_000, 44_100)] {
            for frequency in [100.0, 1000, 10_000, 20_000] {
                let (level, rest) = try spectrum(of: frequency, from, to)
                #expect(abs(level) < 0.01 && rest < -130, "\(frequency) Hz: \(level) dB, \(rest) dB")
            }
        }
        for frequency in [22_100.0, 23_000, 23_900] {
            let (level, rest) = try spectrum(of: frequency, 48_000, 44_100)
            #expect(level < -130 && rest < -130, "\(frequency) Hz: \(level) dB, \(rest) dB")
        }
    }

    /// - Returns: the level of a full-scale tone after its conversion, and the level of everything else, in dB.
    private func spectrum(of frequency: Double, _ from: Int, _ to: Int) throws -> (level: Double, rest: Double) {
        let input = (0..<from).map { Float(sin(2 * .pi * frequency * Double($0) / Double(from))) }
        let resampler = try Resampler(from: from, to: to, channels: 1)
        var output = [Float](repeating: 0, count: to + 1)
        let progress = try resampler.process(input, frames: from, into: &output, frames: to)
        try #require(progress.consumed == from)
        let ready = progress.produced
        let rest = try output.withUnsafeMutableBufferPointer { buffer in
            try resampler.flush(into: try #require(buffer.baseAddress) + ready, frames: buffer.count - ready)
        }
        try #require(ready + rest > to * 3 / 4)
        // Half a second is a whole number of periods of each even frequency, so that sine and cosine are independent.
        let middle = output[to / 4..<to / 4 + to / 2].map(Double.init)
        let waves = middle.indices.map { 2 * .pi * frequency * Double($0) / Double(to) }
        let scale = 2 / Double(middle.count)
        let sine = zip(middle, waves).reduce(0) { $0 + $1.0 * sin($1.1) } * scale
        let cosine = zip(middle, waves).reduce(0) { $0 + $1.0 * cos($1.1) } * scale
        let power = zip(middle, waves).reduce(0) { sum, pair in
            let difference = pair.0 - sine * sin(pair.1) - cosine * cos(pair.1)
            return sum + difference * difference
        }
        return (10 * log10(sine * sine + cosine * cosine), 10 * log10(power * scale))
    }

    @Test func convertsBetweenDurationsAndFrames() {
        for rate in [8000, 11_025, 44_100, 44_101, 48_000, 192_000] {
            for frame in [0, 1, 2, 44_099, 44_100, 1_234_567, 10_000_000_019] {
                #expect(Duration(frames: frame, rate: rate).frames(atRate: rate) == frame)
            }
        }
        #expect(Duration.milliseconds(20).frames(atRate: 44_100) == 882)
        #expect(Duration.seconds(-3).frames(atRate: 48_000) == 0)
        #expect(Duration.seconds(Int64.max / 2).frames(atRate: 48_000) == 48_000_000_000_000)
        #expect(Playhead(track: 0, frame: 1, rate: 44_100).position == .nanoseconds(22_676))
    }
}

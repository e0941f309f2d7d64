import Foundation
import Testing

@testable import Playback

@Suite struct AdaptiveResamplerTests {
    /// Converts a mono signal in blocks of 10 ms, and calls `change` before each of them.
    private func convert(
        _ input: [Float], with resampler: AdaptiveResampler, _ change: (Int) throws -> Void = { _ in }
    ) throws -> [Float] {
        var output: [Float] = []
        var block = [Float](repeating: 0, count: 20_000)
        var done = 0
        var number = 0
        while done < input.count {
            try change(number)
            number += 1
            let count = min(resampler.inputRate / 100, input.count - done)
            let progress = try resampler.process(
                Array(input[done..<done + count]), frames: count, into: &block, frames: block.count)
            done += progress.consumed
            output += block[..<progress.produced]
        }
        return output
    }

    private func tone(_ frequency: Double, rate: Int, seconds: Double = 2) -> [Float] {
        (0..<Int(Double(rate) * seconds)).map { Float(0.9 * sin(2 * .pi * frequency * Double($0) / Double(rate))) }
    }

    /// Returns the level of a tone in a signal, as a factor, and the level of everything else below it in decibels.
    private func measure(_ signal: ArraySlice<Float>, frequency: Double) -> (level: Double, noise: Double) {
        var (ss, sc, cc, ys, yc) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for index in signal.indices {
            let (s, c) = (sin(frequency * Double(index)), cos(frequency * Double(index)))
            ss += s * s
            sc += s * c
            cc += c * c
            ys += Double(signal[index]) * s
            yc += Double(signal[index]) * c
        }
        let determinant = ss * cc - sc * sc
        let (a, b) = ((ys * cc - yc * sc) / determinant, (yc * ss - ys * sc) / determinant)
        var (rest, whole) = (0.0, 0.0)
        for index in signal.indices {
            let model = a * sin(frequency * Double(index)) + b * cos(frequency * Double(index))
            rest += (Double(signal[index]) - model) * (Double(signal[index]) - model)
            whole += model * model
        }
        return ((a * a + b * b).squareRoot() / 0.9, 10 * log10(whole / rest))
    }

    @Test(arguments: [(44_100, 48_000), (48_000, 48_000), (48_000, 44_100), (8000, 48_000), (192_000, 48_000)])
    func addsNothingAudibleToATone(from: Int, to: Int) throws {
        for share in [0.02, 0.2, 0.4] {
            let frequency = share * Double(min(from, to))
            let resampler = try AdaptiveResampler(from: from, to: to, channels: 1)
            try resampler.change(to: 300e-6, over: 1)
            let output = try convert(tone(frequency, rate: from), with: resampler)
            let period = 2 * .pi * frequency / Double(to) * (1 + 300e-6)
            let result = measure(output[4000..<output.count - 500], frequency: period)
            #expect(abs(20 * log10(result.level)) < 0.1)
            #expect(result.noise > 90, "\(from) Hz to \(to) Hz, \(frequency) Hz: \(result.noise) dB")
        }
    }

    @Test func removesWhatTheNewRateCannotRepresent() throws {
        let resampler = try AdaptiveResampler(from: 96_000, to: 44_100, channels: 1)
        let output = try convert(tone(30_000, rate: 96_000), with: resampler)
        #expect(output[4000...].allSatisfy { abs($0) < 1e-4 })
    }

    @Test func changesTheSpeedWithoutAStep() throws {
        // The second difference of a sine is its frequency squared, so a step in the signal or in its slope is far
        // above it.
        let resampler = try AdaptiveResampler(from: 44_100, to: 48_000, channels: 1)
        let output = try convert(tone(440, rate: 44_100), with: resampler) { number in
            try resampler.change(to: number % 2 == 0 ? 450e-6 : -450e-6, over: 480)
        }
        let step = 2 * Double.pi * 440 / 48_000
        let expected = 0.9 * step * step
        for index in 4000..<output.count - 2 {
            let curvature = Double(output[index + 2]) - 2 * Double(output[index + 1]) + Double(output[index])
            #expect(abs(curvature) < expected * 1.05)
            if abs(curvature) >= expected * 1.05 { break }
        }
    }

    @Test func countsTheFramesThatItHoldsBack() throws {
        let resampler = try AdaptiveResampler(from: 44_100, to: 48_000, channels: 1)
        var most = 0.0
        let output = try convert(tone(440, rate: 44_100, seconds: 10), with: resampler) { number in
            most = max(most, resampler.pending)
            try resampler.change(to: number < 500 ? 400e-6 : 100e-6, over: 480)
        }
        let expected: Double = 240_000 / (1 + 400e-6) + 240_000 / (1 + 100e-6)
        #expect(abs(Double(output.count) + resampler.pending - expected) < 1)
        // It holds back less than 10 ms.
        #expect(most < 480 && resampler.pending >= 0)
    }

    @Test func keepsChannelsApart() throws {
        let resampler = try AdaptiveResampler(from: 44_100, to: 48_000, channels: 2)
        let input = tone(1000, rate: 44_100, seconds: 1).flatMap { (sample: Float) -> [Float] in [sample, 0] }
        var output = [Float](repeating: 0, count: 120_000)
        let progress = try resampler.process(input, frames: input.count / 2, into: &output, frames: 60_000)
        let frames = 0..<progress.produced
        #expect(progress.consumed == input.count / 2 && progress.produced > 47_000)
        #expect(frames.allSatisfy { output[2 * $0 + 1] == 0 } && frames.contains { output[2 * $0] > 0.85 })
    }

    @Test func rejectsImpossibleRates() {
        #expect(throws: ResamplerError.self) { try AdaptiveResampler(from: 0, to: 48_000, channels: 2) }
    }
}

import Foundation
import SoundLab
import Testing

@testable import Playback

/// The limiter. The sum of music and sound must never exceed full scale, and must hardly be distorted.
@Suite struct LimiterTests {
    private func limited(_ samples: [Float], channels: Int = 1, lowers: Bool = true) -> [Float] {
        var limiter = Limiter(rate: 48_000)
        var samples = samples
        limiter.apply(to: &samples, frames: samples.count / channels, channels: channels, lowers: lowers)
        return samples
    }

    private func sine(_ frequency: Double, _ level: Double, frames: Int = 48_000) -> [Float] {
        (0..<frames).map { Float(level * sin(2 * .pi * frequency * Double($0) / 48_000)) }
    }

    @Test func sumBelowFullScaleIsUnchanged() {
        let samples = sine(1000, 1)
        #expect(limited(samples) == samples)
    }

    @Test(arguments: [1.1, 2, 4]) func twoFullTonesStayWithinFullScaleWithoutDistortion(level: Double) {
        let output = limited(sine(1000, level))
        #expect(output.allSatisfy { abs($0) <= 1 })
        // No step is larger than those of a tone at full scale, times the overdrive of the first rise.
        let steps = zip(output, output.dropFirst()).map { abs($1 - $0) }
        #expect(Double(steps.max() ?? 1) < level * 2 * .pi * 1000 / 48_000)
        // After the first period, the tone must be pure. The test measures the remainder without the fundamental.
        let settled = output.dropFirst(480).prefix(24_000).map(Double.init)
        #expect(distortion(of: settled, at: 1000) < 1e-5)
    }

    /// Returns the amplitude of everything but the tone, relative to the tone.
    private func distortion(of samples: [Double], at frequency: Double) -> Double {
        let phases = samples.indices.map { 2 * .pi * frequency * Double($0) / 48_000 }
        let scale = 2 / Double(samples.count)
        let real = scale * zip(samples, phases).map { $0 * cos($1) }.reduce(0, +)
        let imaginary = scale * zip(samples, phases).map { $0 * sin($1) }.reduce(0, +)
        let rest = zip(samples, phases).map { $0 - real * cos($1) - imaginary * sin($1) }
        let power = { (values: [Double]) in values.map { $0 * $0 }.reduce(0, +) }
        return (power(rest) / power(samples)).squareRoot()
    }

    @Test func gainOfAllChannelsIsTheSame() {
        let left = sine(440, 2)
        let stereo = left.flatMap { [$0, $0 / 4] }
        let output = limited(stereo, channels: 2)
        for index in stride(from: 0, to: output.count, by: 2) where abs(output[index]) < 1 {
            #expect(abs(output[index + 1] - output[index] / 4) < 1e-6)
        }
    }

    @Test func gainReturnsWithoutAStep() {
        var limiter = Limiter(rate: 48_000)
        var loud = sine(1000, 2, frames: 4800)
        limiter.apply(to: &loud, frames: loud.count, channels: 1, lowers: true)
        #expect(limiter.isActive)
        var ones = [Float](repeating: 0.5, count: 48_000)
        limiter.apply(to: &ones, frames: ones.count, channels: 1, lowers: false)
        #expect(!limiter.isActive)
        #expect(zip(ones, ones.dropFirst()).allSatisfy { $1 >= $0 && $1 - $0 < 1e-4 })
        #expect(ones.last == 0.5)
    }

    @Test func gainThatOnlyRisesDoesNotLimitTheMusic() {
        let samples = sine(1000, 1.5)
        #expect(limited(samples, lowers: false) == samples)
    }
}

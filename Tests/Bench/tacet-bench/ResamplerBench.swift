import Glibc
import Playback

/// Measures what each quality of libsoxr preserves of a tone, what it adds to the tone, and what it costs.
enum ResamplerBench {
    static func run() throws {
        for (from, to) in [(44_100, 48_000), (48_000, 44_100)] {
            Figures.heading("From \(from) Hz to \(to) Hz, in dB of a full-scale tone")
            for quality in Resampler.Quality.allCases { try measure(quality, from, to) }
            let minute = minute(at: from)
            let seconds = try Stopwatch.median(of: 5) { try convertLive(minute, frames: 60 * from, from, to) }
            Figures.row(
                "At a variable speed, for live inputs: processor time for a minute",
                "\(Figures.decimals(seconds * 1000, 1)) ms")
        }
    }

    /// A minute of sound with two channels.
    private static func minute(at rate: Int) -> [Float] {
        (0..<120 * rate).map { sin(Float($0 % 4099) * 0.01) * 0.5 }
    }

    private static func measure(_ quality: Resampler.Quality, _ from: Int, _ to: Int) throws {
        let name =
            switch quality {
            case .medium: "16 bits"
            case .high: "20 bits (Tacet)"
            case .veryHigh: "28 bits"
            }
        let limit = Double(min(from, to)) / 2
        func tones(_ frequencies: [Double]) throws -> [Tone] {
            try frequencies.map { try Tone(of: $0, quality, from, to) }
        }
        let band = try tones([100, 1000, 5000, 10_000, 15_000, 19_000, 20_000])
        let ripple = band.map { abs($0.level) }.max() ?? 0
        Figures.row("\(name): error of the level up to 20 kHz", "\(Figures.decimals(ripple, 5)) dB")
        let edge = try tones([20_500, 21_000, 21_500])
        let levels = zip(["20.5", "21", "21.5"], edge).map { "\(Figures.decimals($1.level)) at \($0)" }
        Figures.row("  level near the edge, kHz", levels.joined(separator: ", "))
        let added = (band + edge).map(\.rest).max() ?? 0
        Figures.row("  the most that is added to one of these tones", "\(Figures.decimals(added, 1)) dB")
        if from > to {
            let above = try tones(stride(from: limit + 50, to: Double(from) / 2, by: 200).map { $0 })
            let worst = above.map(\.power).max() ?? 0
            let far = try tones([23_000, 23_500, 23_900]).map(\.power).max() ?? 0
            Figures.row("  what is left of a tone that the new rate cannot hold", "\(Figures.decimals(worst, 1)) dB")
            Figures.row("  the same, from 23 kHz on", "\(Figures.decimals(far, 1)) dB")
        }
        let minute = minute(at: from)
        let seconds = try Stopwatch.median(of: 5) {
            _ = try convert(minute, frames: 60 * from, channels: 2, quality, from, to)
        }
        Figures.row("  processor time for a minute, two channels", "\(Figures.decimals(seconds * 1000, 1)) ms")
    }
}

/// A full-scale tone of a second after its conversion.
private struct Tone {
    /// The level of the tone in dB, fitted by least squares.
    let level: Double
    /// The level of everything else, in dB.
    let rest: Double
    /// The level of everything, in dB.
    let power: Double

    init(of frequency: Double, _ quality: Resampler.Quality, _ from: Int, _ to: Int) throws {
        let input = (0..<from).map { Float(sin(2 * .pi * frequency * Double($0) / Double(from))) }
        let output = try convert(input, frames: from, channels: 1, quality, from, to)
        // Half a second is measured, without the abrupt ends. This is a whole number of periods of each frequency.
        let middle = output[output.count / 4..<output.count / 4 + to / 2].map(Double.init)
        var (sine, cosine) = (0.0, 0.0)
        let waves = middle.indices.map { 2 * .pi * frequency * Double($0) / Double(to) }
        for (sample, wave) in zip(middle, waves) {
            sine += sample * sin(wave)
            cosine += sample * cos(wave)
        }
        let scale = 2 / Double(middle.count)
        (sine, cosine) = (sine * scale, cosine * scale)
        var (everything, rest) = (0.0, 0.0)
        for (sample, wave) in zip(middle, waves) {
            let difference = sample - sine * sin(wave) - cosine * cos(wave)
            everything += sample * sample
            rest += difference * difference
        }
        level = 10 * log10(sine * sine + cosine * cosine)
        self.rest = 10 * log10(rest * scale)
        power = 10 * log10(everything * scale)
    }
}

private func convert(
    _ input: UnsafePointer<Float>, frames: Int, channels: Int, _ quality: Resampler.Quality, _ from: Int, _ to: Int
) throws(ResamplerError) -> [Float] {
    let resampler = try Resampler(from: from, to: to, channels: channels, quality: quality)
    let block = 4096
    var converted = [Float](repeating: 0, count: block * channels)
    var output: [Float] = []
    var done = 0
    while done < frames {
        let progress = try resampler.process(
            input + done * channels, frames: min(block, frames - done), into: &converted, frames: block)
        done += progress.consumed
        output += converted[..<(progress.produced * channels)]
    }
    while case let count = try resampler.flush(into: &converted, frames: block), count > 0 {
        output += converted[..<(count * channels)]
    }
    return output
}

/// Converts two channels in blocks of 10 ms, as a live input does.
private func convertLive(_ input: UnsafePointer<Float>, frames: Int, _ from: Int, _ to: Int) throws(ResamplerError) {
    let resampler = try AdaptiveResampler(from: from, to: to, channels: 2)
    var converted = [Float](repeating: 0, count: 8192)
    var done = 0
    while done < frames {
        try resampler.change(to: done % 2 == 0 ? 100e-6 : 101e-6, over: 480)
        let progress = try resampler.process(
            input + 2 * done, frames: min(from / 100, frames - done), into: &converted, frames: 4096)
        done += progress.consumed
    }
}

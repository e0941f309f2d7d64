import ALSA
import Glibc
import Playback

/// Measures on a virtual clock how a live input follows the clock of its sender, which sends a triangle wave. A frame
/// that is skipped or repeated changes the slope of the wave.
enum LiveBench {
    private static let rate = 48_000
    private static let seconds = 3600
    private static let chunk = 960

    static func run() throws {
        Figures.heading("A live input with Latency=150ms, an hour on a virtual clock")
        for parts in [-200, 0, 200] {
            let result = try follow(drift: Double(parts) * 1e-6)
            Figures.row(
                "Sender at \(parts > 0 ? "+" : "")\(parts) ppm: frames skipped, repeated",
                "\(result.wave.skipped), \(result.wave.repeated)")
            Figures.row(
                "  mean delay of a frame",
                "\(Figures.decimals(result.least, 2)) to \(Figures.decimals(result.most, 2)) ms")
            Figures.row("  interruptions", "\(result.underruns)")
        }
    }

    private struct Result {
        var wave = TriangleWave(rate: rate)
        var least = Double.infinity
        var most = 0.0
        var underruns = 0
    }

    private static func follow(drift: Double) throws -> Result {
        let input = LiveInput("bench", format: StreamFormat(rate: rate, channels: 1))
        let feed = LiveFeed(input, format: LiveFormat(.float, StreamFormat(rate: rate, channels: 1)))
        let start = input.buffer.clock.time
        var result = Result()
        var next = -1
        for number in 0..<Int(Double(seconds * rate / chunk) * (1 + drift)) {
            let now = start + Int(Double((number + 1) * chunk) / Double(rate) / (1 + drift) * 1e9)
            if let deadline = feed.deadline, deadline < now { feed.advance(to: deadline) }
            let samples = (0..<chunk).map { TriangleWave.sample(number * chunk + $0, rate) }
            try samples.withUnsafeBytes { bytes in
                if let bytes = bytes.baseAddress { try feed.accept(bytes, frames: chunk, at: now) }
            }
            let buffer = input.buffer
            guard buffer.writeIndex > 0 else { continue }
            // The beginning contains the filter's transient.
            if next < 0 { next = buffer.writeIndex }
            while next < buffer.writeIndex {
                let segment = buffer.reader.segment(at: next, limit: buffer.writeIndex - next)
                for frame in 0..<segment.frames { result.wave.append(segment.start[frame]) }
                next += segment.frames
            }
            // Half of the chunk is the mean of its frames.
            let delay = Double(feed.delay(at: now) - chunk / 2) * 1000 / Double(rate)
            result.least = min(result.least, delay)
            result.most = max(result.most, delay)
        }
        result.underruns = feed.statistics.underruns
        return result
    }
}

/// Counts the frames of a triangle wave that are skipped or repeated.
struct TriangleWave {
    private(set) var skipped = 0
    private(set) var repeated = 0
    private let slope: Float
    private var last: Float?

    init(rate: Int) {
        slope = 2 / Float(rate)
    }

    /// The sample of a wave with a period of a second and an amplitude of 0.5.
    static func sample(_ frame: Int, _ rate: Int) -> Float {
        let phase = frame % rate
        return Float(min(phase, rate - phase)) * 2 / Float(rate) - 0.5
    }

    mutating func append(_ sample: Float) {
        defer { last = sample }
        // Near a corner of the wave, the slope changes.
        guard let last, abs(sample) < 0.49 else { return }
        let ratio = abs(sample - last) / slope
        if ratio > 1.5 { skipped += max(1, Int((ratio - 1).rounded())) }
        if ratio < 0.5 { repeated += 1 }
    }
}

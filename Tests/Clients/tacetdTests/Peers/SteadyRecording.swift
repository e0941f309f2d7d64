/// A recording of a source that plays a constant level. It shows the gain of each frame, and what a busy machine did.
struct SteadyRecording {
    /// The level of a section and its noise.
    struct Level {
        /// The median, where 1 is what the source was given to play.
        let level: Double
        /// The greatest deviation, relative to the level. It is at least a step of a 16-bit sample.
        let noise: Double
    }

    /// What a busy machine has done to a recording, which therefore shows nothing about the gain.
    struct Disturbance: Error, CustomStringConvertible {
        let description: String
    }

    let frames: [Double]
    /// The sections in which nothing was played, because a program was late. They include 20 ms on each side, during
    /// which Tacet fades and the server's resampler settles.
    let gaps: [Range<Int>]
    private static let margin = 960
    /// The noise above which a section is not steady. The server's resampler adds 0.0004.
    private static let loudest = 0.005

    /// - Parameters:
    ///   - samples: the first channel of the recording.
    ///   - given: the level that the source was given to play.
    ///   - quietest: the least gain of the source while it plays.
    init(_ samples: [Int32], of given: Int32, quietest: Double) {
        frames = samples.map { Double($0) / Double(given) }
        var gaps: [Range<Int>] = []
        var start: Int?
        for (frame, level) in (frames + [1]).enumerated() {
            if abs(level) < quietest / 2 {
                start = start ?? frame
            } else if let begin = start {
                gaps.append(begin..<frame)
                start = nil
            }
        }
        self.gaps = gaps.map { max(0, $0.lowerBound - Self.margin)..<min(samples.count, $0.upperBound + Self.margin) }
    }

    /// Names the gaps of a section, or returns nil if there are none.
    func gaps(in section: Range<Int>) -> String? {
        let found = gaps.filter { $0.overlaps(section) }
        guard !found.isEmpty else { return nil }
        return found.map {
            "nothing was played for \(($0.count - 2 * Self.margin) / 48) ms at frame \($0.lowerBound + Self.margin)"
        }
        .joined(separator: ", ")
    }

    /// The level of a section without its gaps.
    func level(in section: Range<Int>) throws -> Level {
        var isHeard = [Bool](repeating: true, count: section.count)
        for gap in gaps {
            for frame in gap.clamped(to: section) { isHeard[frame - section.lowerBound] = false }
        }
        let heard = zip(section, isHeard).filter(\.1).map { frames[$0.0] }.sorted()
        // A tenth of a second is a hundred cycles of the noise that a resampler adds.
        guard heard.count >= 4800, let least = heard.first, let most = heard.last else {
            throw Disturbance(description: gaps(in: section) ?? "the recording has ended")
        }
        let level = heard[heard.count / 2]
        let noise = max((level - least) / level, (most - level) / level, 1 / 8192)
        guard noise < Self.loudest else { throw Disturbance(description: "the level changes by \(noise) of it") }
        return Level(level: level, noise: noise)
    }
}

/// The gain of each frame from shortly before an alarm's ramp until shortly after it, relative to the undisturbed level.
struct RecordedRamp {
    let gains: [Double]
    /// The frame at which the gain falls below a half.
    let middle: Int
    let noise: Double

    /// Finds the ramp of a source whose ramp has this shape, or any shape if it is nil.
    init(in recording: SteadyRecording, after alarm: Int, to end: Double, like shape: RecordedRamp?) throws {
        let reference = try recording.level(in: alarm - 48_000..<alarm)
        let gains = recording.frames.map { $0 / reference.level }
        noise = reference.noise
        guard let half = gains[alarm...].firstIndex(where: { $0 < 0.5 }) else {
            throw SteadyRecording.Disturbance(description: "the level does not fall within 2 s")
        }
        let section: Range<Int>
        if let shape {
            section = half - shape.middle..<half - shape.middle + shape.gains.count
        } else {
            let begin = gains[..<half].lastIndex { $0 > 0.999 } ?? half
            let last = gains[half...].firstIndex { $0 < end * 1.001 } ?? half
            section = begin - 480..<last + 480
        }
        if let words = recording.gaps(in: section) { throw SteadyRecording.Disturbance(description: words) }
        self.gains = Array(gains[section])
        middle = half - section.lowerBound
    }

    /// The greatest difference between two ramps, and what their noise explains: the noise itself, the frame by which it
    /// shifts the middle, and that a middle is a whole frame.
    func difference(from other: RecordedRamp) -> (measured: Double, explained: Double) {
        let steepest = zip(other.gains, other.gains.dropFirst()).map { abs($0 - $1) }.max() ?? 0
        return (zip(gains, other.gains).map { abs($0 - $1) }.max() ?? 1, 2 * (noise + other.noise) + steepest)
    }
}

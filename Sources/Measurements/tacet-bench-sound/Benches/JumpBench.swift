import Glibc
import SoundLab

/// Pauses and resumes, in the recording of a loud sine.
enum JumpBench {
    /// - Returns: for each pause and each resume, the largest jump between two samples, as a share of the largest that
    ///   the sine itself has.
    static func run(_ contestant: Contestant, _ count: Int, on stage: Stage) throws -> [Double] {
        let recording = try Recording(stage.server)
        let peer = try contestant.perform([stage.sine], on: stage, fadeIn: 60)
        defer { peer.quit() }
        try recording.waitForSound()
        var bounds: [Int] = []
        for turn in 0..<count {
            try Stage.pass(.milliseconds(700 + turn * 37 % 101))
            bounds.append(recording.frames)
            _ = try peer.pause()
            try Stage.pass(.milliseconds(500 + turn * 53 % 97))
            bounds.append(recording.frames)
            _ = try peer.resume()
        }
        try Stage.pass(.milliseconds(1500))
        let samples = recording.finish()
        bounds.append(samples.count)
        let own = 2 * sin(Stage.sineStep / 2) * Stage.sinePeak
        return zip(bounds, bounds.dropFirst()).map { start, end in
            zip(samples[start..<end], samples[(start + 1)..<end])
                .reduce(0) { max($0, abs(Double($1.0) - Double($1.1))) } / own
        }
    }
}

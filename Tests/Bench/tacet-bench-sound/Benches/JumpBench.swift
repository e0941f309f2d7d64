import Glibc
import SoundLab

/// Measures pauses and resumes in the recording of a loud sine.
enum JumpBench {
    /// - Returns: For each pause and each resume, the largest jump between two samples, relative to the largest jump of
    ///   the sine itself.
    static func run(_ contestant: Contestant, _ count: Int, on rig: SoundRig) throws -> [Double] {
        let recording = try Recording(rig.server)
        let player = try contestant.start([rig.sine], on: rig, fadeIn: 60)
        defer { player.quit() }
        try recording.waitForSound()
        var bounds: [Int] = []
        for turn in 0..<count {
            try SoundRig.sleep(.milliseconds(700 + turn * 37 % 101))
            bounds.append(recording.frames)
            _ = try player.pause()
            try SoundRig.sleep(.milliseconds(500 + turn * 53 % 97))
            bounds.append(recording.frames)
            _ = try player.resume()
        }
        try SoundRig.sleep(.milliseconds(1500))
        let samples = recording.finish()
        bounds.append(samples.count)
        let own = 2 * sin(SoundRig.sineStep / 2) * SoundRig.sinePeak
        return zip(bounds, bounds.dropFirst()).map { start, end in
            zip(samples[start..<end], samples[(start + 1)..<end])
                .reduce(0) { max($0, abs(Double($1.0) - Double($1.1))) } / own
        }
    }
}

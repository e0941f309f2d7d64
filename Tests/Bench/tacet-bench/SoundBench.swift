import ALSA
import AudioSession
import Configuration
import Glibc
import Playback
import Simulation

/// Measures jumps between samples, lost and repeated frames, and changed bits in the WAV of a rehearsal.
enum SoundBench {
    private static let rate = 48_000
    private static let seconds = 30

    static func run() throws {
        var template = Array("/tmp/tacet-bench-XXXXXX".utf8CString)
        guard let folder = mkdtemp(&template).map({ String(cString: $0) }) else {
            throw BenchError("cannot create a folder in /tmp")
        }
        let (track, heard) = (folder + "/track.wav", folder + "/heard.wav")
        defer {
            unlink(track)
            unlink(heard)
            rmdir(folder)
        }
        try measureJumps(track, heard)
        try countFrames(track, heard)
    }

    /// Measures a constant full-scale sine under every kind of fade.
    private static func measureJumps(_ track: String, _ heard: String) throws {
        Figures.heading("Largest jump between two samples of a full-scale sine, as a share of the sine's own largest")
        for frequency in [60.0, 440, 997] {
            let step = 2 * Double.pi * frequency / Double(rate)
            try write(track) { Int32((sin(step * Double($0)) * 2_147_483_520).rounded()) }
            let samples = try rehearse(track, heard, events)
            let largest = zip(samples, samples.dropFirst()).reduce(0.0) { max($0, abs(Double($1.0) - Double($1.1))) }
            // This is the largest possible difference between neighbouring samples of the sine.
            let own = 2 * sin(step / 2) * 2_147_483_520
            Figures.row(
                "\(Int(frequency)) Hz; pause, reversal, duck, volume, seek, resume",
                Figures.decimals(largest / own, 6))
        }
    }

    /// Measures a track whose frames carry their own numbers.
    private static func countFrames(_ track: String, _ heard: String) throws {
        Figures.heading("Frames of a track that carry their own numbers")
        try write(track) { Int32(($0 % (1 << 23)) << 8) }
        let stop = 10 * rate
        let samples = try rehearse(
            track, heard,
            [
                (.seconds(10), .edge(Edge("phone-call", asserted: true))),
                (.seconds(12), .edge(Edge("phone-call", asserted: false))),
            ])
        let fade = rate
        let before = (fade..<stop).filter { samples[$0] != Int32($0 << 8) }.count
        let resumed = 12 * rate
        let after = (resumed + fade..<samples.count).filter { samples[$0] != Int32((stop + $0 - resumed) << 8) }.count
        Figures.row("changed bits between fades, of \(stop - fade) frames", "\(before)")
        Figures.row("after the interruption, of \(samples.count - resumed - fade) frames", "\(after)")
        let lost = Int(samples[samples.count - 1] >> 8) - (stop + samples.count - 1 - resumed)
        Figures.row("frames lost (+) or repeated (-) by the interruption", "\(lost)")
    }

    private static let events: [(time: Duration, event: Event)] = {
        let phone = { Edge("phone-call", asserted: $0) }
        let alarm = { Edge("alarm", asserted: $0) }
        return [
            (.milliseconds(3_001), .edge(phone(true))), (.milliseconds(5_000), .edge(phone(false))),
            (.milliseconds(7_003), .edge(phone(true))), (.milliseconds(7_024), .edge(phone(false))),
            (.milliseconds(9_007), .edge(alarm(true))), (.milliseconds(9_050), .edge(alarm(false))),
            (.milliseconds(11_001), .edge(alarm(true))), (.milliseconds(13_000), .edge(alarm(false))),
            (.milliseconds(15_011), .command(.pause)), (.milliseconds(15_030), .command(.play)),
            (.milliseconds(17_013), .command(.volume(.mute))), (.milliseconds(17_040), .command(.volume(.full))),
            (.milliseconds(19_017), .command(.seek(to: .milliseconds(2_003)))),
            (.milliseconds(19_027), .command(.seek(to: .milliseconds(1_005)))),
        ]
    }()

    private static func rehearse(
        _ track: String, _ heard: String, _ events: [(time: Duration, event: Event)]
    ) throws -> [Int32] {
        var configuration = Configuration.builtIn
        configuration.playback.library = track
        var rehearsal = Rehearsal(
            configuration: configuration,
            scenario: Scenario(
                name: "bench", entries: events.map { ($0.time, .event($0.event)) } + [(.seconds(20), .end)]))
        rehearsal.wav = heard
        _ = try rehearsal.run()
        return try read(heard)
    }

    private static func write(_ path: String, _ sample: (Int) -> Int32) throws {
        let writer = try AudioFileWriter.create(path, format: StreamFormat(rate: rate, channels: 1))
        let samples = (0..<seconds * rate).map(sample)
        try samples.withUnsafeBufferPointer {
            if let start = $0.baseAddress { try writer.write(start, frames: samples.count) }
        }
        try writer.finish()
    }

    /// Returns the samples of the left channel.
    private static func read(_ path: String) throws -> [Int32] {
        let decoder = try Decoder.open(path)
        let channels = decoder.format.channels
        var block = [Float](repeating: 0, count: 4096 * channels)
        var samples: [Int32] = []
        while case let frames = try decoder.read(into: &block, frames: 4096), frames > 0 {
            samples += (0..<frames).map { Int32(Double(block[$0 * channels]) * 2_147_483_648) }
        }
        return samples
    }
}

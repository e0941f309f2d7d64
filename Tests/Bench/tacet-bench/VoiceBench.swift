import ALSA
import AudioSession
import Configuration
import Glibc
import Playback
import Simulation

/// Measures the cost of sounds, and the effect of the limiter on a sum above full scale.
enum VoiceBench {
    private static let format = StreamFormat(rate: 48_000, channels: 2)

    static func run() throws {
        var template = Array("/tmp/tacet-voices-XXXXXX".utf8CString)
        guard let folder = mkdtemp(&template).map({ String(cString: $0) }) else {
            throw BenchError("cannot create a folder in /tmp")
        }
        let (loud, soft, heard) = (folder + "/loud.wav", folder + "/soft.wav", folder + "/heard.wav")
        defer {
            for file in [loud, soft, heard] { unlink(file) }
            rmdir(folder)
        }
        try write(loud, seconds: 60, level: 1)
        try write(soft, seconds: 5, level: 0.01)
        Figures.heading("Sounds over the music")
        try measureTime(loud, soft)
        try measureMemory(soft)
        try measureDistortion(loud, heard)
    }

    /// Measures the time to render a minute of the same music without a sound, with a sound, and with a sound that
    /// needs the limiter.
    private static func measureTime(_ loud: String, _ soft: String) throws {
        func minute(_ sound: String?) throws -> Double {
            try Stopwatch.median(of: 5) {
                let engine = try engine(loud, sound.map { [$0] } ?? [])
                if sound != nil { engine.playSound(0, order: 1, isCue: true, repeats: true, after: .zero) }
                var left = 59 * format.rate
                while left > 0 { left -= try engine.render(frames: left) }
            }
        }
        let (without, with, limited) = (try minute(nil), try minute(soft), try minute(loud))
        Figures.row("processor time for a minute, with a sound", share(with, of: without))
        Figures.row("the same, with the limiter", share(limited, of: without))
    }

    private static func share(_ seconds: Double, of less: Double) -> String {
        "\(Figures.decimals(seconds * 1000, 1)) ms, \(Figures.decimals(seconds / less)) of that without one"
    }

    private static func measureMemory(_ soft: String) throws {
        let before = memory()
        let engine = try engine(soft, Array(repeating: soft, count: 10))
        // A rehearsal reads a sound when it is played for the first time.
        for sound in 0..<10 {
            engine.playSound(sound, order: sound + 1, isCue: false, repeats: false, after: .zero)
            _ = try engine.render(frames: 1)
        }
        let after = memory()
        withExtendedLifetime(engine) {
            Figures.row("memory of ten sounds of 5 s", "\(Figures.decimals(Double(after - before) / 1024)) MiB")
        }
    }

    /// Plays 1 kHz at full scale over 1 kHz at full scale, and measures everything in the result except 1 kHz.
    private static func measureDistortion(_ loud: String, _ heard: String) throws {
        var configuration = Configuration.builtIn
        configuration.playback.library = loud
        configuration.playback.fadeIn = .zero
        configuration.session.sounds = [SoundPolicy(id: "tone", effect: .mix)]
        configuration.sounds = ["tone": SoundSettings(file: loud)]
        var rehearsal = Rehearsal(
            configuration: configuration,
            scenario: Scenario(
                name: "bench",
                entries: [(.zero, .event(.command(.announce(Announcement("tone"))))), (.seconds(11), .end)]))
        rehearsal.wav = heard
        _ = try rehearsal.run()
        let decoder = try Decoder.open(heard)
        var block = [Float](repeating: 0, count: 2 * 4096)
        var samples: [Double] = []
        while case let frames = try decoder.read(into: &block, frames: 4096), frames > 0 {
            samples += (0..<frames).map { Double(block[2 * $0]) }
        }
        let peak = samples.reduce(0) { max($0, abs($1)) }
        Figures.row("peak of 1 kHz + 1 kHz, each at full scale", "\(Figures.decimals(peak, 6)) of full scale")
        let first = Array(samples[..<480])
        let settled = Array(samples[48_000..<10 * 48_000])
        Figures.row(
            "distortion in the first 10 ms, and after the first second",
            "\(Figures.decimals(distortion(first), 1)) dB, \(Figures.decimals(distortion(settled), 1)) dB")
    }

    /// Returns the level of everything but 1 kHz, relative to the whole signal, in dB. The samples are a whole number
    /// of periods.
    private static func distortion(_ samples: [Double]) -> Double {
        let phases = samples.indices.map { 2 * Double.pi * 1000 * Double($0) / Double(format.rate) }
        let scale = 2 / Double(samples.count)
        let real = scale * zip(samples, phases).reduce(0) { $0 + $1.0 * cos($1.1) }
        let imaginary = scale * zip(samples, phases).reduce(0) { $0 + $1.0 * sin($1.1) }
        var rest = 0.0
        var all = 0.0
        for (sample, phase) in zip(samples, phases) {
            let other = sample - real * cos(phase) - imaginary * sin(phase)
            rest += other * other
            all += sample * sample
        }
        return 10 * log10(max(rest, .leastNormalMagnitude) / all)
    }

    private static func engine(_ track: String, _ sounds: [String]) throws -> OfflineEngine {
        let engine = OfflineEngine(
            tracks: [Track(path: track)],
            order: TrackOrder(successor: { _ in nil }, next: { _ in nil }, previous: { _ in nil }),
            sounds: sounds.map { Sound(file: Track(path: $0), gain: 1) })
        engine.open(try ALSAOutput("null", format: format))
        engine.load(track: 0, at: .zero)
        engine.play(gain: 1, over: .zero)
        return engine
    }

    private static func write(_ path: String, seconds: Int, level: Double) throws {
        let writer = try AudioFileWriter.create(path, format: format)
        let samples = (0..<seconds * format.rate).flatMap { frame -> [Int32] in
            let sample = level * sin(2 * Double.pi * 1000 * Double(frame) / Double(format.rate))
            return [Int32](repeating: Int32((sample * 2_147_483_520).rounded()), count: 2)
        }
        try samples.withUnsafeBufferPointer {
            if let start = $0.baseAddress { try writer.write(start, frames: seconds * format.rate) }
        }
        try writer.finish()
    }

    /// Returns this process's resident memory in KiB, without the memory that earlier measurements have freed.
    private static func memory() -> Int {
        // Swift's module of the C library does not contain malloc.h.
        if let symbol = dlsym(nil, "malloc_trim") {
            _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
        }
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, 256, file) != nil else { return 0 }
        let fields = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            .split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4 : 0
    }
}

import AudioSession
import Configuration
import Glibc
import Playback
import Simulation

/// Measures how much faster than real time a rehearsal runs, and which parts take the time.
enum RehearsalBench {
    private static let hour = 3600.0

    static func run(music: String) throws {
        Figures.heading("Rehearsing one hour of \(music) (processor time, median of 3)")
        let whole = try Stopwatch.median(of: 3) { try rehearse(music, wav: nil) }
        let wall = try Stopwatch.median(of: 3, by: .wall) { try rehearse(music, wav: nil) }
        let wav = "/tmp/tacet-bench-\(getpid()).wav"
        defer { unlink(wav) }
        let recorded = try Stopwatch.median(of: 3) { try rehearse(music, wav: wav) }
        let decoding = try Stopwatch.median(of: 3) { try decode(music, resampling: false) }
        let both = try Stopwatch.median(of: 3) { try decode(music, resampling: true) }

        Figures.row("to a 48 kHz device", speed(whole))
        Figures.row("the same, by the clock, on \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores", speed(wall))
        Figures.row("the same, recorded as a WAV", speed(recorded))
        Figures.heading("Where the time goes, to the device")
        Figures.row("decoding (libFLAC)", share(decoding, of: whole))
        Figures.row("resampling to 48 kHz (libsoxr)", share(both - decoding, of: whole))
        Figures.row("ring, gain, conversion, libasound, supervisor", share(whole - both, of: whole))
    }

    private static func rehearse(_ music: String, wav: String?) throws {
        var configuration = Configuration.builtIn
        configuration.playback.library = music
        var rehearsal = Rehearsal(
            configuration: configuration, scenario: Scenario(name: "bench", entries: [(.seconds(hour), .end)]))
        rehearsal.wav = wav
        let outcome = try rehearsal.run()
        guard outcome.rows.last?.state?.directive == .play(.full) else {
            throw BenchError("\(music) has less than an hour of music")
        }
    }

    /// Decodes the first hour of the library's tracks and discards the samples.
    private static func decode(_ music: String, resampling: Bool) throws {
        let block = 4096
        var left = hour
        var input = [Float](repeating: 0, count: block * 2)
        var output = [Float](repeating: 0, count: block * 4)
        for track in try Library.load(music).tracks where left > 0 {
            let decoder = try Decoder.open(track.path)
            let rate = decoder.format.rate
            guard decoder.format.channels == 2 else { throw BenchError("\(track.path) is not stereo") }
            let resampler = resampling && rate != 48_000 ? try Resampler(from: rate, to: 48_000, channels: 2) : nil
            while left > 0, case let frames = try decoder.read(into: &input, frames: block), frames > 0 {
                var done = 0
                while let resampler, done < frames {
                    let progress = try input.withUnsafeBufferPointer { buffer in
                        try buffer.baseAddress.map {
                            try resampler.process(
                                $0 + done * 2, frames: frames - done, into: &output, frames: block * 2)
                        }
                    }
                    done += progress?.consumed ?? frames
                }
                left -= Double(frames) / Double(rate)
            }
        }
    }

    private static func speed(_ seconds: Double) -> String {
        "\(Figures.decimals(seconds)) s, \(Int(hour / seconds)) times real time"
    }

    private static func share(_ seconds: Double, of whole: Double) -> String {
        "\(Figures.decimals(seconds)) s, \(Int((100 * seconds / whole).rounded())) %"
    }
}

struct BenchError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

import ALSA
import CRealTime
import Files
import Glibc
import Playback
import SoundLab

/// Plays what another program writes into a pipe, in real time on a sound server, while that program's clock is fast or
/// slow. The program sends a triangle wave with a period of a second, so a frame that is skipped or repeated changes the
/// slope of the wave, and each of its peaks shows the delay.
struct LiveBench {
    let rig: SoundRig
    let seconds: Int

    private static let chunk = 480
    private static let slope = 2 / Double(SoundRig.rate)

    func run() throws {
        print("A live input with Latency=150ms, \(seconds) s through a pipe to a sound server")
        for parts in [-200, 0, 200] { try run(parts) }
    }

    private func run(_ parts: Int) throws {
        let input = LiveInput("bench")
        let path = rig.folder + "/pipe\(parts)"
        let format = LiveFormat(.float, StreamFormat(rate: SoundRig.rate, channels: 1))
        let pipe = PipeInput(path, format: format, inputs: [input], program: "bench")
        defer { pipe.stop(within: .seconds(1)) }
        let engine = RealTimeEngine(
            tracks: [], order: TrackOrder(successor: { _ in nil }, next: { _ in nil }, previous: { _ in nil }),
            inputs: [input], settings: EngineSettings(rig.server.address))
        defer { engine.stop(within: .seconds(5)) }
        engine.open()
        engine.select(.input(0), over: .zero)
        engine.play(gain: 1, over: .zero)
        while access(path, W_OK) != 0 { try SoundRig.sleep(.milliseconds(5)) }
        let recording = try Recording(rig.server)
        // A sound server reports its delay exactly only after a while.
        for _ in 0..<30 {
            try SoundRig.sleep(.milliseconds(100))
            _ = engine.takeEvents()
        }
        let started = engine.progress.underruns
        let rate = Double(SoundRig.rate) * (1 + Double(parts) * 1e-6)
        let start = try send(to: path, rate: rate, engine)
        let statistics = pipe.statistics
        let underruns = engine.progress.underruns - started
        let samples = recording.finish().map { Double($0) / 0x1p31 }
        report(
            parts, samples, delays: delays(samples, recording, start: start, rate: rate), statistics, underruns)
    }

    /// Sends chunks in time.
    /// - Returns: the time of the first frame in nanoseconds.
    private func send(to path: String, rate: Double, _ engine: RealTimeEngine) throws -> Int {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw RigError("cannot open \(path)") }
        defer { close(descriptor) }
        let start = Int(realtime_now())
        for number in 0..<(seconds * SoundRig.rate / Self.chunk) {
            let due = start + Int(Double(number * Self.chunk) / rate * 1e9)
            let pause = due - Int(realtime_now())
            if pause > 0 { try SoundRig.sleep(.nanoseconds(pause)) }
            let samples = (0..<Self.chunk).map { index -> Float in
                let phase = (number * Self.chunk + index) % SoundRig.rate
                return Float(Double(min(phase, SoundRig.rate - phase)) * Self.slope - 0.5)
            }
            samples.withUnsafeBytes { _ = write(descriptor, $0.baseAddress, $0.count) }
            _ = engine.takeEvents()
        }
        return start
    }

    /// The delays of the wave's peaks in milliseconds.
    private func delays(_ samples: [Double], _ recording: Recording, start: Int, rate: Double) -> [Double] {
        var delays: [Double] = []
        var frame = SoundRig.rate
        while frame < samples.count - SoundRig.rate {
            guard samples[frame] > 0.49, let last = (frame..<samples.count).first(where: { samples[$0] < 0.49 }) else {
                frame += 1
                continue
            }
            let middle = (frame + last) / 2
            frame = last + 1
            guard let heard = recording.time(ofFrame: middle) else { continue }
            // The peaks were sent half a second after each full second, and a frame is sent half a chunk early.
            let elapsed = Double(heard - start) / 1e9 + Double(Self.chunk) / 2 / rate - 0.15
            let number = (elapsed * rate / Double(SoundRig.rate) - 0.5).rounded()
            let sent = (number + 0.5) * Double(SoundRig.rate) / rate
            delays.append((elapsed + 0.15 - sent) * 1000)
        }
        return delays
    }

    private func report(
        _ parts: Int, _ samples: [Double], delays: [Double], _ statistics: LiveStatistics, _ underruns: Int
    ) {
        var (skipped, repeated) = (0, 0)
        // The first and the last second contain the beginning and the end of the stream.
        let heard = samples.indices.filter { samples[$0] != 0 }
        if let first = heard.first, let last = heard.last, last - first > 3 * SoundRig.rate {
            for frame in (first + SoundRig.rate)..<(last - SoundRig.rate) where abs(samples[frame]) < 0.49 {
                let ratio = abs(samples[frame + 1] - samples[frame]) / Self.slope
                if ratio > 1.5 { skipped += max(1, Int((ratio - 1).rounded())) }
                if ratio < 0.5 { repeated += 1 }
            }
        }
        func milliseconds(_ value: Double?) -> String {
            value.map { "\(($0 * 10).rounded() / 10) ms" } ?? "unknown"
        }
        let sorted = delays.sorted()
        print(
            """
              sender at \(parts) ppm: \(skipped) frames skipped, \(repeated) repeated, \
            \(statistics.underruns) interruptions, \(underruns) underruns of the device
                delay at \(delays.count) peaks: \(milliseconds(sorted.first)) to \(milliseconds(sorted.last)), median \
            \(milliseconds(sorted.isEmpty ? nil : sorted[sorted.count / 2])), by Tacet's own account \
            \(milliseconds(statistics.delay / .milliseconds(1))); speed \(Int((statistics.speed * 1e6).rounded())) ppm
            """)
    }
}

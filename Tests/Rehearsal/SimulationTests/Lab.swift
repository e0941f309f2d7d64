import ALSA
import AudioSession
import Configuration
import Foundation
import Playback
import Simulation
import Testing

/// A folder with a library, a configuration and a scenario, which is deleted at the end of the test.
final class Lab {
    let folder: String
    var configuration: String
    var warnings: [String] = []

    /// - Parameter configuration: text that is added to a default library that plays once. If it contains `Library=`,
    ///   it is the whole configuration.
    init(_ configuration: String = "") throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tacet-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder + "/music", withIntermediateDirectories: true)
        self.configuration = configuration
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func path(_ name: String) -> String { folder + "/" + name }

    /// Adds a 48 kHz stereo track. `sample` returns the value of each frame.
    func addTrack(_ name: String, frames: Int, rate: Int = 48_000, sample: (Int) -> Int32 = { _ in 0 }) throws {
        try write("music/" + name, frames: frames, rate: rate) { frame in [sample(frame), sample(frame)] }
    }

    /// Adds the file of a sound beside the configuration. `sample` returns the value of each frame.
    func addSound(_ name: String, frames: Int, rate: Int = 48_000, sample: (Int) -> Int32 = { _ in 0 }) throws {
        try write(name + ".wav", frames: frames, rate: rate) { frame in [sample(frame), sample(frame)] }
    }

    /// Writes a file. `samples` returns the values of each frame's channels.
    func write(_ name: String, frames: Int, rate: Int, samples: (Int) -> [Int32]) throws {
        let writer = try AudioFileWriter.create(
            path(name), format: StreamFormat(rate: rate, channels: samples(0).count))
        let content = (0..<frames).flatMap(samples)
        try content.withUnsafeBufferPointer {
            if let start = $0.baseAddress { try writer.write(start, frames: frames) }
        }
        try writer.finish()
    }

    /// Adds a track in which the value of each frame is its number in 24 bits, which pass through the engine unchanged.
    func addNumberedTrack(_ name: String, seconds: Int, first: Int = 0) throws {
        try addTrack(name, frames: seconds * 48_000) { Int32((first + $0) << 8) }
    }

    func load() throws -> Configuration {
        let text =
            configuration.contains("Library=")
            ? configuration : "[Playback]\nLibrary=music\nRepeat=none\n" + configuration
        try text.write(toFile: path("tacet.conf"), atomically: true, encoding: .utf8)
        return try Configuration.load(.file(path("tacet.conf"))).configuration
    }

    func rehearsal(_ scenario: String) throws -> Rehearsal {
        let configuration = try load()
        try scenario.write(toFile: path("scenario"), atomically: true, encoding: .utf8)
        let parsed = try Scenario.load(path("scenario"), for: configuration)
        var rehearsal = Rehearsal(configuration: configuration, scenario: parsed)
        rehearsal.onWarning = { [unowned self] in warnings.append($0) }
        return rehearsal
    }

    func run(_ scenario: String) throws -> [TraceRow] { try rehearsal(scenario).run().rows }

    /// Expects this complaint about the second line of a scenario.
    func expectMistake(in line: String, _ complaint: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(sourceLocation: sourceLocation) {
            try rehearsal("# a comment\n" + line)
        } throws: {
            "\($0)" == "\(path("scenario")):2: \(complaint)"
        }
    }

    /// Runs a scenario and returns the left channel of the recording, with 32 bits per sample.
    func listen(_ scenario: String) throws -> (rows: [TraceRow], samples: [Int32]) {
        let (rows, channels) = try listenToAll(scenario)
        return (rows, channels[0])
    }

    /// Runs a scenario and returns the samples of each channel of the recording.
    func listenToAll(_ scenario: String) throws -> (rows: [TraceRow], channels: [[Int32]]) {
        var rehearsal = try rehearsal(scenario)
        rehearsal.wav = path("heard.wav")
        let rows = try rehearsal.run().rows
        return (rows, try channels(path("heard.wav")))
    }

    func left(_ wav: String) throws -> [Int32] { try channels(wav).first ?? [] }

    /// Returns the samples of each channel.
    func channels(_ wav: String) throws -> [[Int32]] {
        let decoder = try Decoder.open(wav)
        let count = decoder.format.channels
        var samples = [[Int32]](repeating: [], count: count)
        var chunk = [Float](repeating: 0, count: 4096 * count)
        while true {
            let frames = try chunk.withUnsafeMutableBufferPointer { buffer in
                try buffer.baseAddress.map { try decoder.read(into: $0, frames: 4096) } ?? 0
            }
            if frames == 0 { return samples }
            for channel in 0..<count {
                for frame in 0..<frames {
                    samples[channel].append(Int32(Double(chunk[frame * count + channel]) * 2_147_483_648))
                }
            }
        }
    }
}

extension [TraceRow] {
    /// Each row as `time event`, with the time in seconds.
    var events: [String] { map { "\($0.time / .seconds(1)) \($0.event)" } }

    func at(_ event: String, occurrence: Int = 0) throws -> Snapshot {
        let matches = filter { $0.event == event }
        try #require(matches.count > occurrence, "no ‘\(event)’ among \(events)")
        return try #require(matches[occurrence].state)
    }

    var notifications: [String] { flatMap { $0.state?.notifications.map(\.description) ?? [] } }
}

/// Returns true if the frames of a sound are played from its beginning, and again each time after `length` frames. The
/// samples of the sound are the numbers of its frames, counted from 1.
func repeats(_ samples: [Int32], in frames: Range<Int>, every length: Int) -> Bool {
    frames.allSatisfy { (frame: Int) in
        let number = (frame - frames.lowerBound) % length + 1
        return samples[frame] >> 8 == Int32(number)
    }
}

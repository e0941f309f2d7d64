import Clocks
import Foundation
import SoundLab
import Testing
import Threads

@testable import Stream

/// A station on a bad server, whose pipe the test reads.
final class StationLab {
    let folder: URL
    private let server: Subprocess
    private let output: Pipe
    let port: Int
    private(set) var station: Station?
    private let bell = WakeUp()
    private let reader: Int32
    /// The samples that have arrived through the pipe.
    private(set) var samples: [Int16] = []
    private(set) var report = Station.Report()
    /// All problems that were reported.
    private(set) var problems: [String] = []

    static let music: URL? = makeMusic()

    init(certificate: (file: String, key: String)? = nil) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tacet-stream-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Tools/bad-server.py").path
        output = Pipe()
        let music = try #require(Self.music).path
        server = try Subprocess(
            ["/usr/bin/python3", script, music] + (certificate.map { [$0.file, $0.key] } ?? []),
            output: output.fileHandleForWriting.fileDescriptor)
        var line = ""
        while !line.hasSuffix("\n") {
            line += String(decoding: output.fileHandleForReading.readData(ofLength: 1), as: UTF8.self)
        }
        port = try #require(Int(line.dropLast()))
        let path = folder.appendingPathComponent("pipe").path
        #expect(mkfifo(path, 0o600) == 0)
        reader = open(path, O_RDONLY | O_NONBLOCK)
    }

    deinit {
        station = nil
        server.end()
        close(reader)
        try? FileManager.default.removeItem(at: folder)
    }

    func tune(to path: String, scheme: String = "http", _ options: HTTPOptions = HTTPOptions()) {
        tune(toURL: "\(scheme)://127.0.0.1:\(port)\(path)", options)
    }

    func tune(toURL url: String, _ options: HTTPOptions = HTTPOptions()) {
        station = Station(
            url, pipe: folder.appendingPathComponent("pipe").path, options, bell: bell, seed: 1,
            at: SystemClock.monotonic.now)
    }

    /// Lets the station run until a condition holds, for at most a minute.
    func run(_ what: String, until condition: () -> Bool) {
        let end = SystemClock.monotonic.now + .seconds(60)
        while SystemClock.monotonic.now < end {
            turn()
            if condition() { return }
        }
        Issue.record("no \(what): \(report), \(samples.count) samples")
    }

    private func turn() {
        guard let station else { return }
        let former = report.problem
        report = station.turn(at: SystemClock.monotonic.now)
        if let problem = report.problem, problem != former { problems.append(problem) }
        let now = SystemClock.monotonic.now
        var entries = [bell.descriptor, reader].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // While there is no writer, the pipe is always ready.
        let left = Int32(max(1, min(100, (station.deadline(after: now) - now) / .milliseconds(1))))
        poll(&entries, station.isPlaying ? 2 : 1, left)
        bell.wait(.zero)
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(reader, &bytes, bytes.count)
        guard count > 0 else { return }
        samples += bytes[..<count].withUnsafeBytes { bytes in
            (0..<count / 2).map { bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self) }
        }
    }

    /// The frequency of the left channel in the last second, in hertz, and the greatest sample.
    var tone: (frequency: Int, peak: Int) {
        let left = stride(from: 0, to: samples.count - 1, by: 2).map { Int(samples[$0]) }.suffix(48_000)
        let crossings = zip(left, left.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
        return (left.isEmpty ? 0 : crossings * 48_000 / left.count, left.map(abs).max() ?? 0)
    }

    /// Waits for 2 s of sound, and checks that it is the tone.
    /// - Parameter missing: the greatest part of the sound that may be missing.
    func expectTone(missing: Double = 0) {
        run("tone") { samples.count >= 2 * 48_000 * 2 }
        let (frequency, peak) = tone
        let lowest = Int(435 * (1 - missing))
        #expect((lowest...445).contains(frequency) && peak > 3000, "\(frequency) Hz, \(peak)")
        #expect(report.problem == nil)
    }

    /// Makes a folder with 20 s of a tone in several formats, once for all tests. The AAC file has only headers.
    private static func makeMusic() -> URL? {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tacet-stream-music-\(getpid())")
        let path = { (name: String) in folder.appendingPathComponent(name).path }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try EncodedTone.write(path("music.mp3"), .mp3)
            try EncodedTone.write(path("silence.mp3"), .mp3, amplitude: 0)
            for (name, encoding) in [
                ("vorbis.ogg", EncodedTone.Encoding.vorbis), ("opus.ogg", .opus), ("music.flac", .flac),
            ] {
                try EncodedTone.write(path(name), encoding, title: "A song", artist: "An artist")
            }
            let frame: [UInt8] = [0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc] + [UInt8](repeating: 0, count: 9)
            try Data([[UInt8]](repeating: frame, count: 20_000).joined()).write(
                to: folder.appendingPathComponent("headers.aac"))
        } catch {
            Issue.record(error)
            return nil
        }
        return folder
    }
}

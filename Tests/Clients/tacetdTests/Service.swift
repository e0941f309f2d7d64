import Foundation
import ResumeStore
import ServiceLab
import SoundLab
import Testing

/// The daemon on the `null` PCM, started as systemd would start it.
final class Service {
    let folder: URL
    let manager: ServiceSocket
    private let process: Subprocess
    private let log: Int32

    /// - Parameters:
    ///   - configuration: text that is added to a device, a library and a state folder.
    ///   - tracks: the number of tracks in the library, or nil for no library at all.
    ///   - folder: the folder of an earlier service to continue with, or nil for a new one.
    ///   - bus: the message bus: `system`, `user` or `none`.
    ///   - arguments: additional arguments.
    ///   - wrapper: the beginning of the command, which is a program that runs the rest.
    ///   - errors: its standard error, or nil for the file that `output` reads.
    init(
        _ configuration: String = "", tracks: Int? = 1, in folder: URL? = nil, bus: String = "none",
        arguments: [String] = [], environment: [String: String] = [:], wrapper: [String] = [], errors: Int32? = nil
    ) throws {
        let folder = try folder ?? Service.makeFolder(tracks: tracks)
        self.folder = folder
        try Service.configure(configuration, in: folder)
        manager = try ServiceSocket()
        log = open(folder.appendingPathComponent("log").path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        process = try Subprocess(
            wrapper + [
                try BuiltProgram.path("tacetd"), "--bus=\(bus)", "--config",
                folder.appendingPathComponent("tacet.conf").path,
            ] + arguments,
            environment: ["NOTIFY_SOCKET": manager.name].merging(environment) { $1 },
            errors: errors ?? log)
    }

    deinit {
        process.end()
        close(log)
    }

    /// Creates a folder with a state folder and a library.
    static func makeFolder(tracks: Int?) throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tacet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("state"), withIntermediateDirectories: true)
        Leftovers.add(folder)
        if let tracks { try makeLibrary(tracks, in: folder) }
        return folder
    }

    static func makeLibrary(_ tracks: Int, in folder: URL) throws {
        let music = folder.appendingPathComponent("music")
        try FileManager.default.createDirectory(at: music, withIntermediateDirectories: true)
        for number in 0..<tracks {
            try TestMusic.writeNumbers(to: music.appendingPathComponent("\(number).wav").path, frames: 48_000 * 60)
        }
    }

    static func configure(_ text: String, in folder: URL) throws {
        let device = "[Playback]\nDevice=null\nLibrary=music\n[State]\nDirectory=state\n"
        try (device + text).write(
            to: folder.appendingPathComponent("tacet.conf"), atomically: true, encoding: .utf8)
    }

    var pid: pid_t { process.pid }

    func signal(_ number: Int32) { process.signal(number) }

    /// Waits until the daemon has exited.
    /// - Returns: the exit code, or nil if a signal killed it.
    func wait() -> Int32? {
        let status = process.wait()
        return status & 0x7f == 0 ? (status >> 8) & 0xff : nil
    }

    func kill() { process.end() }

    /// Its standard error so far.
    var output: String {
        (try? String(contentsOf: folder.appendingPathComponent("log"), encoding: .utf8)) ?? ""
    }

    /// The saved state, or nil if there is none yet.
    func state(in directory: String = "state") -> SavedState? {
        try? ResumeStore(directory: folder.appendingPathComponent(directory).path).load()
    }

    /// The saved position in seconds, or -1 without a saved state.
    var savedPosition: Double { state().map { $0.position / .seconds(1) } ?? -1 }

    /// Waits until a condition holds, for at most a minute, because the explorations of all states may take all cores.
    func wait(_ what: String, until condition: () -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            if condition() { return }
            poll(nil, 0, 5)
        }
        Issue.record("no \(what): \(output)")
    }
}

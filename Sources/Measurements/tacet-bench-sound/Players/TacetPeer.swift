import CRealTime
import Glibc
import SoundLab

/// `tacet-bench-player`: Tacet's engine in a process of its own.
final class TacetPeer: Peer {
    private let process: Subprocess
    private let commands: Int32
    private let lines: LineReader

    /// - Parameter fadeIn: milliseconds, as `fadeOut`.
    init(_ paths: [String], on stage: Stage, fadeIn: Int, fadeOut: Int) throws {
        let playlist = stage.folder + "/tacet.m3u"
        try TextFile.write(paths.joined(separator: "\n") + "\n", to: playlist)
        let (input, output) = (try Self.makePipe(), try Self.makePipe())
        process = try Subprocess(
            [stage.player, "speakers", stage.definition, playlist, "\(fadeIn)", "\(fadeOut)"],
            environment: stage.server.environment, input: input.reading, output: output.writing)
        close(input.reading)
        close(output.writing)
        commands = input.writing
        lines = LineReader(owning: output.reading, of: "tacet-bench-player")
        try wait(for: "opened")
    }

    deinit { close(commands) }

    var pid: pid_t { process.pid }

    func pause() throws -> Int { try give("p") }
    func resume() throws -> Int { try give("r") }
    func waitForRest() throws { try wait(for: "closed") }

    func quit() {
        _ = try? give("q")
        process.wait()
    }

    private func give(_ command: Unicode.Scalar) throws -> Int {
        let time = Int(realtime_now())
        var byte = UInt8(ascii: command)
        guard write(commands, &byte, 1) == 1 else { throw BenchError("tacet-bench-player takes no commands") }
        return time
    }

    /// Waits for it to tell something.
    func wait(for line: String) throws {
        while let next = try lines.next() { if next == line { return } }
        throw BenchError("tacet-bench-player does not say \"\(line)\"")
    }

    /// Underruns that it has told of since it was last listened to.
    func underruns() throws -> Int {
        var count = 0
        while let line = try lines.next(within: .zero) { count += line == "underrun" ? 1 : 0 }
        return count
    }

    private static func makePipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw BenchError("there are no more pipes") }
        // The player shall see the end of its commands when this process is gone, and so must not hold them open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

import CRealTime
import Glibc
import SoundLab

/// `tacet-bench-player`, which is Tacet's engine in its own process.
final class TacetPlayer: PlayerProcess {
    private let process: Subprocess
    private let commands: Int32
    private let lines: LineStream

    /// - Parameter fadeIn: The fade-in in milliseconds, like `fadeOut`.
    init(_ paths: [String], on rig: SoundRig, fadeIn: Int, fadeOut: Int) throws {
        let playlist = rig.folder + "/tacet.m3u"
        try TextFile.write(paths.joined(separator: "\n") + "\n", to: playlist)
        let (input, output) = (try Self.makePipe(), try Self.makePipe())
        process = try Subprocess(
            [rig.playerProgram, "pulse", rig.definition(of: "pulse"), playlist, "\(fadeIn)", "\(fadeOut)"],
            environment: rig.server.environment, input: input.reading, output: output.writing)
        close(input.reading)
        close(output.writing)
        commands = input.writing
        lines = LineStream(owning: output.reading, of: "tacet-bench-player")
        try wait(for: "opened")
    }

    deinit { close(commands) }

    var pid: pid_t { process.pid }

    func pause() throws -> Int { try give("p") }
    func resume() throws -> Int { try give("r") }
    func waitUntilIdle() throws { try wait(for: "closed") }

    func quit() {
        _ = try? give("q")
        process.wait()
    }

    private func give(_ command: Unicode.Scalar) throws -> Int {
        let time = Int(realtime_now())
        var byte = UInt8(ascii: command)
        guard write(commands, &byte, 1) == 1 else { throw RigError("tacet-bench-player takes no commands") }
        return time
    }

    /// Waits until the player reports this event.
    func wait(for line: String) throws {
        while let next = try lines.next() { if next == line { return } }
        throw RigError("tacet-bench-player does not report \"\(line)\"")
    }

    /// Returns the number of underruns that it has reported since its output was last read.
    func underruns() throws -> Int {
        var count = 0
        while let line = try lines.next(within: .zero) { count += line == "underrun" ? 1 : 0 }
        return count
    }

    private static func makePipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw RigError("cannot create a pipe") }
        // The player must not inherit the writing end of its own commands. Otherwise, it would never see their end when
        // this process dies.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

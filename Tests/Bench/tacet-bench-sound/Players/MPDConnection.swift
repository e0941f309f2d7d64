import Glibc

/// A connection that uses MPD's protocol. A command is a line, and the answer consists of lines up to "OK". It is
/// implemented here because `mpc` would start a process for each command.
final class MPDConnection {
    private let descriptor: Int32
    private let lines: LineStream

    /// Connects as soon as MPD is ready.
    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        lines = LineStream(owning: descriptor, of: "MPD")
        for _ in 0..<2000 {
            if Self.connects(descriptor, to: path) { break }
            try SoundRig.sleep(.milliseconds(5))
        }
        guard try lines.next()?.hasPrefix("OK MPD") == true else { throw RigError("MPD does not answer") }
    }

    /// Sends a command.
    /// - Returns: The lines of the answer.
    func ask(_ command: String) throws -> [String] {
        let line = Array((command + "\n").utf8)
        guard write(descriptor, line, line.count) == line.count else { throw RigError("MPD takes no commands") }
        var answer: [String] = []
        while let next = try lines.next() {
            if next == "OK" { return answer }
            if next.hasPrefix("ACK") { throw RigError("MPD on \"\(command)\": \(next)") }
            answer.append(next)
        }
        throw RigError("MPD does not answer \"\(command)\"")
    }

    /// Sends a command whose answer contains no lines.
    func send(_ command: String) throws { _ = try ask(command) }

    private static func connects(_ descriptor: Int32, to path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}

import Glibc

/// MPD's protocol: a line is a command, the answer is lines up to "OK". Spoken here rather than by `mpc`, of which each
/// command would be a process to be started first.
final class MPDConnection {
    private let descriptor: Int32
    private let lines: LineReader

    /// Connects as soon as MPD is up.
    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        lines = LineReader(owning: descriptor, of: "MPD")
        for _ in 0..<2000 {
            if Self.connects(descriptor, to: path) { break }
            try Stage.pass(.milliseconds(5))
        }
        guard try lines.next()?.hasPrefix("OK MPD") == true else { throw BenchError("MPD does not answer") }
    }

    /// - Returns: the lines of the answer.
    func ask(_ command: String) throws -> [String] {
        let line = Array((command + "\n").utf8)
        guard write(descriptor, line, line.count) == line.count else { throw BenchError("MPD takes no commands") }
        var answer: [String] = []
        while let next = try lines.next() {
            if next == "OK" { return answer }
            if next.hasPrefix("ACK") { throw BenchError("MPD on \"\(command)\": \(next)") }
            answer.append(next)
        }
        throw BenchError("MPD does not answer \"\(command)\"")
    }

    func tell(_ command: String) throws { _ = try ask(command) }

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

/// Lines that another process writes.
final class LineReader {
    private let descriptor: Int32
    private let name: String
    private var bytes: [UInt8] = []

    /// - Parameters:
    ///   - descriptor: closed when this goes.
    ///   - name: whose lines they are, for errors.
    init(owning descriptor: Int32, of name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    deinit { close(descriptor) }

    /// The next line; nil if none comes in that time.
    func next(within timeout: Duration = .seconds(10)) throws -> String? {
        let deadline = ContinuousClock.now + timeout
        while true {
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
                defer { bytes.removeSubrange(...end) }
                return String(decoding: bytes[..<end], as: UTF8.self)
            }
            let left = max(.zero, deadline - ContinuousClock.now)
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, Int32((left / .milliseconds(1)).rounded(.up))) > 0 else { return nil }
            var piece = [UInt8](repeating: 0, count: 4096)
            let count = read(descriptor, &piece, piece.count)
            guard count > 0 else { throw BenchError("\(name) has gone") }
            bytes += piece[..<count]
        }
    }
}

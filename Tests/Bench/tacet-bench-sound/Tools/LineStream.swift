import Glibc

/// The lines that another process writes.
final class LineStream {
    private let descriptor: Int32
    private let name: String
    private var bytes: [UInt8] = []

    /// - Parameters:
    ///   - descriptor: The descriptor, which the stream owns and closes.
    ///   - name: The name of the process that writes, for errors.
    init(owning descriptor: Int32, of name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    deinit { close(descriptor) }

    /// Returns the next line, or nil if none arrives within the timeout.
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
            guard count > 0 else { throw RigError("\(name) has exited") }
            bytes += piece[..<count]
        }
    }
}

import Glibc

/// Who calls: a connection to the bus, and its process as the bus knows it.
public struct BusCaller: Hashable, Sendable {
    /// The user that the process runs as; nil if the bus did not say.
    public var user: UInt32?
    public var process: pid_t?

    public init(user: UInt32? = nil, process: pid_t? = nil) {
        self.user = user
        self.process = process
    }

    /// The process's name as `ps` shows it; nil if it has ended, or is hidden from this process (`ProtectProc=`).
    public var processName: String? {
        guard let process else { return nil }
        let descriptor = open("/proc/\(process)/comm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        let name = String(decoding: bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return name.isEmpty ? nil : name
    }
}

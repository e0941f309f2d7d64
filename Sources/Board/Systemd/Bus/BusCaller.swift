import Files
import Glibc

/// The caller of a method: the process behind its connection, as the bus identifies it.
public struct BusCaller: Hashable, Sendable {
    /// The user that the process runs as; nil if the bus did not answer.
    public var user: UInt32?
    public var process: pid_t?

    public init(user: UInt32? = nil, process: pid_t? = nil) {
        self.user = user
        self.process = process
    }

    /// The process's name as `ps` shows it; nil if it has ended, or is hidden from this process (`ProtectProc=`).
    public var processName: String? {
        process.flatMap { OpenFile.firstLine(of: "/proc/\($0)/comm") }
    }
}

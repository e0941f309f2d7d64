import Files
import Glibc

/// The caller of a method. It is the process behind the connection, as identified by the bus.
public struct BusCaller: Hashable, Sendable {
    /// The user as which the process runs, or nil if the bus did not answer.
    public var user: UInt32?
    public var process: pid_t?

    public init(user: UInt32? = nil, process: pid_t? = nil) {
        self.user = user
        self.process = process
    }

    /// The name of the process as shown by `ps`, or nil if the process has ended, or if it is hidden from this process
    /// (`ProtectProc=`).
    public var processName: String? {
        process.flatMap { OpenFile.firstLine(of: "/proc/\($0)/comm") }
    }
}

import CSystemd
import Files
import Glibc

/// A call of libsystemd that failed.
public struct SystemdError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was tried, e.g. "watch a descriptor".
    public let operation: String
    /// `errno` code, positive.
    public let code: Int32

    public init(_ operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    public var description: String { "cannot \(operation): \(String(errno: code))" }
}

/// libsystemd answers a negative `errno` code where it failed.
@discardableResult
func check(_ result: Int32, _ operation: String) throws(SystemdError) -> Int32 {
    guard result >= 0 else { throw SystemdError(operation, code: -result) }
    return result
}

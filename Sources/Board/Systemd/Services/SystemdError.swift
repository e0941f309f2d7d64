import CSystemd
import Files
import Glibc

/// A failed call to libsystemd.
public struct SystemdError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The attempted operation, such as "watch a descriptor".
    public let operation: String
    /// The `errno` code, which is positive.
    public let code: Int32

    public init(_ operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    public var description: String { "cannot \(operation): \(String(errno: code))" }
}

/// Checks the result of a call to libsystemd, which is a negative `errno` code after a failure.
@discardableResult
func check(_ result: Int32, _ operation: String) throws(SystemdError) -> Int32 {
    guard result >= 0 else { throw SystemdError(operation, code: -result) }
    return result
}

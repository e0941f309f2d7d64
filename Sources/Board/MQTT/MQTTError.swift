import CMosquitto
import Files
import Glibc

/// The reason why an MQTT operation failed.
public struct MQTTError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The attempted operation, such as `connect to localhost:1883`.
    public let operation: String
    /// The message of the library or the system.
    public let reason: String
    /// True if nothing at the address of the broker has accepted the connection.
    public let isUnreachable: Bool

    public var description: String { "cannot \(operation): \(reason)" }

    init(_ operation: String, reason: String, isUnreachable: Bool = false) {
        self.operation = operation
        self.reason = reason
        self.isUnreachable = isUnreachable
    }

    /// Creates the error of a library call.
    /// - Parameter code: the result of the library, which is not `MOSQ_ERR_SUCCESS`.
    init(_ operation: String, code: Int32, errno code2: Int32 = Glibc.errno) {
        self.init(operation, reason: MQTTError.text(of: code, errno: code2))
    }

    static func text(of code: Int32, errno: Int32) -> String {
        switch mosq_err_t(code) {
        case MOSQ_ERR_ERRNO: String(errno: errno)
        // The library's own text is “Lookup error.” and “Unable to get address information”.
        case MOSQ_ERR_EAI, MOSQ_ERR_LOOKUP: "the host's name cannot be resolved"
        // The library's own text is “Unknown error.”
        case MOSQ_ERR_KEEPALIVE: "the broker does not answer"
        default: String(cString: mosquitto_strerror(code))
        }
    }
}

func check(_ code: Int32, _ operation: @autoclosure () -> String) throws(MQTTError) {
    if code != MOSQ_ERR_SUCCESS.rawValue { throw MQTTError(operation(), code: code) }
}

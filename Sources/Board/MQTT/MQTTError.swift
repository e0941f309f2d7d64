import CMosquitto
import Files
import Glibc

/// Why something could not be done with a broker.
public struct MQTTError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was attempted: `connect to localhost:1883`.
    public let operation: String
    /// The library's or the system's message.
    public let reason: String

    public var description: String { "cannot \(operation): \(reason)" }

    init(_ operation: String, reason: String) {
        self.operation = operation
        self.reason = reason
    }

    /// - Parameter code: the library's result, not `MOSQ_ERR_SUCCESS`.
    init(_ operation: String, code: Int32, errno code2: Int32 = Glibc.errno) {
        self.init(operation, reason: MQTTError.text(of: code, errno: code2))
    }

    static func text(of code: Int32, errno: Int32) -> String {
        switch mosq_err_t(code) {
        case MOSQ_ERR_ERRNO: String(errno: errno)
        // The library says “Lookup error.”, and “Unable to get address information”.
        case MOSQ_ERR_EAI, MOSQ_ERR_LOOKUP: "the host's name cannot be resolved"
        // The library says “Unknown error.”
        case MOSQ_ERR_KEEPALIVE: "the broker does not answer"
        default: String(cString: mosquitto_strerror(code))
        }
    }
}

func check(_ code: Int32, _ operation: @autoclosure () -> String) throws(MQTTError) {
    if code != MOSQ_ERR_SUCCESS.rawValue { throw MQTTError(operation(), code: code) }
}

import Files
import Glibc
import Spelling

/// A failed operation on a chip or a line. It describes what was attempted, why it failed, and what a technician can do
/// about it.
public struct GPIOError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        /// The system does not have a GPIO chip.
        case noChips
        case chipNotFound
        case lineNotFound
        /// The selector matches more than one line.
        case ambiguous
        /// Another program or a kernel driver uses the line. `consumer` is its name, if the kernel reports one.
        case busy(consumer: String?)
        /// Two selectors identify the same line.
        case duplicate
        /// The user running this program does not have access.
        case permission
        /// The chip does not exist or has disappeared.
        case unavailable
        /// Any other system error. See `code`.
        case system
    }

    public let reason: Reason
    /// A verb, such as `find`, `open`, `request` or `read`.
    public let operation: String
    /// The object of the operation, such as `line PHONE_CALL` or `/dev/gpiochip0`.
    public let subject: String
    /// The `errno` code if a system call failed, otherwise nil.
    public let code: Int32?
    /// The cause. If a system call failed, this is the system's message.
    public let message: String
    /// What a technician can do.
    public let advice: String

    public init(
        _ reason: Reason, operation: String, subject: String, code: Int32? = nil, message: String, advice: String
    ) {
        self.reason = reason
        self.operation = operation
        self.subject = subject
        self.code = code
        self.message = message
        self.advice = advice
    }

    public var description: String {
        "cannot \(operation) \(subject): \(message). \(advice.sentenceCased)"
    }
}

extension GPIOError {
    /// Returns the error for a failed system call, with the system's message.
    ///
    /// - Parameter consumer: the current user of the line, which is reported if the line is busy.
    static func system(
        _ code: Int32, _ operation: String, _ subject: String, consumer: String? = nil
    ) -> GPIOError {
        let words = String(errno: code)
        let reason: Reason
        var message = words
        let advice: String
        switch code {
        case EBUSY:
            reason = .busy(consumer: consumer)
            message += consumer.map { ": in use by ‘\($0)’" } ?? ": in use by another program or the kernel"
            advice = "stop that program, or the kernel's driver that took it, or use another line"
        case EACCES, EPERM:
            reason = .permission
            advice = "run as root, or join the group that owns the chips (usually gpio; see `ls -l /dev/gpiochip*`)"
        case ENODEV, ENXIO, ENOENT:
            reason = .unavailable
            advice = "check the chip's connection and power, and the kernel log (`dmesg`)"
        case ENOTTY:
            reason = .system
            advice = "this is not a GPIO chip"
        case EINVAL:
            reason = .system
            advice = "check what the chip's driver supports, or use another line"
        case EMFILE, ENFILE:
            reason = .system
            advice = "close some files, or raise the limit"
        default:
            reason = .system
            advice = "check the kernel log (`dmesg`)"
        }
        return GPIOError(
            reason, operation: operation, subject: subject, code: code, message: message, advice: advice)
    }

    /// True if the chip may only be unable to report edges. Older kernels answer `ENODEV`, as for a chip that has been
    /// removed.
    var lacksEdges: Bool { [ENXIO, ENODEV, EOPNOTSUPP, EINVAL].contains(code) }

    /// Returns the same error with another subject.
    func of(_ subject: String, consumer: String? = nil) -> GPIOError {
        guard let code else {
            return GPIOError(reason, operation: operation, subject: subject, message: message, advice: advice)
        }
        return .system(code, operation, subject, consumer: consumer)
    }
}

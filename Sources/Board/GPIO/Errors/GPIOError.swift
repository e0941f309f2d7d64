import Glibc

/// Why a chip or a line cannot be had: what was tried, what stands in the way, and what a person can do.
public struct GPIOError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        /// There is no chip at all.
        case noChips
        case chipNotFound
        case lineNotFound
        /// More than one line is meant.
        case ambiguous
        /// Somebody else has the line; who, if the kernel knows.
        case busy(consumer: String?)
        /// The same line is wanted by another name already.
        case wantedTwice
        case permission
        /// The chip was there, and is not any more.
        case gone
        /// Anything else that the system says; see `code`.
        case system
    }

    public let reason: Reason
    /// A verb: `find`, `open`, `request`, `read`.
    public let operation: String
    /// What it was tried on: `line PHONE_CALL`, `/dev/gpiochip0`.
    public let subject: String
    /// The system's `errno` code, where a call failed.
    public let code: Int32?
    /// What is wrong; the system's own words, where a call failed.
    public let message: String
    /// What a person can do.
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

    public var description: String { "cannot \(operation) \(subject): \(message); \(advice)" }
}

extension GPIOError {
    /// A call that failed, in the system's words.
    ///
    /// - Parameter consumer: who has the line, in case it is busy.
    static func system(
        _ code: Int32, _ operation: String, _ subject: String, consumer: String? = nil
    ) -> GPIOError {
        let words = strerror(code).map { String(cString: $0) } ?? "error \(code)"
        let reason: Reason
        var message = words
        let advice: String
        switch code {
        case EBUSY:
            reason = .busy(consumer: consumer)
            message += consumer.map { ": ‘\($0)’ has it" } ?? ": somebody else has it"
            advice = "stop that program, or the kernel's driver that took it, or use another line"
        case EACCES, EPERM:
            reason = .permission
            advice = "be root, or join the group that owns the chips (usually gpio; `ls -l /dev/gpiochip*` shows it)"
        case ENODEV, ENXIO, ENOENT:
            reason = .gone
            advice = "the chip is gone: check its plug and power, and what the kernel says (`dmesg`)"
        case ENOTTY:
            reason = .system
            advice = "this is no GPIO chip"
        case EINVAL:
            reason = .system
            advice = "the line cannot do this: see what the chip's driver supports, or use another line"
        case EMFILE, ENFILE:
            reason = .system
            advice = "too many files are open: close some, or raise the limit"
        default:
            reason = .system
            advice = "see what the kernel says (`dmesg`)"
        }
        return GPIOError(
            reason, operation: operation, subject: subject, code: code, message: message, advice: advice)
    }

    /// The same error, said of something else.
    func of(_ subject: String, consumer: String? = nil) -> GPIOError {
        guard let code else {
            return GPIOError(reason, operation: operation, subject: subject, message: message, advice: advice)
        }
        return .system(code, operation, subject, consumer: consumer)
    }
}

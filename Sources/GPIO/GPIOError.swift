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

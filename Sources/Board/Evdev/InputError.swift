import Files
import Glibc

/// Why an input device or one of its codes cannot be read, and what a technician can do about it.
public struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        /// No input device has this name or path.
        case notFound
        /// Several devices have this name and code.
        case ambiguous
        /// libevdev does not know this name of a switch or key.
        case unknownCode
        /// The device has no such switch or key.
        case noSuchCode
        /// The user running this program does not have access.
        case permission
        /// Another program has grabbed the device.
        case busy
        /// Any other system error, such as a device that was unplugged.
        case system
    }

    public let reason: Reason
    /// `SW_LID of Lid Switch`
    public let subject: String
    public let message: String
    public let advice: String

    public init(_ reason: Reason, _ subject: String, _ message: String, advice: String) {
        self.reason = reason
        self.subject = subject
        self.message = message
        self.advice = advice
    }

    public var description: String { "cannot read \(subject): \(message); \(advice)" }

    static func system(_ code: Int32, _ subject: String) -> InputError {
        let words = String(errno: code)
        return switch code {
        case EACCES, EPERM:
            InputError(
                .permission, subject, words, advice: "run it as root, or as a member of the group input")
        case ENOENT, ENODEV, ENXIO:
            InputError(
                code == ENOENT ? .notFound : .system, subject, words,
                advice: "is the device plugged in? ‘tacet inputs’ lists the devices")
        case EBUSY:
            InputError(
                .busy, subject, words, advice: "another program has grabbed the device: write Grab=no, or end it")
        default: InputError(.system, subject, words, advice: "see the kernel's log: dmesg")
        }
    }

    func of(_ subject: String) -> InputError { InputError(reason, subject, message, advice: advice) }
}

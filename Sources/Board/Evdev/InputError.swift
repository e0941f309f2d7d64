import Files
import Glibc
import Spelling

/// The reason why an input device or one of its codes cannot be read, and what a technician can do about it.
public struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        /// There is no input device with this name.
        case notFound
        /// The device no longer exists.
        case gone
        /// Several devices with this name have this code.
        case ambiguous
        /// libevdev does not have a switch or key with this name.
        case unknownCode
        /// The device does not have this switch or key.
        case noSuchCode
        /// The user running this program does not have access.
        case permission
        /// Another program has grabbed the device.
        case busy
        /// Any other system error.
        case system
    }

    public let reason: Reason
    /// The object of the operation, such as `SW_LID of Lid Switch`.
    public let subject: String
    public let message: String
    public let advice: String

    /// Creates an error.
    /// - Parameter advice: the program's advice in terms of its own settings, or nil for general advice.
    public init(_ reason: Reason, _ subject: String, _ message: String, advice: String? = nil) {
        self.reason = reason
        self.subject = subject
        self.message = message
        self.advice = advice ?? reason.advice
    }

    public var description: String {
        "cannot read \(subject): \(message). \(advice.sentenceCased)"
    }

    static func system(_ code: Int32, _ subject: String) -> InputError {
        let reason: Reason =
            switch code {
            case EACCES, EPERM: .permission
            case ENOENT, ENODEV, ENXIO: .gone
            case EBUSY: .busy
            default: .system
            }
        return InputError(reason, subject, String(errno: code))
    }

    /// Returns the same error with other advice, if there is any.
    public func advised(_ advice: (Reason) -> String?, of subject: String? = nil) -> InputError {
        InputError(reason, subject ?? self.subject, message, advice: advice(reason) ?? self.advice)
    }
}

extension InputError.Reason {
    fileprivate var advice: String {
        switch self {
        case .notFound, .gone: "is the device plugged in?"
        case .ambiguous: "specify the path of one of them, such as its link in /dev/input/by-path"
        case .unknownCode: "specify a name of the kernel's input-event-codes.h"
        case .noSuchCode: "specify one that it has"
        case .permission: "run it as root, or as a member of the group input"
        case .busy: "end the program that has grabbed the device"
        case .system: "see the kernel's log (dmesg)"
        }
    }
}

import Files
import Glibc
import Spelling

/// A failed operation on a recording or its folder. The error describes what was attempted, why it failed, and what a
/// technician can do.
public struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        case full, readOnly, missing, permission, inputOutput, encoder, other
    }

    /// A verb, with a preposition if needed, such as "create" or "write to".
    public let operation: String
    public let path: String
    /// The positive `errno` code.
    public let code: Int32
    /// The system's own message.
    public let message: String
    /// The advice to a technician.
    public private(set) var advice: String
    public let reason: Reason

    /// - Parameter code: the `errno` code.
    init(_ operation: String, _ path: String, _ code: CInt) {
        self.operation = operation
        self.path = path
        self.code = code
        message = String(errno: code)
        (reason, advice) = Self.judge(code)
    }

    init(_ error: FileError) { self.init(error.tried, error.path, error.code) }

    /// Creates an error for a format that libFLAC rejects.
    init(rejected format: RecordedFormat, _ path: String) {
        operation = "encode"
        self.path = path
        code = EINVAL
        message = "libFLAC rejects \(format)"
        reason = .encoder
        advice = "record as WAV, or with a usual rate and number of channels"
    }

    public var description: String {
        "cannot \(operation) \"\(path)\": \(message). \(advice.sentenceCased)"
    }

    /// Returns the same error with a program's advice in terms of its own settings, if the program has advice for this
    /// `errno` code.
    public func advised(_ advice: (Int32) -> String?) -> RecordingError {
        var error = self
        error.advice = advice(code) ?? self.advice
        return error
    }

    private static func judge(_ code: Int32) -> (Reason, String) {
        switch code {
        case ENOSPC, EDQUOT: (.full, "free some disk space or keep fewer recordings, after which recording continues")
        case EFBIG: (.full, "record shorter files, because the file system limits their size")
        case EROFS: (.readOnly, "check the system's log for errors of the disk, which is mounted read-only")
        case ENOENT, ENOTDIR: (.missing, "check that the disk with the directory is mounted")
        case EACCES, EPERM: (.permission, "check the permissions of the directory")
        case EIO, ENODEV, ENXIO, ESTALE: (.inputOutput, "check the disk and its connection")
        default: (.other, "check the disk and the system's log")
        }
    }
}

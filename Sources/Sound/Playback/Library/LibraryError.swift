import Glibc

/// A failure to read a folder or playlist.
public struct LibraryError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Reason: Sendable, Hashable {
        case notFound
        case notReadable
        /// Not a folder, a playlist or an audio file.
        case notALibrary
        /// The process or the system has reached its limit of open files. The library itself may be fine.
        case tooManyOpenFiles
    }

    public let reason: Reason
    /// For example "read folder".
    public let operation: String
    public let path: String
    /// The system's own message.
    public let message: String
    /// What a technician can do.
    public let advice: String

    public var description: String {
        "cannot \(operation) \"\(path)\": \(message); \(advice)"
    }

    /// A failed system call; its `errno` code determines the reason and the advice.
    static func system(_ code: Int32, operation: String, path: String) -> LibraryError {
        if code == ENOENT || code == ENOTDIR {
            return LibraryError(
                reason: .notFound, operation: operation, path: path, message: systemWords(code),
                advice: "check the spelling, and that the volume is mounted")
        }
        if code == EMFILE || code == ENFILE {
            return LibraryError(
                reason: .tooManyOpenFiles, operation: operation, path: path, message: systemWords(code),
                advice: tooManyOpenFilesAdvice(code))
        }
        return LibraryError(
            reason: .notReadable, operation: operation, path: path, message: systemWords(code),
            advice: "check the permissions of the file and of the folders above it")
    }
}

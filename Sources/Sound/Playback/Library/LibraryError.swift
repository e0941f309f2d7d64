import Glibc

/// Why a folder or playlist could not be read.
public struct LibraryError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Reason: Sendable, Hashable {
        case notFound
        case notReadable
        /// Neither a folder, a playlist nor an audio file.
        case notALibrary
        /// The process, or the system, has as many files open as it may have. It says nothing of the library.
        case tooManyOpenFiles
    }

    public let reason: Reason
    /// What was tried, e.g. "read folder".
    public let operation: String
    public let path: String
    /// The system's words.
    public let message: String
    /// What a person can do.
    public let advice: String

    public var description: String {
        "cannot \(operation) \"\(path)\": \(message); \(advice)"
    }

    /// An error of the system, told apart by its `errno` code.
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

import Files
import Glibc
import Spelling

/// A failure to read a folder or playlist.
public struct LibraryError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Reason: Sendable, Hashable {
        case notFound
        case notReadable
        /// The path leads to something other than a folder, a playlist or an audio file.
        case notALibrary
        /// The process or the system has reached its limit of open files. The library itself may be fine.
        case tooManyOpenFiles
        /// The library exceeds a limit, so parts of it are omitted.
        case tooLarge
    }

    /// The kind of object that `path` names.
    public enum Kind: Sendable, Hashable { case folder, playlist, file }

    public let reason: Reason
    public let kind: Kind
    /// The operation, for example "read folder".
    public let operation: String
    /// The folder, playlist or file.
    public let file: Track
    /// The system's own message.
    public let message: String
    /// The advice to a technician.
    public let advice: String

    init(reason: Reason, kind: Kind, operation: String, file: Track, message: String, advice: String) {
        self.reason = reason
        self.kind = kind
        self.operation = operation
        self.file = file
        self.message = message
        self.advice = advice
    }

    /// The path, with control characters escaped.
    public var path: String { file.path }

    public var description: String {
        "cannot \(operation) \"\(path)\": \(message). \(advice.sentenceCased)"
    }

    /// Creates an error for a failed system call. The `errno` code determines the reason and the advice.
    static func system(_ code: Int32, _ kind: Kind, operation: String, _ file: Track) -> LibraryError {
        if code == ENOENT || code == ENOTDIR {
            return LibraryError(
                reason: .notFound, kind: kind, operation: operation, file: file, message: String(errno: code),
                advice: "check the spelling, and that the volume is mounted")
        }
        if code == EMFILE || code == ENFILE {
            return LibraryError(
                reason: .tooManyOpenFiles, kind: kind, operation: operation, file: file, message: String(errno: code),
                advice: tooManyOpenFilesAdvice(code))
        }
        return LibraryError(
            reason: .notReadable, kind: kind, operation: operation, file: file, message: String(errno: code),
            advice: "check the permissions of the file and of the folders above it")
    }

    static func tooLarge(
        _ operation: String, _ kind: Kind, _ file: Track, _ message: String, advice: String
    ) -> LibraryError {
        LibraryError(
            reason: .tooLarge, kind: kind, operation: operation, file: file, message: message, advice: advice)
    }

    /// Creates an error for a file or address that is not a library. The error names its actual kind.
    static func notALibrary(_ file: Track) -> LibraryError {
        let path = file.path
        let format = ForeignPlaylist.format(of: path)
        let (message, advice) =
            if let format {
                ("it is \(format), and only M3U playlists are read", ForeignPlaylist.advice)
            } else if UnplayableFiles.matches(path) {
                ("files of the kind .\(pathExtension(path)) cannot be played", "convert it, for example with ffmpeg")
            } else {
                (
                    "it is not a folder, an M3U playlist or an audio file",
                    "use a folder of music, or a file with the extension .m3u, .m3u8 or that of an audio format"
                )
            }
        return LibraryError(
            reason: .notALibrary, kind: format == nil ? .file : .playlist, operation: "open library", file: file,
            message: message, advice: advice)
    }

    /// - Parameter file: a network address that the configuration has converted to a path relative to its folder.
    static func networkAddress(_ file: Track) -> LibraryError {
        LibraryError(
            reason: .notALibrary, kind: .file, operation: "open library", file: file,
            message: "it is a network address",
            advice: "copy the music, or mount the server's folder")
    }
}

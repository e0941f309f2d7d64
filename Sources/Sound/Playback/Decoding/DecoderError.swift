import Glibc

/// Why a track could not be decoded.
public struct DecoderError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Reason: Sendable, Hashable {
        /// The system would not open it: missing, not permitted, no regular file.
        case cannotOpen
        /// The process, or the system, has as many files open as it may have. It says nothing of this file.
        case tooManyOpenFiles
        /// No format the library knows.
        case notAudio
        /// A proper file without a single frame.
        case noAudio
        /// A rate or a number of channels that cannot be played.
        case unsupported
        /// The stream breaks off or does not decode.
        case damaged
    }

    public let reason: Reason
    /// What was tried, e.g. "decode".
    public let operation: String
    public let path: String
    /// The library's or the system's words.
    public let message: String
    /// What a person can do.
    public let advice: String

    init(_ reason: Reason, _ operation: String, _ path: String, message: String, advice: String? = nil) {
        self.reason = reason
        self.operation = operation
        self.path = path
        // Some of the library's sentences have a full stop.
        self.message = message.hasSuffix(".") ? String(message.dropLast()) : message
        self.advice = advice ?? reason.advice
    }

    public var description: String {
        "cannot \(operation) \"\(path)\": \(message); \(advice)"
    }
}

extension DecoderError {
    /// The system would not open a track.
    static func opening(_ track: Track, _ code: Int32) -> DecoderError {
        if code == EMFILE || code == ENFILE {
            return DecoderError(
                .tooManyOpenFiles, "open", track.path, message: systemWords(code), advice: tooManyOpenFilesAdvice(code))
        }
        let advice =
            isForeign(track.pathBytes)
            ? "a playlist can only name files of this board: write a path relative to the playlist" : nil
        return DecoderError(.cannotOpen, "open", track.path, message: systemWords(code), advice: advice)
    }
}

extension DecoderError.Reason {
    fileprivate var advice: String {
        switch self {
        case .cannotOpen: "check that the file exists and may be read"
        case .tooManyOpenFiles: tooManyOpenFilesAdvice(EMFILE)
        case .notAudio: "replace it by a WAV, FLAC, Ogg, Opus, MP3 or AIFF file, or remove it from the library"
        case .noAudio: "replace it, or remove it from the library"
        case .unsupported: "convert it to a usual rate and number of channels"
        case .damaged: "copy the file anew from its source"
        }
    }
}

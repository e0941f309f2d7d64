import Files
import Glibc
import Spelling

/// The reason why a track could not be decoded.
public struct DecoderError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Reason: Sendable, Hashable {
        /// The file is missing, not readable, or not a regular file.
        case cannotOpen
        /// The process or the system has reached its limit of open files. The file itself may be fine.
        case tooManyOpenFiles
        /// The library does not recognise the format.
        case notAudio
        /// The file is valid but does not contain any frames.
        case noAudio
        /// The rate or the number of channels cannot be played.
        case unsupported
        /// The stream is truncated or cannot be decoded.
        case damaged
        /// A part of the stream cannot be decoded, but the rest is played.
        case gap
        /// The system could not read the file, so its storage may be failing.
        case unreadable
    }

    public let reason: Reason
    /// A verb, such as "decode".
    public let operation: String
    public let path: String
    /// The library's or the system's own message.
    public let message: String
    /// The advice to a technician.
    public let advice: String
    /// The number of frames that are silent because of a gap.
    fileprivate(set) var silence = 0

    init(_ reason: Reason, _ operation: String, _ path: String, message: String, advice: String? = nil) {
        self.reason = reason
        self.operation = operation
        self.path = path.visible
        // Some messages of the libraries end with a full stop.
        self.message = (message.hasSuffix(".") ? String(message.dropLast()) : message).visible(limit: TrackTags.longest)
        self.advice = advice ?? reason.advice
    }

    public var description: String {
        "cannot \(operation) \"\(path)\": \(message). \(advice.sentenceCased)"
    }
}

extension DecoderError {
    /// Creates an error for a sound that the storage takes too long to deliver.
    static func noAnswer(from file: Track) -> DecoderError {
        DecoderError(
            .cannotOpen, "read", file.path, message: "the storage does not answer",
            advice: "check its disk. The file is read again until it answers")
    }

    /// Creates an error for a file that contains hardly any sound.
    static func tooShort(_ path: String, frames: Int, rate: Int) -> DecoderError {
        let words =
            frames == 0
            ? "it holds no audio (0 frames)"
            : "it holds hardly any audio (\(frames) frames at \(rate) Hz, less than 20 ms)"
        return DecoderError(.noAudio, "play", path, message: words)
    }

    /// Creates an error for a failed system call that reads an open file.
    static func reading(_ path: String, _ code: Int32) -> DecoderError {
        DecoderError(.unreadable, "read", path, message: String(errno: code))
    }

    /// Creates an error for a file that has become shorter since it was opened.
    static func shortened(_ path: String) -> DecoderError {
        DecoderError(.damaged, "read all of", path, message: "it has become shorter in the meantime")
    }

    /// Creates an error for a file that is cut short.
    static func cut(_ path: String, _ words: String, at frame: Int) -> DecoderError {
        DecoderError(.damaged, "decode", path, message: "the stream ends at frame \(frame), and \(words)")
    }

    /// Creates an error for a stream that does not end and that cannot be decoded any further.
    static func endless(_ path: String, after frame: Int) -> DecoderError {
        DecoderError(.damaged, "decode", path, message: "the frame that follows frame \(frame) cannot be found")
    }

    /// Creates an error for a part of a stream that cannot be decoded, before the rest is played.
    /// - Parameter silence: the number of silent frames that replace this part.
    static func gap(_ path: String, _ words: String, at frame: Int, silence: Int) -> DecoderError {
        var gap = DecoderError(.gap, "decode all of", path, message: "\(words) (at frame \(max(0, frame)))")
        gap.silence = silence
        return gap
    }

    /// The same error, for a sound whose rest is not played.
    var asDamage: DecoderError { DecoderError(.damaged, operation, path, message: message) }

    /// Creates an error for a track that cannot be opened.
    static func opening(_ track: Track, _ code: Int32) -> DecoderError {
        if code == EMFILE || code == ENFILE {
            return DecoderError(
                .tooManyOpenFiles, "open", track.path, message: String(errno: code),
                advice: tooManyOpenFilesAdvice(code))
        }
        let advice =
            isForeign(track.pathBytes)
            ? "use a path relative to the playlist, which can contain only files on this board" : nil
        return DecoderError(.cannotOpen, "open", track.path, message: String(errno: code), advice: advice)
    }
}

extension DecoderError? {
    /// Records another gap. The first gap is kept, with the total silence of all gaps.
    mutating func note(_ gap: DecoderError?) {
        guard let gap else { return }
        if self == nil { self = gap } else { self?.silence += gap.silence }
    }
}

extension DecoderError.Reason {
    fileprivate var advice: String {
        switch self {
        case .cannotOpen: "check that the file exists and is readable"
        case .tooManyOpenFiles: tooManyOpenFilesAdvice(EMFILE)
        case .notAudio: "replace it with an audio file, such as FLAC, Opus or MP3, or remove it"
        case .noAudio: "replace it, or remove it"
        case .unsupported: "convert it to a usual rate and number of channels"
        case .damaged: "copy the file again from its source"
        case .gap: "the rest is played, but copy the file again from its source"
        case .unreadable: "check the disk, and copy the file again from its source"
        }
    }
}

/// Why nothing can be read for the time being: worth waiting for, as it is not one file's fault.
public struct StorageLoss: Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        /// The disk or server with all of the tracks is gone.
        case gone
        /// The process, or the system, has as many files open as it may have.
        case tooManyOpenFiles
    }

    public let reason: Reason
    /// Of the track that cannot be read.
    public let path: String
    private let words: String

    /// The storage with this track is gone.
    public init(path: String) {
        reason = .gone
        self.path = path
        words = "the storage of \(path) is gone"
    }

    init(_ error: DecoderError) {
        reason = .tooManyOpenFiles
        path = error.path
        words = "\(error)"
    }

    /// A clause: `the storage of … is gone`.
    public var description: String { words }
}

import Files

/// Why a saved state cannot be read or written.
public enum StateError: Error, Hashable, Sendable, CustomStringConvertible {
    case damaged(String)
    /// Another version of Tacet wrote it.
    case unknownVersion(String)
    case file(FileError)

    /// Whether the state itself is to blame, and worth keeping for diagnosis.
    public var isDamage: Bool { if case .file = self { false } else { true } }

    public var description: String {
        switch self {
        case .damaged(let what): "the saved state is damaged: \(what)"
        case .unknownVersion(let version):
            "the saved state is of version \(version), and this Tacet reads version \(SavedState.version)"
        case .file(let error): "\(error)"
        }
    }
}

/// Why a saved state cannot be read or written.
public enum StateError: Error, Hashable, Sendable, CustomStringConvertible {
    case damaged(String)
    /// Another version of Tacet wrote it.
    case unknownVersion(String)
    /// A system call failed: what was tried, on which path, and the system's words.
    case system(tried: String, path: String, code: Int32, words: String)

    /// Whether the state itself is to blame, and worth keeping for diagnosis.
    public var isDamage: Bool { if case .system = self { false } else { true } }

    public var description: String {
        switch self {
        case .damaged(let what): "the saved state is damaged: \(what)"
        case .unknownVersion(let version):
            "the saved state is of version \(version), and this Tacet reads version \(SavedState.version)"
        case .system(let tried, let path, _, let words): "cannot \(tried) \(path): \(words)"
        }
    }
}

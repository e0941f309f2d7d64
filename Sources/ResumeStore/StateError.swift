import Files

/// Why a saved state cannot be read or written.
public enum StateError: Error, Hashable, Sendable, CustomStringConvertible {
    case damaged(String)
    /// Another version of Tacet wrote it.
    case unknownVersion(Int)
    case file(FileError)
    /// A state of so many bytes does not fit into a slot.
    case tooLong(Int)
    /// The system has no more threads, and nobody writes it.
    case noThread
    /// Another process, if it is known which one, keeps its states in this folder.
    case inUse(String, by: Int?)

    /// Whether the state itself is to blame, and worth keeping for diagnosis.
    public var isDamage: Bool {
        switch self {
        case .damaged, .unknownVersion: true
        case .file, .tooLong, .noThread, .inUse: false
        }
    }

    public var description: String {
        switch self {
        case .damaged(let what): "the saved state is damaged: \(what)"
        case .unknownVersion(let version):
            "the saved state is of version \(version), and this Tacet reads versions 1 and \(StateSlot.version)"
        case .file(let error): "\(error)"
        case .tooLong(let length):
            "the state has \(length) bytes, and there is room for \(StateSlot.capacity): give the track a shorter path"
        case .noThread: "the system has no more threads: raise TasksMax"
        case .inUse(let folder, let process):
            "the state folder \(folder) is in use by another Tacet\(process.map { " (process \($0))" } ?? ""): "
                + "stop it (systemctl stop tacet), or use another folder (Directory= in [State])"
        }
    }
}

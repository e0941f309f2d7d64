import Files

/// A state, and which of those that a file may hold it is.
public struct StateReading: Hashable, Sendable, CustomStringConvertible {
    public enum Place: Hashable, Sendable {
        /// - slot: 0 or 1.
        case slot(Int, sequence: Int, other: Other)
        /// A file of version 1, which has no slots.
        case firstVersion
    }

    /// What the slot holds that does not count.
    public enum Other: Hashable, Sendable {
        /// A whole state, and an older one.
        case older(sequence: Int)
        case empty
        /// It was being written when the power went, or the disk has changed it since; in which way.
        case damaged(String)
        case otherVersion(Int)
    }

    public let state: SavedState
    public let place: Place

    public var description: String {
        switch place {
        case .firstVersion: "the state as version 1 saved it"
        case .slot(let slot, let sequence, let other):
            "state \(sequence), in slot \(slot)\(other.words.map { "; slot \(1 - slot) \($0)" } ?? "")"
        }
    }
}

extension StateReading.Other {
    /// - Parameter hasMeaning: whether a whole record was not given up for what it says.
    init(_ content: StateSlot.Content, hasMeaning: Bool) {
        switch content {
        case .whole(let sequence, _): self = hasMeaning ? .older(sequence: sequence) : .damaged("it makes no sense")
        case .empty: self = .empty
        case .otherVersion(let version): self = .otherVersion(version)
        case .damaged(let damage): self = .damaged("\(damage)")
        }
    }

    /// What is worth telling of it.
    var words: String? {
        switch self {
        case .older, .empty: nil
        case .damaged(let what): "does not count: \(what)"
        case .otherVersion(let version): "is of version \(version)"
        }
    }
}

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

import Files

/// A state and its location in the file.
public struct StateReading: Hashable, Sendable, CustomStringConvertible {
    public enum Place: Hashable, Sendable {
        /// The slot, which is 0 or 1, and its sequence number.
        case slot(Int, sequence: Int, other: Other)
        /// A file of version 1, which has no slots.
        case firstVersion
    }

    /// The contents of the other slot.
    public enum Other: Hashable, Sendable {
        /// A complete but older state.
        case older(sequence: Int)
        case empty
        /// The write was interrupted by a power cut, or the disk has corrupted the contents since. The text describes
        /// the damage.
        case damaged(String)
        case otherVersion(Int)
    }

    public let state: SavedState
    public let place: Place

    public var description: String {
        switch place {
        case .firstVersion: "a state in the format of version 1"
        case .slot(let slot, let sequence, let other):
            "state \(sequence) in slot \(slot)\(other.words.map { " (slot \(1 - slot) \($0))" } ?? "")"
        }
    }
}

extension StateReading.Other {
    /// Describes the contents of a slot.
    /// - Parameter isReadable: false if the facts in a complete record could not be read.
    init(_ content: StateSlot.Content, isReadable: Bool) {
        switch content {
        case .whole(let sequence, _): self = isReadable ? .older(sequence: sequence) : .damaged("its text is malformed")
        case .empty: self = .empty
        case .otherVersion(let version): self = .otherVersion(version)
        case .damaged(let damage): self = .damaged("\(damage)")
        }
    }

    /// A description of anything unusual about the slot, or nil if there is nothing.
    var words: String? {
        switch self {
        case .older, .empty: nil
        case .damaged(let what): "is ignored because \(what)"
        case .otherVersion(let version): "has version \(version)"
        }
    }
}

/// The reason why a saved state cannot be read or written.
public enum StateError: Error, Hashable, Sendable, CustomStringConvertible {
    case damaged(String)
    /// Another version of Tacet wrote the state.
    case unknownVersion(Int)
    case file(FileError)
    /// The text of the state, which has this many bytes, does not fit into a slot.
    case tooLong(Int)
    /// The system cannot start another thread, so the state cannot be written.
    case noThread
    /// Another process saves its state in this folder. `by` is its process ID, if known.
    case inUse(String, by: Int?)

    /// True if the state itself is the problem, so that it should be kept for diagnosis.
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
            "the saved state has version \(version), but this Tacet reads only versions 1 and \(StateSlot.version)"
        case .file(let error): "\(error)"
        case .tooLong(let length):
            "the state has \(length) bytes, but a slot holds \(StateSlot.capacity), so give the track a shorter path"
        case .noThread: "the system cannot start another thread: raise TasksMax="
        case .inUse(let folder, let process):
            "the state folder \(folder) is in use by another Tacet\(process.map { " (process \($0))" } ?? ""): "
                + "stop it (systemctl stop tacet), or use another folder (Directory= in [State])"
        }
    }
}

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

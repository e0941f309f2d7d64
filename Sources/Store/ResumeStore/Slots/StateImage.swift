/// The contents of a state file, which may be complete or damaged. They consist of the slots and the state to use. This
/// is a pure value, so the caller reads the bytes.
public struct StateImage: Sendable {
    /// The length of a file in bytes. Anything beyond it is ignored.
    public static let longest = StateSlot.count * StateSlot.size

    private let bytes: [UInt8]
    /// The slots. There are none if the file is in the format of version 1.
    package let slots: [StateSlot.Content]
    /// The state with the highest sequence number among the complete and readable slots.
    public let outcome: Result<StateReading, StateError>

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if SavedState.isOfFirstVersion(bytes) {
            slots = []
            do throws(StateError) {
                outcome = .success(StateReading(state: try SavedState(firstVersion: bytes), place: .firstVersion))
            } catch { outcome = .failure(error) }
            return
        }
        slots = Self.slots(of: bytes)
        outcome = Self.read(bytes, slots)
    }

    /// Creates a new file that contains this state.
    public init(of state: SavedState) throws(StateError) {
        let facts = state.facts
        guard let record = StateSlot.record(facts, sequence: 1) else { throw .tooLong(facts.count) }
        self.init(record + [UInt8](repeating: 0, count: Self.longest - record.count))
    }

    /// The slot of the state in use, and its sequence number, or nil if there is none.
    var newest: (slot: Int, sequence: Int)? {
        guard case .success(let reading) = outcome, case .slot(let slot, let sequence, _) = reading.place else {
            return nil
        }
        return (slot, sequence)
    }

    /// The facts of that slot as text, which is empty if there is no such slot.
    package var payload: [UInt8] {
        guard let newest, case .whole(_, let payload) = slots[newest.slot] else { return [] }
        let start = newest.slot * StateSlot.size
        return Array(bytes[start + payload.lowerBound..<start + payload.upperBound])
    }

    /// Returns the pages of a complete record, or nil if the slot does not contain one.
    func record(in slot: Int) -> ArraySlice<UInt8>? {
        guard case .whole(_, let payload) = slots[slot] else { return nil }
        let length = (payload.upperBound + StateSlot.page - 1) / StateSlot.page * StateSlot.page
        return bytes[slot * StateSlot.size..<min(slot * StateSlot.size + length, bytes.count)]
    }

    private static func slots(of bytes: [UInt8]) -> [StateSlot.Content] {
        bytes.withUnsafeBytes { bytes in
            (0..<StateSlot.count).map { slot in
                let start = min(slot * StateSlot.size, bytes.count)
                let end = min(start + StateSlot.size, bytes.count)
                return StateSlot.read(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            }
        }
    }

    private static func read(_ bytes: [UInt8], _ slots: [StateSlot.Content]) -> Result<StateReading, StateError> {
        let whole = slots.indices.filter { slots[$0].sequence != nil }
            .sorted { slots[$0].sequence ?? 0 > slots[$1].sequence ?? 0 }
        var failure: StateError?
        for slot in whole {
            guard case .whole(let sequence, let payload) = slots[slot] else { continue }
            let start = slot * StateSlot.size
            do throws(StateError) {
                let state = try SavedState(
                    facts: bytes[start + payload.lowerBound..<start + payload.upperBound])
                let other = StateReading.Other(slots[1 - slot], isReadable: failure == nil)
                return .success(StateReading(state: state, place: .slot(slot, sequence: sequence, other: other)))
            } catch { failure = failure ?? error }
        }
        return .failure(failure ?? Self.failure(bytes, slots))
    }

    private static func failure(_ bytes: [UInt8], _ slots: [StateSlot.Content]) -> StateError {
        for case .otherVersion(let version) in slots { return .unknownVersion(version) }
        if bytes.isEmpty { return .damaged("it is empty") }
        if slots.allSatisfy({ $0 == .empty }) { return .damaged("it contains only zeros") }
        for case .damaged(let damage) in slots where damage != .noHeader { return .damaged("\(damage)") }
        return .damaged("\(StateSlot.Damage.noHeader)")
    }
}

import Files

/// The requests that a board has executed, so that each one is executed once even if it is delivered repeatedly. The
/// number is limited, and the oldest request is dropped first. It has no side effects.
public struct IDMemory: Hashable, Sendable {
    /// The id of a request and a checksum of its payload.
    public struct Entry: Hashable, Sendable {
        public let id: String
        public let checksum: UInt64

        public init(id: String, checksum: UInt64) {
            self.id = id
            self.checksum = checksum
        }

        init(id: String, of payload: [UInt8]) {
            var sum = Checksum()
            sum.add(payload)
            self.init(id: id, checksum: sum.value)
        }
    }

    enum Finding: Hashable {
        case new
        /// The request was executed before. The value is its answer, or nil if that is no longer stored.
        case repeated(answer: String?)
        /// Another request had this id.
        case reused
    }

    /// The maximum number of stored requests.
    public static let capacity = 4096

    private var checksums: [String: UInt64] = [:]
    private var answers: [String: String] = [:]
    /// The ids in the order in which they were added. The oldest is at `first`.
    private var order: [String] = []
    private var first = 0

    public init(_ entries: [Entry] = []) { for entry in entries { add(entry) } }

    /// The stored requests, oldest first.
    public var entries: [Entry] { order[first...].map { Entry(id: $0, checksum: checksums[$0] ?? 0) } }

    func find(_ entry: Entry) -> Finding {
        switch checksums[entry.id] {
        case nil: .new
        case entry.checksum?: .repeated(answer: answers[entry.id])
        case _?: .reused
        }
    }

    mutating func add(_ entry: Entry) {
        guard checksums.updateValue(entry.checksum, forKey: entry.id) == nil else { return }
        order.append(entry.id)
        guard order.count - first > IDMemory.capacity else { return }
        checksums[order[first]] = nil
        answers[order[first]] = nil
        first += 1
        // Removing the oldest id each time would move all the others.
        if first == IDMemory.capacity {
            order.removeFirst(first)
            first = 0
        }
    }

    mutating func note(answer: String, to id: String) {
        if checksums[id] != nil { answers[id] = answer }
    }
}

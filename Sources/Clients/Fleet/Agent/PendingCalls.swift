/// The calls of Tacet that are not answered yet. It has no side effects.
struct PendingCalls: Hashable {
    enum Purpose: Hashable {
        case signal(String)
        case health
        /// A request of the broker, with the destination of its answer.
        case request(Reply)
        /// A part of a message of Ruter's audio topic.
        case audioPart(topic: String, id: String)
    }

    private(set) var purposes: [Int: Purpose] = [:]
    private var last = 0

    /// Returns the number of the call.
    mutating func add(_ purpose: Purpose) -> Int {
        last += 1
        purposes[last] = purpose
        return last
    }

    mutating func remove(_ number: Int) -> Purpose? { purposes.removeValue(forKey: number) }

    var count: Int { purposes.count }

    /// True if a request of the broker is among them.
    var haveRequest: Bool {
        purposes.values.contains {
            switch $0 {
            case .request, .audioPart: true
            case .signal, .health: false
            }
        }
    }

    var haveAudioPart: Bool { purposes.values.contains { if case .audioPart = $0 { true } else { false } } }

    func haveRequest(remembered key: String?) -> Bool {
        purposes.values.contains { if case .request(let reply) = $0 { reply.key == key } else { false } }
    }
}

/// The calls to Tacet that have not been answered yet. It has no side effects.
struct PendingCalls: Hashable {
    enum Purpose: Hashable {
        case signal(String)
        case health
        /// A command or an announcement from the broker, with the destination of its answer.
        case command(Reply)
        case announcement(Reply)
        /// A part of a message on Ruter's audio topic.
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

    /// True if any of the calls is a request from the broker.
    var haveRequest: Bool {
        purposes.values.contains {
            switch $0 {
            case .command, .announcement, .audioPart: true
            case .signal, .health: false
            }
        }
    }

    var haveAudioPart: Bool { purposes.values.contains { if case .audioPart = $0 { true } else { false } } }

    func haveRequest(remembered key: String?) -> Bool {
        purposes.values.contains {
            switch $0 {
            case .command(let reply), .announcement(let reply): reply.key == key
            case .signal, .health, .audioPart: false
            }
        }
    }

    /// The number of calls that request announcements.
    var announcements: Int {
        purposes.values.count {
            switch $0 {
            case .announcement, .audioPart: true
            case .signal, .health, .command: false
            }
        }
    }
}

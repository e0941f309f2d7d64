import AudioSession
import Fleet
import SessionClient
import Systemd
import Vocabulary

/// A call to Tacet with the arguments that its bus accepts.
struct TacetCall {
    /// The agent's number for the call.
    let number: Int
    var what: FleetCall
    /// The file that an announcement plays instead of the sound's own, or nil to play the sound's own.
    var file: String?
    /// The hash of the file if it is staged.
    var hash: String?

    var interface: String {
        if case .health = what { "org.freedesktop.DBus.Properties" } else { SessionAddress.session }
    }

    var member: String {
        switch what {
        case .command: SessionMethod.command.rawValue
        case .announce: SessionMethod.announce.rawValue
        case .set: SessionMethod.setSignal.rawValue
        case .health: "GetAll"
        }
    }

    var arguments: [BusValue] {
        switch what {
        case .command(let words): [.string(words)]
        case .announce(let order): order.announcement.busArguments(file: file, level: order.level)
        case .set(let signal, let level, let lease):
            [.string(signal), .bool(level), .uint64(UInt64(lease / .microseconds(1)))]
        case .health: [.string(SessionAddress.session)]
        }
    }
}

extension FleetAnswer {
    /// - Parameter result: the answer of Tacet's bus.
    init(_ result: Result<[BusValue], SessionError>, to call: FleetCall) {
        switch result {
        case .success(let values): self.init(values, to: call)
        case .failure(let error): self = .failure(error)
        }
    }

    private init(_ values: [BusValue], to call: FleetCall) {
        let other = FleetAnswer.failure(.unavailable("\(SessionUpdate.Unavailability.otherVersion)"))
        switch (call, values.first, values.last) {
        case (.command, .string(let name)?, .string(let reason)?): self = .answer(name: name, reason: reason)
        case (.set, .string(let name)?, _): self = .answer(name: name, reason: "")
        case (.announce, _, _): self = AnnouncementReceipt(values).map(FleetAnswer.receipt) ?? other
        case (.health, let properties?, _):
            guard case .array(_, let complaints)? = properties.members[SessionProperty.health] else {
                fallthrough
            }
            let signals = properties.members[SessionProperty.signalStates]?.elements.compactMap { signal in
                if case .structure(let fields) = signal { fields.first?.text } else { nil }
            }
            self = .health(complaints.compactMap(\.text), signals: signals.map(Set.init))
        default: self = other
        }
    }
}

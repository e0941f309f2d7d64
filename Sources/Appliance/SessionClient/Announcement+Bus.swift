import AudioSession
import Systemd

extension Announcement {
    /// The arguments of `Announce` of `org.tacet.Session1`. The daemon numbers announcements itself.
    package var busArguments: [BusValue] {
        var options: [String: BusValue] = [:]
        options["priority"] = priority.map { .int64(Int64($0)) }
        switch expire {
        case .asConfigured: break
        // On the bus, 0 means as configured.
        case .after(let time): options["expire"] = .uint64(max(1, UInt64(clamping: Int64(time / .microseconds(1)))))
        case .never: options["expire"] = .uint64(.max)
        }
        return [.string(sound.rawValue), .dictionary(options)]
    }
}

/// The answer to an announcement.
public struct AnnouncementReceipt: Hashable, Sendable {
    /// `success` if the sound is due now, `deferred` if it waits; then it has a number.
    public let answer: Answer
    /// Its number, which its notifications carry; 0 if it was not accepted.
    public let id: Announcement.ID

    /// - Returns: nil if these are not the results of `Announce`.
    package init?(_ results: [BusValue]) {
        guard results.count == 2, case .string(let name) = results[0], case .uint64(let id) = results[1],
            let answer = Answer(name: name)
        else { return nil }
        (self.answer, self.id) = (answer, id)
    }
}

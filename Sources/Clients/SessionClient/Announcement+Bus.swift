import AudioSession
import Systemd
import Time

extension Announcement {
    /// The time within which the daemon answers. If an announcement has a file, the daemon answers when it has read the
    /// file, or gives up after 20 s.
    package static func answerTimeout(file: String?) -> Duration { .seconds(file == nil ? 5 : 25) }

    /// The arguments of `Announce` of `org.tacet.Session1`. The daemon numbers announcements itself.
    /// - Parameters:
    ///   - file: the file that is played instead of the sound's own file, or nil to play the sound's own.
    ///   - level: the level of the file relative to the sound's level.
    package func busArguments(file: String?, level: Level = .full) -> [BusValue] {
        var options: [String: BusValue] = [:]
        options["file"] = file.map(BusValue.string)
        if file != nil, level != .full { options["level"] = .double(level.decibels) }
        options["priority"] = priority.map { .int64(Int64($0)) }
        options["maximumPriority"] = maximumPriority.map { .int64(Int64($0)) }
        switch expire {
        case .asConfigured: break
        // On the bus, 0 means as configured.
        case .after(let time): options["expire"] = .uint64(max(1, UInt64(clamping: time.wholeMicroseconds)))
        case .never: options["expire"] = .uint64(.max)
        }
        return [.string(sound.rawValue), .dictionary(options)]
    }
}

/// The answer to an announcement.
public struct AnnouncementReceipt: Hashable, Sendable {
    /// `success` if the sound starts now, or `deferred` if the announcement is queued, in which case it has a number.
    public let answer: Answer
    /// The announcement's number, which its notifications carry, or 0 if it was not accepted.
    public let id: Announcement.ID

    /// - Returns: nil if these are not the results of `Announce`.
    package init?(_ results: [BusValue]) {
        guard results.count == 2, case .string(let name) = results[0], case .uint64(let id) = results[1],
            let answer = Answer(name: name)
        else { return nil }
        (self.answer, self.id) = (answer, id)
    }
}

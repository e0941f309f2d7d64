import AudioSession
import Configuration
import SessionClient
import Spelling

/// `tacet announce`: plays a sound once, over the programme.
enum AnnounceCommand: Subcommand {
    static let manual = Manual(
        name: "announce", summary: "play a sound once, over the programme",
        operand: .init("NAME", "sound", .one, .nothing),
        options: [
            .init("--priority", .init("N", .nothing), "from 0 to 100, instead of the sound's own"),
            .init(
                "--expire", .init("TIME", .words(["5s", "10s", "1min", "infinity"])),
                "drop it if it has not begun after this long, instead of the sound's own"),
            .init("--wait", nil, "wait until it has been heard"),
            .init("--json", nil, "one JSON object"), DaemonConnection.option,
        ],
        text: """
            Requests an announcement of a sound: a section [Sound NAME] of the configuration. The sound's Effect= \
            decides what the programme does meanwhile. Only one sound is heard at a time: the one with the highest \
            priority, and among equals the oldest. A signal that interrupts silences announcements of a lower priority \
            than its own; they are heard after it, if they have not expired.

            Prints the answer: success (it is heard now); deferred (it waits); noSuchContent (there is no such sound, \
            or its file cannot be read); commandFailed (16 announcements wait already). Only root and the group tacet \
            may send commands.

            With --wait it also prints heard, expired or hushed, when that has happened. To end the wait with Ctrl-C \
            does not withdraw the announcement: tacet hush does.
            """,
        failure: "the announcement was rejected; with --wait also: it was not heard to its end", asksDaemon: true)

    static func run(_ options: Options) throws -> ExitCode {
        let announcement = try announcement(options)
        // The wait must see every event that follows the request.
        let wait = options.flags.contains("--wait") ? try AnnouncementWait(DaemonConnection.bus(options)) : nil
        let daemon = try DaemonConnection(options)
        let receipt = try daemon.send(announcement)
        let asJSON = options.flags.contains("--json")
        if !asJSON { _ = Terminal.write(receipt.answer.name) }
        let end: AnnouncementWait.End?
        if receipt.id == 0 {
            end = nil
            if receipt.answer == .noSuchContent { explain(announcement.sound, try SoundListing(daemon)) }
        } else {
            end = wait?.end(of: receipt.id)
        }
        if asJSON {
            Terminal.say(json(receipt, end))
        } else if let end {
            Terminal.say(end.description)
        }
        if end == .gone { return .notRunning }
        return receipt.id != 0 && end ?? .heard == .heard ? .done : .failed
    }

    private static func announcement(_ options: Options) throws(UsageError) -> Announcement {
        var announcement = Announcement(SoundID(options.operands[0]))
        if let text = options.values["--priority"] {
            guard let priority = Int(text), SoundPolicy.priorities.contains(priority) else {
                throw UsageError("‘\(text)’ is not a priority: write a number from 0 to 100", subcommand: manual.name)
            }
            announcement.priority = priority
        }
        if let text = options.values["--expire"] { announcement.expire = try expire(text) }
        return announcement
    }

    private static func expire(_ text: String) throws(UsageError) -> Announcement.Expire {
        if text == "infinity" { return .never }
        guard let time = TimeSpan.parse(text), time >= .microseconds(1) else {
            throw UsageError(
                "‘\(text)’ is not a time: write 10s, 1min 30s, or infinity", subcommand: manual.name)
        }
        return .after(time)
    }

    /// On standard error, because the answer is the output.
    private static func explain(_ sound: SoundID, _ listing: SoundListing) {
        guard let found = listing.sounds.first(where: { $0.name == sound.rawValue }) else {
            let names = listing.sounds.map(\.name)
            let advice = names.isEmpty ? "the configuration has no sounds" : "‘tacet sounds’ lists them"
            return Terminal.complain(
                "tacet: " + Spelling.unknown("sound", sound.rawValue, among: names, otherwise: advice))
        }
        Terminal.complain("tacet: the file of the sound \(found.name) cannot be read: \(found.problem)")
    }

    private static func json(_ receipt: AnnouncementReceipt, _ end: AnnouncementWait.End?) -> String {
        JSON.object([
            ("answer", JSON.string(receipt.answer.name)), ("id", "\(receipt.id)"),
            ("end", end.map { JSON.string($0.rawValue) } ?? "null"),
        ])
    }
}

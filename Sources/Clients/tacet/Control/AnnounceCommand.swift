import AudioSession
import Configuration
import Glibc
import SessionClient
import Spelling
import Time
import Vocabulary

/// `tacet announce`: plays a sound once, over the music.
enum AnnounceCommand: Subcommand {
    static let manual = Manual(
        name: "announce", summary: "play a sound once, over the music",
        operand: .init("NAME", "sound", .one, .nothing),
        options: [
            .init("--priority", .init("N", .nothing), "from 0 to 100, instead of the sound's own"),
            .init(
                "--expire", .init("TIME", .words(["5s", "10s", "1min", "infinity"])),
                "drop it if it has not begun after this long, instead of the sound's own"),
            .init("--file", .init("FILE", .file), "what is heard instead of the sound's own file"),
            .init("--wait", nil, "wait until it has been heard"),
            .init("--json", nil, "one JSON object"), DaemonConnection.option,
        ],
        text: """
            Requests an announcement of a sound: a section [Sound NAME] of the configuration. The sound's Effect= \
            decides what the music does meanwhile. Only one sound is heard at a time: the one with the highest \
            priority, and among equals the oldest. A signal that interrupts silences announcements of a lower priority \
            than its own; they are heard after it, if they have not expired.

            With --file the announcement brings its own audio file, of any kind that Library= can contain and at most \
            2 MiB; all else is as configured for the sound. The daemon must be able to read it (it does not see your \
            /tmp). It is read at once, and can be deleted as soon as the answer has been printed.

            Prints the answer: success (it is heard now); deferred (it waits); noSuchContent (there is no such sound, \
            or its file cannot be read; if it came with --file, the journal says why); commandFailed (16 \
            announcements wait already, or a hush withdrew it while its file was being read). Only root and the group \
            tacet may send commands.

            With --wait it also prints heard, expired or hushed, when that has happened. To end the wait with Ctrl-C \
            does not withdraw the announcement: tacet hush does.
            """,
        examples: [
            .init("Announce the sound gong, and wait until it has been played:", "tacet announce gong --wait"),
            .init(
                "Announce with another file, and drop the announcement if it cannot begin within five seconds:",
                "tacet announce gong --file /srv/sounds/delay.opus --expire 5s"),
        ],
        failure: "the announcement was rejected; with --wait also: it was not heard to its end", asksDaemon: true)

    static func run(_ options: Options) throws -> ExitCode {
        let announcement = try announcement(options)
        // The wait must be able to receive every event that follows the request.
        let wait = options.flags.contains("--wait") ? try AnnouncementWait(DaemonConnection.bus(options)) : nil
        let daemon = try DaemonConnection(options)
        let file = try options.values["--file"].map(absolute)
        let receipt = try daemon.send(announcement, file: file)
        let asJSON = options.flags.contains("--json")
        if !asJSON { _ = Terminal.write(receipt.answer.name) }
        let end: AnnouncementWait.End?
        if receipt.id == 0 {
            end = nil
            if receipt.answer == .noSuchContent { explain(announcement.sound, file, try SoundListing(daemon)) }
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

    /// Returns an absolute path, because the daemon has another working directory.
    private static func absolute(_ path: String) throws(UsageError) -> String {
        guard !path.hasPrefix("/") else { return path }
        guard let folder = getcwd(nil, 0) else {
            throw UsageError("the working directory is unknown: write an absolute path", subcommand: manual.name)
        }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    private static func expire(_ text: String) throws(UsageError) -> Announcement.Expire {
        if text == "infinity" { return .never }
        guard let time = TimeSpan.parse(text), time >= .microseconds(1) else {
            throw UsageError(
                "‘\(text)’ is not a time: write 10s, 1min 30s, or infinity", subcommand: manual.name)
        }
        return .after(time)
    }

    /// Explains why the sound is not available. It writes to standard error, because the answer is the output.
    private static func explain(_ sound: SoundID, _ file: String?, _ listing: SoundListing) {
        guard let found = listing.sounds.first(where: { $0.name == sound.rawValue }) else {
            let names = listing.sounds.map(\.name)
            let advice = names.isEmpty ? "the configuration has no sounds" : "‘tacet sounds’ lists them"
            return Terminal.complain(
                "tacet: " + Spelling.unknown("sound", sound.rawValue, among: names, otherwise: advice))
        }
        if let file {
            return Terminal.complain(
                "tacet: the daemon cannot use \(file): ‘journalctl -u tacet \(JournalField.event.name)=\(JournalEvent.command.rawValue)’ says why"
            )
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

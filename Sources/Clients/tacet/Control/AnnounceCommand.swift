import AudioSession
import Configuration
import Glibc
import SessionClient
import Simulation
import Spelling
import Time
import Vocabulary

/// `tacet announce`: plays a sound once, over the music.
enum AnnounceCommand: Subcommand {
    static let manual = Manual(
        name: "announce", summary: "play a sound once, over the music",
        operand: .init("NAME", "sound", .one, .nothing),
        options: [
            .init("--priority", .init("N", .nothing), "use this priority from 0 to 100 instead of the sound's own"),
            .init(
                "--expire", .init("TIME", .words(["5s", "10s", "1min", "infinity"])),
                "drop the announcement if it has not begun within this time (overrides the sound's Expire=)"),
            .init("--file", .init("FILE", .file), "play this file instead of the sound's own"),
            .init("--wait", nil, "wait until the announcement has ended"),
            .init("--json", nil, "print one JSON object"), DaemonConnection.option,
        ],
        text: """
            Requests an announcement of the sound NAME, which is a section [Sound NAME] of the configuration. The key \
            Effect= of the sound decides what the music does meanwhile. Only one sound plays at a time, which is the one \
            with the highest priority and, among equals, the oldest. A signal that interrupts the music delays \
            announcements of a lower priority than its own. They are played after it unless they have expired.

            With --file, the announcement plays another audio file, which can have any format of Library= and at most \
            2 MiB. All other settings are those of the sound. The daemon must be able to read the file, and it does not \
            see your /tmp. The file is read at once, so it can be deleted as soon as the answer has been printed.

            The keys Again= and Once= of the sound can cause a request to be ignored, or to restart the announcement that \
            is playing. The request then gets the number of that announcement, or 0 if there is none.

            With --wait, the program waits until the announcement has ended and then prints how it ended. Pressing Ctrl-C \
            stops waiting but does not cancel the announcement. ‘tacet hush’ cancels all announcements.

            Only root and members of the group tacet may announce.
            """,
        listing: .init(
            "Prints what happened in words. With --json, prints an object with the members answer, id (the number of the "
                + "announcement) and end instead. The answer and, with --wait, the end are one of these words:",
            """
            answer  success        The announcement is playing, or the request was ignored (see Again= and
                                   Once= in tacet.conf(5)).
                    deferred       The announcement is in the queue.
                    noSuchContent  There is no such sound, or its file cannot be read.
                    commandFailed  The queue has 16 announcements already, or the announcement was
                                   cancelled while its file was being read.
            end     heard          The announcement was played to its end.
                    expired        The announcement did not begin in time.
                    hushed         The announcement was cancelled.
                    gone           The daemon has stopped.
            """),
        examples: [
            .init("Announce the sound gong, and wait until it has been played:", "tacet announce gong --wait"),
            .init(
                "Announce with another file, and drop the announcement if it cannot begin within five seconds:",
                "tacet announce gong --file /srv/sounds/delay.opus --expire 5s"),
        ],
        failure: "the announcement was rejected or, with --wait, was not played to its end", asksDaemon: true)

    static func run(_ options: Options) throws -> ExitCode {
        let announcement = try announcement(options)
        // The wait must be able to receive every event that follows the request.
        let wait = options.flags.contains("--wait") ? try AnnouncementWait(DaemonConnection.bus(options)) : nil
        let daemon = try DaemonConnection(options)
        let file = try options.values["--file"].map(absolute)
        let receipt = try daemon.send(announcement, file: file)
        let asJSON = options.flags.contains("--json")
        // Unbuffered, because the wait may be long.
        if !asJSON { _ = Terminal.write(try words(receipt, announcement, daemon)) }
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
        guard receipt.id != 0 else { return receipt.answer == .success ? .done : .failed }
        return end ?? .heard == .heard ? .done : .failed
    }

    private static func words(
        _ receipt: AnnouncementReceipt, _ announcement: Announcement, _ daemon: DaemonConnection
    ) throws -> String {
        switch receipt.answer {
        case .success where receipt.id == 0:
            "The request was ignored, because \(announcement.sound) has just been announced (see Once=)."
        case .success: "The announcement is playing."
        case .commandFailed: "The announcement was rejected: \(rejection)."
        default: try daemon.sentence(receipt.answer, to: .command(.announce(announcement)))
        }
    }

    /// The bus does not give the reason.
    private static let rejection =
        "the queue is full, or it was cancelled while its file was being read, or another configuration is being applied"

    private static func announcement(_ options: Options) throws(UsageError) -> Announcement {
        var announcement = Announcement(SoundID(options.operands[0]))
        if let text = options.values["--priority"] {
            guard let priority = WrittenAnnouncement.priority(text) else {
                throw UsageError(
                    "‘\(text)’ is not a priority: \(WrittenAnnouncement.priorityAdvice)", subcommand: manual.name)
            }
            announcement.priority = priority
        }
        if let text = options.values["--expire"] {
            guard let expire = WrittenAnnouncement.expire(text) else {
                throw UsageError(
                    "‘\(text)’ is not a time: \(WrittenAnnouncement.expireAdvice)", subcommand: manual.name)
            }
            announcement.expire = expire
        }
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
                "tacet: the daemon cannot use \(file): see ‘journalctl -u tacet \(JournalField.event.name)=\(JournalEvent.command.rawValue)’ for the reason"
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

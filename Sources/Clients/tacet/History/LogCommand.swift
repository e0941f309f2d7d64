import Clocks
import Time

/// `tacet log`: lists the past interruptions, from the journal.
enum LogCommand: Subcommand {
    static let manual = Manual(
        name: "log", summary: "list the history of interruptions",
        options: HistoryRange.options + [.init("--json", nil, "print one JSON object")],
        text: """
            Lists what interrupted or ducked the music. Each line shows when it began, which signals caused it, how long it \
            lasted, how soon it took effect, and what followed. The list also contains faults, lost devices, commands, \
            starts of the daemon, and the times in which it did not run because the power was off, or because it was stopped \
            or killed. Earlier boots are included in their order. The dates follow the clock as it is set now, even if it \
            was wrong then.

            Nothing is logged when the power fails, and only systemd logs that the daemon was killed. If the journal does not \
            show when the daemon ended, a duration such as ‘18s to 2min 53s’ gives the shortest and the longest time that is \
            possible.

            Only root and members of the groups adm and systemd-journal can read the whole journal.
            """,
        failure: "the journal or the file cannot be read")

    static func run(_ options: Options) throws -> ExitCode {
        let source = try JournalSource(options, subcommand: manual.name)
        let content = try source.read()
        let chronicle = Chronicle(content.records, exits: content.exits, now: source.presentBoot)
        let range = try HistoryRange(options, now: source.now(in: chronicle), subcommand: manual.name)
        let rows = History(chronicle).rows.filter(range.overlaps)
        if options.flags.contains("--json") {
            Terminal.say(History.json(rows, damaged: content.damaged))
        } else if !rows.isEmpty {
            for (line, isInterruption) in History.text(rows) {
                Terminal.say(line, isEmphasised: isInterruption)
            }
        }
        source.complain(of: content, isNothing: rows.isEmpty)
        return .done
    }
}

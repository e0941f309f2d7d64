import Clocks
import Time

/// `tacet log`: lists the past interruptions, from the journal.
enum LogCommand: Subcommand {
    static let manual = Manual(
        name: "log", summary: "the interruption history, from the journal",
        options: HistoryRange.options + [.init("--json", nil, "one JSON object")],
        text: """
            Lists what interrupted the music or turned it down: when, by which signals, for how long, how soon it was \
            heard, and what came after; also faults, lost devices, commands, starts, starts refused because of their \
            configuration, and the times when nothing ran: without power, stopped, or killed. Earlier boots are \
            included, in their order. Dates are by the clock as it is known now, even if it was wrong then.

            Nothing is logged when the power fails, and when Tacet is killed, only systemd logs it. If the journal does not \
            show when Tacet ended, ‘18s to 2min 53s’ is the least and the most that nothing ran.

            The whole journal can be read by root and the groups adm and systemd-journal.
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

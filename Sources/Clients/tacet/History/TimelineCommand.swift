import Clocks
import Simulation
import Time

/// `tacet timeline`: draws the interruption history as a picture.
enum TimelineCommand: Subcommand {
    static let manual = Manual(
        name: "timeline", summary: "the interruption history as a picture",
        options: [
            .init("-o", .init("FILE.svg", .file), "where to draw it; ‘-’ is standard output"),
            .init("--json", nil, "instead of a picture, one JSON object from which a program can draw it"),
        ] + PictureOptions.options(defaultTitle: "the host and the time that is shown") + HistoryRange.options,
        text: """
            Draws the journal as ‘tacet simulate’ draws a rehearsal. The picture shows the signals, the interruptions, \
            the sounds, the level and the position of the music by the time of day. It also shows when nothing ran \
            because there was no power, or because Tacet was stopped, shut down or killed. Without --since, it shows the \
            last 24 hours that have entries.

            The journal contains beginnings and ends, but no samples. Therefore, ramps are drawn as steps, and the \
            position only as far as the entries and the track’s length prove it. ‘not known’ is the time between the last \
            sign of Tacet and the time from which it certainly did not run.
            """,
        listing: .init(
            """
            With --json, the history is printed as spans in lanes, as the page for Cockpit draws it. Only the newest \
            \(newestEntries) entries of the journal are read, and the newest \(HistoryLanes.mostRows) spans printed; texts are \
            at most \(HistoryLanes.longestText) bytes long, without control characters. Times are in µs; instants \
            count from 1970. A later version of Tacet may add members and kinds; the version changes if a member gets another \
            meaning.
            """,
            """
            version        \(HistoryLanes.version)
            now_usec       when it was printed, by the clock of the board
            since_usec     the range of time; until_usec is null without --until
            until_usec
            offsets        from_usec, ahead_sec: how many seconds the time zone is ahead of UTC from then on
            lanes          id, title and spans, in the order in which they are drawn. The lane ‘outage’ has the
                           times in which nothing ran
            problems       what a person should know, such as entries that could not be read
            in each span:
            kind           how it looks: playing, ducked, quiet, interruption, signal, suppressed, sound,
                           output, recording, fault, command, notice or outage
            what           in words
            began_usec
            lasted_usec    null for an instant, and while it is not over
            at_least_usec  less than lasted_usec if the journal only shows the least and the most
            is_over
            is_cut_short   whether its end was not logged: it lasted at least so long
            details        more words
            """),
        failure: "the journal cannot be read, or has nothing of that time, or the picture cannot be written")

    /// The largest number of entries that are read for a program, which may ask often.
    private static let newestEntries = 20_000

    static func run(_ options: Options) throws -> ExitCode {
        let source = try JournalSource(options, subcommand: manual.name)
        if options.flags.contains("--json") { return try list(source, options) }
        guard let output = options.values["-o"] else {
            throw UsageError("say where to draw it: -o FILE.svg", subcommand: manual.name)
        }
        if case .export(let path) = source, path == output, path != "-" {
            throw UsageError("the picture would replace the journal: name another file", subcommand: manual.name)
        }
        let content = try source.read()
        let chronicle = Chronicle(content.records, exits: content.exits, now: source.presentBoot)
        let range = try HistoryRange(options, now: source.now(in: chronicle), subcommand: manual.name)
        let picture = HistoryPicture(chronicle, range)
        source.complain(of: content, isNothing: picture == nil)
        guard let picture else { return .failed }
        let file = try OutputFile(output)
        var timeline = picture.timeline
        timeline.title = PictureOptions.title(options) ?? timeline.title
        try file.write(timeline.svg(notifications: PictureOptions.showsNotifications(options)))
        try file.commit()
        return .done
    }

    private static func list(_ source: JournalSource, _ options: Options) throws -> ExitCode {
        guard options.values["-o"] == nil else {
            throw UsageError("-o and --json are two outputs: name one", subcommand: manual.name)
        }
        if let option = PictureOptions.given(options) {
            throw UsageError("\(option) is for a picture, and --json prints none", subcommand: manual.name)
        }
        let content = try source.read(newest: newestEntries)
        let chronicle = Chronicle(content.records, exits: content.exits, now: source.presentBoot)
        let now = source.now(in: chronicle)
        let range = try HistoryRange(options, now: now, subcommand: manual.name).bounded(by: chronicle)
        let problems = source.problems(of: content, isNothing: content.records.isEmpty)
        Terminal.say(HistoryLanes(chronicle).json(range, now: now, problems: problems))
        return .done
    }
}

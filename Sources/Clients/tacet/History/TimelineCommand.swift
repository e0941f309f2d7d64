import Clocks
import Simulation
import Time

/// `tacet timeline`: draws the interruption history as a picture.
enum TimelineCommand: Subcommand {
    static let manual = Manual(
        name: "timeline", summary: "draw the history of interruptions",
        options: [
            .init("-o", .init("FILE.svg", .file), "write the picture to this file; ‘-’ is standard output"),
            .init("--json", nil, "print one JSON object from which a program can draw the picture"),
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
            With --json, the program prints the history as spans in lanes, as the page for Cockpit draws it. It reads at most \
            the newest \(newestEntries) entries of the journal and prints at most the newest \(HistoryLanes.mostRows) spans. \
            Texts have at most \(HistoryLanes.longestText) bytes and no control characters. Times are in microseconds, and \
            points in time count from 1970. Later versions of Tacet may add members and kinds. If the meaning of a member \
            changes, the version changes. The members are:
            """,
            """
            version        \(HistoryLanes.version)
            now_usec       the present time by the clock of the board
            since_usec     the begin of the range of time
            until_usec     the end of the range of time; null without --until
            offsets        from_usec and ahead_sec: the seconds by which local time is ahead of UTC from then on
            lanes          id, title and spans, in the order in which they are drawn; the lane ‘outage’ has the
                           times in which the daemon did not run
            problems       problems such as entries that could not be read
            in each span:
            kind           the appearance: playing, ducked, quiet, interruption, signal, suppressed, sound,
                           output, recording, fault, command, notice or outage
            what           a description
            began_usec
            lasted_usec    the duration; null for a point in time and while the span is not over
            at_least_usec  less than lasted_usec if the journal shows only the shortest and longest duration
            is_over
            is_cut_short   true if the end was not logged, so the span lasted at least this long
            details        further descriptions
            """),
        failure: "the journal cannot be read, has no entries in this time, or the picture cannot be written")

    /// The maximum number of entries that are read when a program asks, because it may ask often.
    private static let newestEntries = 20_000

    static func run(_ options: Options) throws -> ExitCode {
        let source = try JournalSource(options, subcommand: manual.name)
        if options.flags.contains("--json") { return try list(source, options) }
        guard let output = options.values["-o"] else {
            throw UsageError("name the file of the picture: -o FILE.svg", subcommand: manual.name)
        }
        if case .export(let path) = source, path == output, path != "-" {
            throw UsageError("the picture would replace the journal, so name another file", subcommand: manual.name)
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
            throw UsageError("-o and --json exclude each other", subcommand: manual.name)
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

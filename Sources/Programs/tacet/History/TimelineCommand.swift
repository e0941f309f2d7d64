import Simulation

/// `tacet timeline`: the interruption history as a picture.
enum TimelineCommand: Subcommand {
    static let manual = Manual(
        name: "timeline", summary: "the interruption history as a picture",
        options: [.init("-o", .init("FILE.svg", .file), "where to draw it; ‘-’ is standard output", isRequired: true)]
            + HistoryRange.options,
        text: """
            Draws the journal as ‘tacet simulate’ draws a rehearsal: signals, session, gain, position and \
            notifications by the time of day, and when nothing ran: without power, stopped, shut down, or killed. \
            Without --since: the last 24 hours that have entries.

            The journal has beginnings and ends, but no samples: ramps are drawn as steps, and the position only as \
            far as the entries and the track’s length prove it. ‘not known’ is the time between the last sign of Tacet and \
            the time from which it certainly did not run.
            """,
        failure: "the journal cannot be read, or has nothing of that time, or the picture cannot be written")

    static func run(_ options: Options) throws -> ExitCode {
        guard let output = options.values["-o"] else {
            throw UsageError("say where to draw it: -o FILE.svg", subcommand: manual.name)
        }
        let source = options.values["--file"].map { JournalSource.export($0) } ?? .journal()
        if case .export(let path) = source, path == output, path != "-" {
            throw UsageError("the picture would replace the journal: name another file", subcommand: manual.name)
        }
        let content = try source.read()
        let chronicle = Chronicle(content.records, exits: content.exits, now: source.presentBoot)
        let last = chronicle.moments.last?.time
        let range = try HistoryRange(
            options, last: options.values["--file"].map { _ in last ?? HistoryRange.now }, subcommand: manual.name)
        source.complain(of: content.damaged)
        guard let picture = HistoryPicture(chronicle, range) else {
            source.complain(ofNothingAmong: content.records.count)
            return .failed
        }
        let file = try OutputFile(output)
        try file.write(picture.timeline.svg())
        try file.commit()
        return .done
    }
}

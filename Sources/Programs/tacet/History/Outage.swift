import Timeline

/// A time in which no daemon ran.
struct Outage: Hashable {
    let cause: Timeline.Outage
    /// The boot that the last entry before it is of.
    let boot: String
    /// The last that is known of the run before, in µs since 1970: it may have lasted longer, until the next state would
    /// have been saved.
    let from: Int64
    /// The first entry of the next run; nil: there has been none.
    let to: Int64?
    /// When the last state was saved; nil: not known.
    var saved: Int64?
    /// Whether it may have lasted longer, as the board did not know the time.
    var isLengthUncertain = false

    /// Between the runs of a chronicle, and after the last one if it was stopped.
    static func all(in chronicle: Chronicle) -> [Outage] {
        let runs = Run.all(in: chronicle.moments)
        var outages = zip(runs, runs.dropFirst()).map { Outage(between: $0, and: $1, in: chronicle) }
        if let last = runs.last, last.isStopped {
            outages.append(Outage(cause: .stopped, after: last.last))
        }
        return outages
    }

    private init(cause: Timeline.Outage, after last: Chronicle.Moment) {
        (self.cause, boot, from, to) = (cause, last.record.boot, last.time, nil)
    }

    private init(between run: Run, and next: Run, in chronicle: Chronicle) {
        let (last, first) = (run.last, next.first)
        let isSameBoot = last.record.boot == first.record.boot
        cause =
            switch next.started?.record["LAST_RUN"] {
            case "stopped": isSameBoot ? .stopped : .shutDown
            case "killed": .killed
            case "power-cut": .powerCut
            // An entry of a version that did not record it, or the run did not get that far.
            default: run.isStopped ? isSameBoot ? .stopped : .shutDown : isSameBoot ? .killed : .powerCut
            }
        boot = last.record.boot
        // The journal loses its last entries with the power, and between two of them the daemon saves.
        let saved = next.started.flatMap { chronicle.saved($0.record) }
            .flatMap { $0 < first.time ? $0 : nil }
        self.saved = saved
        from = run.isStopped ? last.time : max(last.time, saved ?? last.time)
        to = first.time
        isLengthUncertain = !isSameBoot && chronicle.boot(first.record.boot)?.isStartUncertain ?? false
    }
}

/// What one process of the daemon told.
private struct Run {
    let first: Chronicle.Moment
    private(set) var last: Chronicle.Moment
    /// Its entry `started`, if it got that far.
    private(set) var started: Chronicle.Moment?
    private(set) var isStopped = false

    private init(_ moment: Chronicle.Moment) {
        (first, last) = (moment, moment)
        note(moment)
    }

    static func all(in moments: [Chronicle.Moment]) -> [Run] {
        var runs: [Run] = []
        // One that was refused its start did not run.
        for moment in moments where moment.record.event != "start-refused" {
            if let run = runs.last, run.includes(moment) {
                runs[runs.count - 1].note(moment)
            } else {
                runs.append(Run(moment))
            }
        }
        return runs
    }

    private func includes(_ moment: Chronicle.Moment) -> Bool {
        guard moment.record.boot == last.record.boot else { return false }
        if let process = moment.record.process, let before = last.record.process { return process == before }
        return !isStopped && (started == nil || moment.record.event != "started")
    }

    private mutating func note(_ moment: Chronicle.Moment) {
        last = moment
        if moment.record.event == "started" { started = moment }
        if moment.record.event == "stopping" { isStopped = true }
    }
}

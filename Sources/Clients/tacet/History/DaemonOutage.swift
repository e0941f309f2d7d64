import Timeline
import Vocabulary

/// A time during which no daemon ran.
struct DaemonOutage: Hashable {
    let cause: Timeline.Outage
    /// The boot of the last entry before the outage.
    let boot: String
    /// The last known activity of the previous run, in µs since 1970.
    let from: Int64
    /// The time from which it is certain that nothing ran. It equals `from` if the end of the run was logged.
    let certainFrom: Int64
    /// The first entry of the next run, or nil if there is none.
    let to: Int64?
    /// The time at which the last state was saved, or nil if it is unknown.
    var saved: Int64?
    /// True if it may have lasted longer, because the board's clock was wrong.
    var isLengthUncertain = false

    /// The outcome of everything that was not over when the outage began.
    var verdict: String {
        switch cause {
        case .powerCut: "not over at the power cut"
        case .killed: "not over when Tacet was killed"
        case .stopped, .shutDown: "not over when Tacet was stopped"
        case .asleep: "not over when the system was suspended"
        case .unknown: "not over when Tacet ended"
        }
    }

    /// The outages between the runs of a chronicle, and the one after the last run if that was stopped.
    static func all(in chronicle: Chronicle) -> [DaemonOutage] {
        let runs = Run.all(in: chronicle.moments)
        var outages = zip(runs, runs.dropFirst()).map { DaemonOutage(between: $0, and: $1, in: chronicle) }
        if let last = runs.last, last.isStopped {
            outages.append(DaemonOutage(cause: .stopped, after: last.last))
        }
        return outages
    }

    private init(cause: Timeline.Outage, after last: Chronicle.Moment) {
        (self.cause, boot, from, to) = (cause, last.record.boot, last.time, nil)
        certainFrom = last.time
    }

    private init(between run: Run, and next: Run, in chronicle: Chronicle) {
        let (last, first) = (run.last, next.first)
        let isSameBoot = last.record.boot == first.record.boot
        cause =
            switch next.started?.record[.lastRun].flatMap(RunEnd.init) {
            case .stopped: isSameBoot ? .stopped : .shutDown
            case .killed: .killed
            case .powerCut: .powerCut
            // The entry is from a version that did not record the cause, or the run ended before it logged its start.
            case nil: run.isStopped ? isSameBoot ? .stopped : .shutDown : isSameBoot ? .killed : .powerCut
            }
        boot = last.record.boot
        // A power cut loses the journal's last entries, and the daemon also saves between entries. The saved state may
        // therefore be newer.
        let saved = next.started.flatMap { chronicle.saved($0.record) }
            .flatMap { $0 < first.time ? $0 : nil }
        self.saved = saved
        to = first.time
        let sign = max(last.time, saved ?? last.time)
        if run.isStopped {
            (from, certainFrom) = (last.time, last.time)
        } else if let end = chronicle.end(of: last.record), end <= first.time {
            (from, certainFrom) = (max(end, sign), max(end, sign))
        } else {
            // Without power, nothing runs until the next boot begins.
            let boot = isSameBoot ? nil : chronicle.boot(first.record.boot)?.start
            (from, certainFrom) = (sign, max(sign, min(boot ?? first.time, first.time)))
        }
        isLengthUncertain = !isSameBoot && chronicle.boot(first.record.boot)?.isStartUncertain ?? false
    }
}

/// The entries of one process of the daemon.
private struct Run {
    let first: Chronicle.Moment
    private(set) var last: Chronicle.Moment
    /// The entry `started`, or nil if the run ended before it.
    private(set) var started: Chronicle.Moment?
    private(set) var isStopped = false

    private init(_ moment: Chronicle.Moment) {
        (first, last) = (moment, moment)
        note(moment)
    }

    static func all(in moments: [Chronicle.Moment]) -> [Run] {
        var runs: [Run] = []
        // A daemon whose start was refused did not run.
        for moment in moments where moment.record.kind != .startRefused {
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
        return !isStopped && (started == nil || moment.record.kind != .started)
    }

    private mutating func note(_ moment: Chronicle.Moment) {
        last = moment
        if moment.record.kind == .started { started = moment }
        if moment.record.kind == .stopping { isStopped = true }
    }
}

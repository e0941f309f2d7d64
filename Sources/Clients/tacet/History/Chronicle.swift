/// All records in chronological order on one clock.
///
/// A board without a battery-backed clock has a wrong date until the network sets its clock. Boots are therefore
/// ordered as in the journal, and the entries within a boot are ordered by the monotonic clock. All times of a boot are
/// derived from its last clock reading, which is most likely to be right. After a power cut, the last saved state often
/// has a later reading than the last entry. The monotonic clock stops while the system is suspended, so the entries
/// about waking contain the length of the suspension.
struct Chronicle {
    struct Moment: Hashable {
        let record: JournalRecord
        /// The time in µs since 1970. It is never earlier than that of the previous moment.
        let time: Int64
    }

    /// A boot and its beginning according to its last clock reading.
    struct Boot: Hashable {
        let id: String
        /// The beginning in µs since 1970.
        let start: Int64
        /// The instants on the monotonic clock at which the system woke up, each with the total time suspended until
        /// then.
        var wakings: [Waking] = []
        /// True if the clock was behind the previous boot's, so that the time between the two is unknown.
        var isStartUncertain = false

        struct Waking: Hashable {
            let monotonic: Int64
            let suspended: Int64
        }

        /// Converts an instant of the boot's monotonic clock to µs since 1970.
        func time(_ monotonic: Int64) -> Int64 {
            let suspended = wakings.last { $0.monotonic <= monotonic }?.suspended ?? 0
            return start.adding(monotonic).adding(suspended)
        }
    }

    let moments: [Moment]

    /// Returns the time of the last entry up to an instant, or nil if there is none.
    func last(until: Int64?) -> Int64? { moments.last { $0.time <= until ?? .max }?.time }

    /// Returns the name of the machine that wrote the last entry up to an instant, or nil if no entry has it.
    func host(until: Int64) -> String? { moments.last { $0.time <= until && $0.record.host != nil }?.record.host }

    /// The times in which no daemon ran, in order.
    private(set) var outages: [DaemonOutage] = []
    private var starts: [String: Boot] = [:]

    /// The times at which processes ended, by the start of the service.
    private var ends: [String: Int64] = [:]

    /// - Parameters:
    ///   - exits: the ends of processes of any service.
    ///   - now: the current boot, dated by the current clock, or nil if the journal is from another machine.
    init(_ records: [JournalRecord], exits: [ProcessExit] = [], now: Boot? = nil) {
        var boots: [String] = []
        var byBoot: [String: [JournalRecord]] = [:]
        for record in records {
            if byBoot[record.boot] == nil { boots.append(record.boot) }
            byBoot[record.boot, default: []].append(record)
        }
        let saves = Dictionary(records.compactMap(Reading.init(savedIn:)).map { ($0.boot, $0) }) { first, second in
            second.monotonic > first.monotonic ? second : first
        }
        var moments: [Moment] = []
        for id in boots {
            let ordered = (byBoot[id] ?? []).enumerated().sorted {
                ($0.element.monotonic, $0.offset) < ($1.element.monotonic, $1.offset)
            }.map(\.element)
            guard let last = ordered.last else { continue }
            let start = now.flatMap { $0.id == id ? Self.steady($0.start, ordered) : nil }
            let saved = saves[id].flatMap { $0.monotonic > last.monotonic ? $0.start : nil }
            var wakings: [Boot.Waking] = []
            for record in ordered where record.suspended > 0 {
                let suspended = (wakings.last?.suspended ?? 0).adding(record.suspended)
                wakings.append(Boot.Waking(monotonic: record.monotonic, suspended: suspended))
            }
            // All of these readings come after the last sleep.
            let end = start ?? saved ?? last.realtime.subtracting(last.monotonic)
            var boot = Boot(id: id, start: end.subtracting(wakings.last?.suspended ?? 0), wakings: wakings)
            // If the clock went back between two boots, their order is still right.
            if let before = moments.last?.time, before > boot.start {
                boot = Boot(id: id, start: before, wakings: wakings, isStartUncertain: true)
            }
            starts[id] = boot
            moments += ordered.map { Moment(record: $0, time: boot.time($0.monotonic)) }
        }
        self.moments = moments
        for exit in exits { ends[exit.invocation] = starts[exit.boot]?.time(exit.monotonic) }
        outages = DaemonOutage.all(in: self)
    }

    /// The largest difference, in µs, between two readings of the clocks with the same setting of the wall clock.
    private static let jitter: Int64 = 500_000

    /// Returns the start of the current boot, according to the first entry since the clock was last set. The readings
    /// of the clocks differ by microseconds, but the same entry must have the same date each time it is listed.
    /// - Parameter start: the start by the current clock.
    private static func steady(_ start: Int64, _ records: [JournalRecord]) -> Int64 {
        var steady = start
        for record in records.reversed() {
            let reading = record.realtime.subtracting(record.monotonic)
            guard reading.subtracting(start).magnitude < jitter else { break }
            steady = reading
            // Before the system woke up, the difference between the two clocks was another one.
            if record.suspended > 0 { break }
        }
        return steady
    }

    /// A reading of both clocks at one instant of a boot.
    private struct Reading {
        let boot: String
        let monotonic: Int64
        let realtime: Int64

        var start: Int64 { realtime.subtracting(monotonic) }

        /// Creates the reading of the time at which the restored state was saved, or nil if the record does not contain
        /// it.
        init?(savedIn record: JournalRecord) {
            guard let boot = record[.savedBoot], let monotonic = record.number(.savedMonotonic),
                let realtime = record.number(.savedAt)
            else { return nil }
            (self.boot, self.monotonic, self.realtime) = (boot, monotonic, realtime)
        }
    }

    /// A step of the history. An outage comes before the first entry after its beginning.
    enum Step {
        case moment(Moment)
        case outage(DaemonOutage)
    }

    var steps: [Step] {
        var rest = outages[...]
        var steps: [Step] = []
        for moment in moments {
            while let outage = rest.first, outage.from < moment.time {
                steps.append(.outage(outage))
                rest = rest.dropFirst()
            }
            steps.append(.moment(moment))
        }
        return steps + rest.map(Step.outage)
    }

    /// Returns the time at which the process that wrote a record ended, in µs since 1970, or nil if the journal does
    /// not contain it.
    func end(of record: JournalRecord) -> Int64? { record.invocation.flatMap { ends[$0] } }

    /// Returns the boot with this ID if the journal has entries of it.
    func boot(_ id: String) -> Boot? { starts[id] }

    /// Returns the time at which the state that a record refers to was saved, in µs since 1970, or nil if the record
    /// does not contain it.
    func saved(_ record: JournalRecord) -> Int64? {
        // The wall clock may have been wrong then, but the time since the boot was right.
        if let boot = record[.savedBoot].flatMap(boot), let time = record.number(.savedMonotonic) {
            return boot.time(time)
        }
        return record.number(.savedAt)
    }
}

extension Int64 {
    /// A duration in µs, rounded to milliseconds.
    var milliseconds: Int64 { adding(500) / 1000 }

    // A damaged journal may contain any number.
    func adding(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        guard overflow else { return sum }
        return other < 0 ? .min : .max
    }

    func subtracting(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        guard overflow else { return difference }
        return other < 0 ? .max : .min
    }
}

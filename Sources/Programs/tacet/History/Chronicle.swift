/// Records in the order in which they happened, on one clock.
///
/// A board without a battery starts in another year, until the network sets its clock: so the order is that of the boots
/// in the journal, and within a boot that of the monotonic clock; and all times of a boot are derived from what its clock
/// showed last, when it was right if it ever was. After a power cut, the state that was saved last often knows that better
/// than the last entry.
struct Chronicle {
    struct Moment: Hashable {
        let record: JournalRecord
        /// In µs since 1970; never before the one before it.
        let time: Int64
    }

    /// When a boot began, by the clock as it is known now.
    struct Boot: Hashable {
        let id: String
        /// In µs since 1970.
        let start: Int64
        /// Whether nothing tells how long after the boot before it began: its clock was behind.
        var isStartUncertain = false
    }

    let moments: [Moment]
    /// When no daemon ran, in order.
    private(set) var outages: [Outage] = []
    private var starts: [String: Boot] = [:]

    /// - Parameter now: the present boot, by the clock as it is now; nil: the journal is another machine's.
    init(_ records: [JournalRecord], now: Boot? = nil) {
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
            let start = now?.id == id ? now?.start : nil
            let saved = saves[id].flatMap { $0.monotonic > last.monotonic ? $0.start : nil }
            var boot = Boot(id: id, start: start ?? saved ?? last.realtime.subtracting(last.monotonic))
            // Where the clock went back between two boots, the later one is still the later one.
            if let before = moments.last?.time, before > boot.start {
                boot = Boot(id: id, start: before, isStartUncertain: true)
            }
            starts[id] = boot
            moments += ordered.map { Moment(record: $0, time: boot.start.adding($0.monotonic)) }
        }
        self.moments = moments
        outages = Outage.all(in: self)
    }

    /// What both clocks showed at one instant of a boot.
    private struct Reading {
        let boot: String
        let monotonic: Int64
        let realtime: Int64

        var start: Int64 { realtime.subtracting(monotonic) }

        /// When the state was saved that a start restored; nil: the record does not say.
        init?(savedIn record: JournalRecord) {
            guard let boot = record["SAVED_BOOT_ID"], let monotonic = record.number("SAVED_MONOTONIC_USEC"),
                let realtime = record.number("SAVED_AT_USEC")
            else { return nil }
            (self.boot, self.monotonic, self.realtime) = (boot, monotonic, realtime)
        }
    }

    /// The boot of that name, if the journal has entries of it.
    func boot(_ id: String) -> Boot? { starts[id] }

    /// When the state that a record names was saved, in µs since 1970; nil: it does not say.
    func saved(_ record: JournalRecord) -> Int64? {
        // The clock of that time may have been wrong, the time since its boot was not.
        if let boot = record["SAVED_BOOT_ID"].flatMap(boot), let time = record.number("SAVED_MONOTONIC_USEC") {
            return boot.start.adding(time)
        }
        return record.number("SAVED_AT_USEC")
    }
}

extension Int64 {
    // A damaged journal may hold any number.
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

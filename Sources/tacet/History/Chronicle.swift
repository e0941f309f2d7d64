/// Records in the order in which they happened, on one clock.
///
/// A board without a battery starts in another year, until the network tells it the time: so the order is that of the
/// boots in the journal, and within a boot that of the monotonic clock; and a boot's times are all told by what the clock
/// said last in it, when it was right if it ever was.
struct Chronicle {
    struct Moment: Hashable {
        let record: JournalRecord
        /// In µs since 1970; never before the one before it.
        let time: Int64
        /// When its boot began, on the same clock.
        let bootTime: Int64
    }

    let moments: [Moment]

    init(_ records: [JournalRecord]) {
        var boots: [String] = []
        var byBoot: [String: [JournalRecord]] = [:]
        for record in records {
            if byBoot[record.boot] == nil { boots.append(record.boot) }
            byBoot[record.boot, default: []].append(record)
        }
        var moments: [Moment] = []
        for boot in boots {
            let ordered = (byBoot[boot] ?? []).enumerated().sorted {
                ($0.element.monotonic, $0.offset) < ($1.element.monotonic, $1.offset)
            }.map(\.element)
            guard let last = ordered.last else { continue }
            // Where the clock went back between two boots, the later one is still the later one.
            let start = max(last.realtime.subtracting(last.monotonic), moments.last?.time ?? .min)
            moments += ordered.map { Moment(record: $0, time: start.adding($0.monotonic), bootTime: start) }
        }
        self.moments = moments
    }
}

extension Int64 {
    // A damaged journal may hold any number.
    fileprivate func adding(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    fileprivate func subtracting(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? .min : difference
    }
}

extension Timeline {
    /// Maps instants to local time, so that they are shown as times of day.
    public struct WallClock: Sendable, Equatable {
        /// The offset of local time from UTC, from an instant on.
        public struct Offset: Sendable, Equatable {
            /// The instant, in seconds on the timeline.
            public var from: Double
            /// Local time minus UTC in seconds; negative west of Greenwich.
            public var ahead: Int

            public init(from: Double, ahead: Int) {
                self.from = from
                self.ahead = ahead
            }
        }

        /// Seconds since 1970, UTC, at the timeline's 0.
        public var origin: Double
        /// In order of time; the first also applies before its instant. Empty: UTC.
        public var offsets: [Offset]

        public init(origin: Double, offsets: [Offset]) {
            self.origin = origin
            self.offsets = offsets
        }

        /// Seconds of local time since 1970-01-01 00:00 local time.
        func local(_ time: Double) -> Double {
            let offset = offsets.last { $0.from <= time } ?? offsets.first
            return origin + time + Double(offset?.ahead ?? 0)
        }

        /// `14:03:10.3`; with the date in front: `2026-11-21 14:03:10.3`.
        func text(_ time: Double, places: Int, withDate: Bool) -> String {
            var unit = 1.0
            for _ in 0..<places { unit *= 10 }
            let rounded = (local(time) * unit).rounded() / unit
            let day = (rounded / 86_400).rounded(.down)
            let clock = Self.clock(rounded - day * 86_400, places: places)
            return withDate ? "\(Date(day: Int(day)).iso) \(clock)" : clock
        }

        /// `14:03:10.3`, or `14:03` without seconds.
        static func clock(_ seconds: Double, places: Int?) -> String {
            let whole = Int(seconds)
            let minutes = "\(pad(whole / 3600)):\(pad(whole / 60 % 60))"
            guard let places else { return minutes }
            // Keeps trailing zeros, so that all labels of an axis look alike.
            let fraction = NumberText.decimal(seconds - Double(whole), places: places).dropFirst(2)
            let zeros = String(repeating: "0", count: max(0, places - fraction.count))
            return "\(minutes):\(pad(whole % 60))" + (places > 0 ? ".\(fraction)\(zeros)" : "")
        }

        private static func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    }
}

extension Timeline.WallClock {
    /// A day of the Gregorian calendar.
    struct Date: Equatable {
        private static let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]

        let year: Int
        /// From 1.
        let month: Int
        let day: Int

        /// - Parameter day: since 1970-01-01.
        init(day number: Int) {
            // Counts from 1 March of year 0: the leap day is then the last of its year, and any 400 years have equally
            // many days.
            let shifted = number + 719_468
            let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
            let dayOfEra = shifted - era * 146_097
            let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
            let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
            let shiftedMonth = (5 * dayOfYear + 2) / 153
            day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
            month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
            year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        }

        /// `21 Nov`
        var short: String { "\(day) \(Self.months[month - 1])" }
        /// `21 Nov 2026`
        var long: String { "\(short) \(year)" }
        /// `2026-11-21`
        var iso: String { "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)" }
    }
}

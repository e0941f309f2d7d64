import Time

extension Timeline {
    /// Maps instants to local time, so that they are shown as times of day.
    public struct WallClock: Sendable, Equatable {
        /// The offset of local time from UTC, from an instant on.
        public struct Offset: Sendable, Equatable {
            /// The instant, in seconds on the timeline.
            public var from: Double
            /// Local time minus UTC in seconds, which is negative west of Greenwich.
            public var ahead: Int

            public init(from: Double, ahead: Int) {
                self.from = from
                self.ahead = ahead
            }
        }

        /// The seconds since 1970 in UTC at the timeline's 0.
        public var origin: Double
        /// The offsets in order of time. The first one also applies before its instant. If there are none, local time
        /// is UTC.
        public var offsets: [Offset]

        public init(origin: Double, offsets: [Offset]) {
            self.origin = origin
            self.offsets = offsets
        }

        /// Returns the seconds of local time since 1970-01-01 00:00 local time.
        func local(_ time: Double) -> Double {
            let offset = offsets.last { $0.from <= time } ?? offsets.first
            return origin + time + Double(offset?.ahead ?? 0)
        }

        /// Returns a time such as `14:03:10.3`, or with the date in front of it, such as `2026-11-21 14:03:10.3`.
        func text(_ time: Double, places: Int, withDate: Bool) -> String {
            var unit = 1.0
            for _ in 0..<places { unit *= 10 }
            let rounded = (local(time) * unit).rounded() / unit
            let day = (rounded / 86_400).rounded(.down)
            let clock = Self.clock(rounded - day * 86_400, places: places)
            return withDate ? "\(CivilDate(number: Int(day))) \(clock)" : clock
        }

        /// Returns a time such as `14:03:10.3`, or without seconds, such as `14:03`.
        static func clock(_ seconds: Double, places: Int?) -> String {
            let whole = Int(seconds)
            let minutes = "\((whole / 3600).padded(to: 2)):\((whole / 60 % 60).padded(to: 2))"
            guard let places else { return minutes }
            // Trailing zeros are kept, so that all labels of an axis look alike.
            let fraction = NumberText.decimal(seconds - Double(whole), places: places).dropFirst(2)
            let zeros = String(repeating: "0", count: max(0, places - fraction.count))
            return "\(minutes):\((whole % 60).padded(to: 2))" + (places > 0 ? ".\(fraction)\(zeros)" : "")
        }
    }
}

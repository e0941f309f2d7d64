import Time

/// Formats instants, durations and positions for people.
enum TimeText {
    /// Returns an instant on an axis whose ticks are `step` seconds apart. It is in the form `7.5 s` if the axis stays
    /// below two minutes (`long` is false), and in the form `2:05` or `1:02:05` otherwise.
    static func tick(_ seconds: Double, step: Double, long: Bool) -> String {
        let places = decimalPlaces(forStep: step)
        guard long else { return signed(NumberText.decimal(seconds, places: places)) + " s" }
        return clock(seconds, places: places)
    }

    /// Returns a position in a track in whole seconds, such as `1:23`.
    static func position(_ seconds: Double) -> String {
        // The 10 ms absorb rounding errors. For example, after a few additions, 1:23 may be 82.9999.
        clock((seconds + 0.01).rounded(.down), places: 0)
    }

    /// Returns an instant or a duration for a tooltip, such as `4.25 s` or `12:04.5`.
    static func precise(_ seconds: Double) -> String {
        guard seconds.isFinite else { return "…" }
        if seconds.magnitude < 120 { return signed(NumberText.decimal(seconds, places: 3)) + " s" }
        return clock(seconds, places: 1)
    }

    /// Returns a duration to a tenth of a second, or to a second from two minutes upwards, such as `4.9 s` or `12:04`.
    /// The text is empty if the duration is not finite.
    static func duration(_ seconds: Double) -> String {
        guard seconds.isFinite else { return "" }
        return seconds < 120 ? NumberText.decimal(seconds, places: 1) + " s" : clock(seconds, places: 0)
    }

    /// Returns a time in the form `m:ss`, or `h:mm:ss` from one hour upwards, with at most `places` decimals.
    static func clock(_ seconds: Double, places: Int) -> String {
        guard seconds.isFinite else { return "…" }
        var unit = 1.0
        for _ in 0..<places { unit *= 10 }
        // The number is rounded before it is split, so that 59.96 does not become "0:60".
        let rounded = (min(seconds.magnitude, 1e12) * unit).rounded() / unit
        let whole = Int(rounded)
        let fraction = NumberText.decimal(rounded - Double(whole), places: places).dropFirst()
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        let tail = (whole % 60).padded(to: 2) + fraction
        let text = hours > 0 ? "\(hours):\(minutes.padded(to: 2)):\(tail)" : "\(minutes):\(tail)"
        return seconds < 0 && rounded > 0 ? "−" + text : text
    }

    private static func decimalPlaces(forStep step: Double) -> Int {
        var places = 0
        var scaled = step
        while scaled < 0.999, places < 4 {
            scaled *= 10
            places += 1
        }
        return places
    }

    private static func signed(_ text: String) -> String {
        text.hasPrefix("-") ? "−" + text.dropFirst() : text
    }
}

import Spelling

/// A short description of the picture in whole sentences, for screen readers.
enum Description {
    /// - Parameter notifications: true if the picture has the rows of the notifications and of the commands.
    static func text(of timeline: Timeline, on scale: TimeScale, notifications: Bool) -> String {
        let names = timeline.signals.map(\.name)
        let signals =
            switch names.count {
            case 0: "It has no signals."
            case 1: "Its signal is \(names[0])."
            default: "Its signals are \(names.enumeration)."
            }
        let counts = counts(of: timeline, notifications: notifications)
        let events =
            switch counts.count {
            case 0: "Nothing happened."
            case 1 where counts[0].hasPrefix("1 "): "There was \(counts[0])."
            default: "There were \(counts.enumeration)."
            }
        let span = "from \(scale.instant(timeline.start)) to \(scale.instant(timeline.end))"
        return "This picture shows what happened \(span). \(signals) \(events)"
    }

    private static func counts(of timeline: Timeline, notifications: Bool) -> [String] {
        let interruptions = timeline.session.count { if case .interrupted = $0.value { true } else { false } }
        let ducks = timeline.session.count { if case .ducked = $0.value { true } else { false } }
        func outages(_ cause: Timeline.Outage, _ one: String, _ many: String? = nil) -> String? {
            counted(timeline.outages.count { $0.value == cause }, one, many)
        }
        return [
            counted(interruptions, "interruption"),
            counted(ducks, "time at a reduced level", "times at a reduced level"),
            counted((timeline.inputs ?? []).count, "live input"),
            counted((timeline.sounds ?? []).count, "sound"),
            counted((timeline.recording ?? []).count, "stretch of recording", "stretches of recording"),
            outages(.powerCut, "power cut"), outages(.shutDown, "shutdown"), outages(.stopped, "stop"),
            outages(.asleep, "suspension"),
            outages(.killed, "kill or crash", "kills or crashes"),
            counted(timeline.servicesLost.count, "loss of the sound device", "losses of the sound device"),
            notifications ? counted(timeline.marks.count, "notification") : nil,
            notifications ? counted(timeline.commands.count, "command") : nil,
        ].compactMap(\.self)
    }

    private static func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String? {
        count == 0 ? nil : count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
    }
}

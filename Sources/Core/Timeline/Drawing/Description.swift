/// A short description of the picture, for screen readers.
enum Description {
    static func text(of timeline: Timeline, on scale: TimeScale) -> String {
        let names = timeline.signals.map(\.name).joined(separator: ", ")
        let interruptions = timeline.session.filter {
            if case .interrupted = $0.value { true } else { false }
        }.count
        let ducks = timeline.session.filter { if case .ducked = $0.value { true } else { false } }.count
        func outages(_ cause: Timeline.Outage, _ one: String, _ many: String? = nil) -> String? {
            counted(timeline.outages.filter { $0.value == cause }.count, one, many)
        }
        let counts = [
            counted(interruptions, "interruption"), counted(ducks, "duck"),
            counted((timeline.sounds ?? []).count, "sound"),
            counted((timeline.recording ?? []).count, "stretch of recording", "stretches of recording"),
            outages(.powerCut, "power cut"), outages(.shutDown, "shutdown"), outages(.stopped, "stop"),
            outages(.asleep, "suspension"),
            outages(.killed, "kill or crash", "kills or crashes"),
            counted(timeline.servicesLost.count, "loss of the sound device", "losses of the sound device"),
            counted(timeline.marks.count, "notification"), counted(timeline.commands.count, "command"),
        ].compactMap(\.self)
        let span = "From \(scale.instant(timeline.start)) to \(scale.instant(timeline.end))"
        return span + ", " + (names.isEmpty ? "no signals" : "signals \(names)") + ": "
            + (counts.isEmpty ? "nothing happened" : counts.joined(separator: ", ")) + "."
    }

    private static func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String? {
        count == 0 ? nil : count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
    }
}

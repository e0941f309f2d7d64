import Glibc
import Timeline

/// Draws what the journal tells.
struct HistoryPicture {
    private static let longest: Int64 = 24 * 3600 * 1_000_000

    private(set) var timeline: Timeline
    private let origin: Int64
    private var session = SpanBook<Timeline.SessionState>()
    private var intent = SpanBook<Timeline.Intent>()
    private var asserted = SpanBook<Timeline.Assertion>()
    private var faults = SpanBook<String>()
    private var losses = SpanBook<Bool>()
    private var effects: [String: String] = [:]
    private var now = Double.zero
    /// nil: the journal has not told yet.
    private var plays: Bool?
    private var wish: Timeline.Intent?
    private var reason: String?
    private var level: Double?
    private var place: (track: String, position: Double)?

    /// - Returns: nil if there is nothing to draw.
    init?(_ chronicle: Chronicle, _ range: HistoryRange) {
        // What was so before it is known only from what was told before.
        let moments = chronicle.moments.filter { $0.time <= range.until ?? .max }
        guard let last = moments.last?.time, let first = moments.first?.time else { return nil }
        let since = range.since ?? max(first, last > Int64.min + Self.longest ? last - Self.longest : first)
        guard last >= since else { return nil }
        origin = since
        let end = Double(last - since) / 1_000_000
        timeline = Timeline(
            title: "Tacet from \(LocalTime.format(since)) to \(LocalTime.format(last))", start: 0,
            // With some room for what is not over.
            end: max(end * 1.02, 1))
        var before: Chronicle.Moment?
        for moment in moments {
            if let before, before.record.boot != moment.record.boot || before.record.event == "stopping" {
                interrupt(after: before, until: moment)
            }
            pass(to: seconds(moment.time))
            take(moment.record)
            before = moment
        }
        finish()
    }

    private func seconds(_ time: Int64) -> Double { (Double(time) - Double(origin)) / 1_000_000 }

    // MARK: Time

    /// Until then it was as it is.
    private mutating func pass(to time: Double) {
        defer { now = max(now, time) }
        guard let place, let plays, time > now else { return }
        let end = place.position + (plays ? time - now : 0)
        timeline.programme.append(
            .init(
                from: now, to: time, fromPosition: place.position, toPosition: end, track: place.track,
                motion: plays ? .playing : .held))
        self.place?.position = end
    }

    /// Nothing ran for a while: since it was stopped, or since some time before the next boot.
    private mutating func interrupt(after last: Chronicle.Moment, until next: Chronicle.Moment) {
        let stopped = last.record.event == "stopping" ? last.time : max(last.time, min(next.bootTime, next.time))
        let (from, to) = (seconds(stopped), seconds(next.time))
        pass(to: from)
        endAll(at: from)
        (plays, wish, reason, level, place) = (nil, nil, nil, nil, nil)
        if to > from { timeline.powerOff.append(from...to) }
        now = to
    }

    private mutating func endAll(at time: Double) {
        session.endAll(at: time)
        intent.endAll(at: time)
        asserted.endAll(at: time)
        faults.endAll(at: time)
        losses.endAll(at: time)
    }

    private mutating func finish() {
        let end = timeline.end
        pass(to: end)
        endAll(at: end)
        timeline.session = session.spans(of: "session")
        timeline.intent = intent.spans(of: "intent")
        timeline.servicesLost = losses.spans(of: "device").map { $0.from...$0.to }
        let names = asserted.names + faults.names.filter { !asserted.names.contains($0) }
        timeline.signals = names.map { name in
            Timeline.SignalLane(
                name: name, effect: effects[name] ?? "", asserted: asserted.spans(of: name),
                faults: faults.spans(of: name))
        }
        // What was before the picture's left edge has done its part.
        timeline.marks = timeline.marks.filter { $0.time >= 0 }
        timeline.commands = timeline.commands.filter { $0.time >= 0 }
    }

    // MARK: Entries

    private mutating func take(_ record: JournalRecord) {
        note(record)
        if let track = record.track, let position = record.position, position.isFinite { place = (track, position) }
        if let plays = record.plays { self.plays = plays }
        session.set("session", reason.map { .interrupted($0) } ?? .active, at: now)
        if let wish { intent.set("intent", wish, at: now) }
        if let plays { step(to: plays ? level ?? 1 : 0) }
    }

    private mutating func note(_ record: JournalRecord) {
        if plays == nil, record.plays == true { wish = .playing }
        switch record.event {
        case "started": assert(record, true)
        case "interruption-began":
            reason = record["REASON"] ?? ""
            // It only interrupts what the user wants to hear, as far as anybody can tell.
            assert(record, true)
            mark(.began, "began(\(reason ?? ""))")
        case "interruption-ended":
            reason = nil
            assert(record, false)
            mark(.ended, record["SHOULD_RESUME"] == "yes" ? "ended(shouldResume)" : "ended()")
        case "duck-began", "duck-changed":
            level = Self.gain(record["LEVEL"])
            let begins = record.event == "duck-began" || !(record.signals.first.map(asserted.holds) ?? false)
            assert(record, begins)
            let name = record.event == "duck-began" ? "duckBegan" : "duckChanged"
            mark(begins ? .began : .notice, "\(name)(\(record["LEVEL"] ?? ""))")
        case "duck-ended":
            level = nil
            assert(record, false)
            mark(.ended, "duckEnded")
        case "signal": assert(record, record.isAssertion)
        case "signal-suppressed":
            for signal in record.signals { asserted.set(signal, .suppressed, at: now) }
        case "remark": assert(record, false)
        case "fault": for signal in record.signals { faults.set(signal, record["FAULT"] ?? "fault", at: now) }
        case "fault-cleared": for signal in record.signals { faults.set(signal, nil, at: now) }
        case "media-services-lost":
            losses.set("device", true, at: now)
            mark(.notice, "mediaServicesWereLost")
        case "media-services-reset":
            losses.set("device", nil, at: now)
            mark(.notice, "mediaServicesWereReset")
        case "route-changed": mark(.notice, "routeChanged(\(record["REASON"] ?? ""))")
        case "programme-ended": wish = .stopped
        case "command": command(record)
        default: break
        }
        if record.sequel.hasPrefix("stays paused") { wish = .paused }
        if record.sequel.hasPrefix("stays stopped") { wish = .stopped }
        if record.plays == true { wish = .playing }
    }

    private mutating func assert(_ record: JournalRecord, _ isAsserted: Bool) {
        for signal in record.signals {
            asserted.set(signal, isAsserted ? .inForce : nil, at: now)
            guard let effect = record["EFFECT"], effects[signal] == nil else { continue }
            effects[signal] = record["LEVEL"].map { "\(effect) \($0 == "mute" ? "to mute" : "\($0) dB")" } ?? effect
        }
    }

    private mutating func command(_ record: JournalRecord) {
        let command = record["COMMAND"] ?? ""
        switch command {
        case "play": wish = .playing
        case "pause" where wish != .stopped: wish = .paused
        case "playPause": wish = wish == .playing ? .paused : .playing
        case "stop": wish = .stopped
        default: break
        }
        timeline.commands.append(.init(time: now, text: "\(command) → \(record["ANSWER"] ?? "")", kind: .notice))
    }

    private mutating func mark(_ kind: Timeline.Mark.Kind, _ text: String) {
        timeline.marks.append(.init(time: now, text: text, kind: kind))
    }

    // MARK: Gain

    private mutating func step(to gain: Double) {
        if let last = timeline.gain.last, last.gain != gain, !isAfterSilence {
            timeline.gain.append(.init(time: now, gain: last.gain))
        }
        timeline.gain.append(.init(time: now, gain: gain))
    }

    /// Whether nothing ran since the last point.
    private var isAfterSilence: Bool {
        guard let last = timeline.gain.last, let off = timeline.powerOff.last else { return false }
        return last.time <= off.lowerBound
    }

    private static func gain(_ level: String?) -> Double {
        guard let level, let decibels = Double(level) else { return 0 }
        return pow(10, min(decibels, 0) / 20)
    }
}

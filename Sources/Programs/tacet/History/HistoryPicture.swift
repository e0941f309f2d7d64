import Glibc
import Timeline

/// Draws the journal as a timeline.
struct HistoryPicture {
    private static let longest: Int64 = 24 * 3600 * 1_000_000

    private(set) var timeline: Timeline
    private let origin: Int64
    private var session = SpanBook<Timeline.SessionState>()
    private var intent = SpanBook<Timeline.Intent>()
    private var asserted = SpanBook<Timeline.Assertion>()
    private var faults = SpanBook<String>()
    private var losses = SpanBook<Bool>()
    private var sounds = SpanBook<String>()
    private var outputs = SpanBook<Bool>()
    private var recording = SpanBook<Timeline.Microphone>()
    private var meanings: [String: String] = [:]
    /// The sound that is heard: `announcement gong`.
    private var sound: String?
    private var effects: [String: String] = [:]
    private var now = Double.zero
    /// Whether the programme plays; nil while unknown.
    private var plays: Bool?
    private var wish: Timeline.Intent?
    private var reason: String?
    private var level: Double?
    /// The level to which an announcement turns the programme down; nil if none does.
    private var soundLevel: Double?
    /// The user's volume, as a factor. It survives a run, because it is saved.
    private var volume = 1.0
    private var programme = ProgrammeReckoning()

    /// - Returns: nil if there is nothing to draw.
    init?(_ chronicle: Chronicle, _ range: HistoryRange) {
        // Earlier entries are needed for the state at the start of the range.
        let moments = chronicle.moments.filter { $0.time <= range.until ?? .max }
        guard let last = moments.last?.time, let first = moments.first?.time else { return nil }
        let since = range.since ?? max(first, last > Int64.min + Self.longest ? last - Self.longest : first)
        guard last >= since else { return nil }
        origin = since
        // With some room on the right for spans that have not ended.
        let end = max(Double(last.subtracting(since)) / 1_000_000 * 1.02, 1)
        timeline = Timeline(
            title: "Tacet from \(LocalTime.format(since)) to \(LocalTime.format(last))", start: 0, end: end,
            clock: LocalTime.clock(from: since, to: since.adding(Int64(min(end, 1e12) * 1_000_000))))
        var outages = chronicle.outages[...]
        for moment in moments {
            while let outage = outages.first, outage.from < moment.time {
                interrupt(outage)
                outages = outages.dropFirst()
            }
            now = max(now, seconds(moment.time))
            take(moment.record)
        }
        if let outage = outages.first, seconds(outage.from) <= end { interrupt(outage) }
        finish()
    }

    private func seconds(_ time: Int64) -> Double { (Double(time) - Double(origin)) / 1_000_000 }

    // MARK: Time

    /// Handles an outage: ends all spans, and forgets the state.
    private mutating func interrupt(_ outage: DaemonOutage) {
        let from = seconds(outage.from)
        now = max(now, from)
        programme.end(at: now)
        endAll(at: now)
        (plays, wish, reason, level) = (nil, nil, nil, nil)
        (sound, soundLevel) = (nil, nil)
        let certain = seconds(outage.certainFrom)
        let to = outage.to.map(seconds) ?? .infinity
        if certain > from { timeline.outages.append(.init(from: from, to: certain, value: .unknown)) }
        // Nobody saw it end, but the next run knew how.
        if certain >= to { return mark(.notice, outage.cause == .killed ? "killed" : outage.cause.rawValue, at: to) }
        timeline.outages.append(.init(from: certain, to: to, value: outage.cause))
    }

    private mutating func endAll(at time: Double) {
        session.endAll(at: time)
        intent.endAll(at: time)
        asserted.endAll(at: time)
        faults.endAll(at: time)
        losses.endAll(at: time)
        sounds.endAll(at: time)
        outputs.endAll(at: time)
        recording.endAll(at: time)
    }

    private mutating func finish() {
        let end = timeline.end
        programme.end(at: end)
        endAll(at: end)
        timeline.programme = programme.spans
        timeline.session = session.spans(of: "session")
        timeline.intent = intent.spans(of: "intent")
        timeline.servicesLost = losses.spans(of: "device").map { $0.from...$0.to }
        let names = asserted.names + faults.names.filter { !asserted.names.contains($0) }
        timeline.signals = names.map { name in
            Timeline.SignalLane(
                name: name, effect: effects[name] ?? "", asserted: asserted.spans(of: name),
                faults: faults.spans(of: name))
        }
        let heard = sounds.spans(of: "sound")
        timeline.sounds = heard.isEmpty ? nil : heard
        timeline.outputs = outputs.names.map { name in
            Timeline.OutputLane(name: name, meaning: meanings[name] ?? "", asserted: outputs.spans(of: name))
        }
        let recorded = recording.spans(of: "microphone")
        timeline.recording = recorded.isEmpty ? nil : recorded
        // Marks before the left edge are not drawn.
        timeline.marks = timeline.marks.filter { $0.time >= 0 }
        timeline.commands = timeline.commands.filter { $0.time >= 0 }
    }

    // MARK: Entries

    private mutating func take(_ record: JournalRecord) {
        // A daemon that was refused its start did not run.
        guard record.kind != .startRefused else { return mark(.notice, "start refused") }
        note(record)
        if let plays = record.plays { self.plays = plays }
        if let volume = record.volume { self.volume = Self.gain(volume) }
        if let track = record.track, let position = record.position, let plays {
            programme.add(
                .init(
                    time: now, track: track, position: position, length: record.length, plays: plays,
                    isJump: record.isJump))
        }
        session.set("session", reason.map { .interrupted($0) } ?? .active, at: now)
        if let wish { intent.set("intent", wish, at: now) }
        if let plays { step(to: plays ? min(level ?? 1, soundLevel ?? 1) * volume : 0) }
    }

    private mutating func note(_ record: JournalRecord) {
        if let intent = record[.intent].flatMap(Timeline.Intent.init) { wish = intent }
        switch record.kind {
        case .started: assert(record, true)
        case .interruptionBegan:
            reason = record[.reason] ?? ""
            // Whether the programme would have played otherwise is not in the entry, so the signal counts as active.
            assert(record, true)
            mark(.began, "began(\(reason ?? ""))")
        case .interruptionEnded:
            reason = nil
            assert(record, false)
            mark(.ended, record[.shouldResume] == "yes" ? "ended(shouldResume)" : "ended()")
        case .duckBegan, .duckChanged:
            level = Self.gain(record[.level])
            let begins = record.kind == .duckBegan || !(record.signals.first.map(asserted.holds) ?? false)
            assert(record, begins)
            let name = record.kind == .duckBegan ? "duckBegan" : "duckChanged"
            mark(begins ? .began : .notice, "\(name)(\(record[.level] ?? ""))")
        case .duckEnded:
            level = nil
            assert(record, false)
            mark(.ended, "duckEnded")
        case .signal: if let isAssertion = record.isAssertion { assert(record, isAssertion) }
        case .signalSuppressed:
            for signal in record.signals { asserted.set(signal, .suppressed, at: now) }
        case .remark: assert(record, false)
        case .soundBegan:
            sounds.endAll(at: now)
            sounds.set("sound", record[.sound], at: now)
            sound = record.sound
            soundLevel = record[.level].map(Self.gain)
        case .soundEnded, .soundCut:
            // A hush also cuts announcements that wait.
            guard record.sound == sound else { break }
            sounds.endAll(at: now)
            (sound, soundLevel) = (nil, nil)
        case .soundExpired: mark(.notice, "soundExpired(\(record[.sound] ?? ""))")
        case .output:
            guard let output = record[.output] else { break }
            meanings[output] = record[.effect]
            outputs.set(output, record.isAssertion == true ? true : nil, at: now)
        case .fault where record[.output] != nil:
            mark(.notice, "\(record[.output] ?? ""):\(record[.fault] ?? "")")
        case .fault where record.signals.isEmpty && record[.sound] != nil:
            mark(.notice, "\(record[.sound] ?? ""):\(record[.fault] ?? "")")
        case .fault: for signal in record.signals { faults.set(signal, record[.fault] ?? "fault", at: now) }
        case .faultCleared: for signal in record.signals { faults.set(signal, nil, at: now) }
        case .mediaServicesLost:
            losses.set("device", true, at: now)
            mark(.notice, "mediaServicesWereLost")
        case .mediaServicesReset:
            losses.set("device", nil, at: now)
            mark(.notice, "mediaServicesWereReset")
        case .recordingBegan: recording.set("microphone", .recorded, at: now)
        case .recordingEnded: recording.set("microphone", nil, at: now)
        case .recordingOverrun: mark(.notice, "\(record[.frames] ?? "") frames missing")
        case .captureLost: mark(.notice, "capture:lost")
        case .routeChanged: mark(.notice, "routeChanged(\(record[.reason] ?? ""))")
        case .command:
            let text = "\(record[.command] ?? "") → \(record[.answer] ?? "")"
            timeline.commands.append(.init(time: now, text: text, kind: .notice))
        default: break
        }
    }

    private mutating func assert(_ record: JournalRecord, _ isAsserted: Bool) {
        for signal in record.signals {
            asserted.set(signal, isAsserted ? .active : nil, at: now)
            guard let effect = record[.effect], effects[signal] == nil else { continue }
            effects[signal] = record[.level].map { "\(effect) \($0 == "mute" ? "to mute" : "\($0) dB")" } ?? effect
        }
    }

    private mutating func mark(_ kind: Timeline.Mark.Kind, _ text: String, at time: Double? = nil) {
        timeline.marks.append(.init(time: time ?? now, text: text, kind: kind))
    }

    // MARK: Gain

    private mutating func step(to gain: Double) {
        if let last = timeline.gain.last, last.gain != gain, !isAfterSilence {
            timeline.gain.append(.init(time: now, gain: last.gain))
        }
        timeline.gain.append(.init(time: now, gain: gain))
    }

    /// Whether an outage has begun since the last point.
    private var isAfterSilence: Bool {
        guard let last = timeline.gain.last, let outage = timeline.outages.last else { return false }
        return last.time <= outage.from
    }

    private static func gain(_ level: String?) -> Double {
        guard let level, let decibels = Double(level) else { return 0 }
        return pow(10, min(decibels, 0) / 20)
    }
}

import Glibc
import Time
import Timeline

/// Draws the journal as a timeline.
struct HistoryPicture {
    private(set) var timeline: Timeline
    private let origin: Int64
    private var lanes = Lanes()
    private var now = Double.zero
    private var music = MusicState()
    /// The user's volume, as a factor. It survives a run, because it is saved.
    private var volume = 1.0
    private var playback = PositionReconstruction()

    /// - Returns: nil if there is nothing to draw.
    init?(_ chronicle: Chronicle, _ range: HistoryRange) {
        let range = range.bounded(by: chronicle)
        guard let since = range.since, let last = chronicle.last(until: range.until), last >= since else { return nil }
        origin = since
        // This leaves some room on the right for spans that have not ended.
        let end = max(Double(last.subtracting(since)) / 1_000_000 * 1.02, 1)
        timeline = Timeline(
            title: Self.title(host: chronicle.host(until: last), from: since, to: last), start: 0, end: end,
            clock: WrittenTime.clock(from: since, to: since.adding(Int64(min(end, 1e12) * 1_000_000))))
        // Earlier entries are needed for the state at the start of the range.
        reading: for step in chronicle.steps {
            switch step {
            case .moment(let moment) where moment.time <= last:
                now = max(now, seconds(moment.time))
                take(moment.record)
            case .moment: break
            case .outage(let outage):
                if seconds(outage.from) <= end { interrupt(outage) }
                // All later steps are beyond the right edge.
                if outage.from >= last { break reading }
            }
        }
        finish()
    }

    /// Returns a title such as `bus-17 on 21 Nov 2026 from 14:03 to 15:10`.
    private static func title(host: String?, from since: Int64, to last: Int64) -> String {
        let (first, end) = (CivilTime(local: .microseconds(since)), CivilTime(local: .microseconds(last)))
        // Within a few minutes, the seconds matter.
        let isShort = last.subtracting(since) < 600 * 1_000_000
        func clock(_ time: CivilTime) -> String { isShort ? time.timeOfDay : time.hourAndMinute }
        let name = host ?? "Tacet"
        return first.date == end.date
            ? "\(name) on \(first.date.long) from \(clock(first)) to \(clock(end))"
            : "\(name) from \(first.date.long) \(clock(first)) to \(end.date.long) \(clock(end))"
    }

    private func seconds(_ time: Int64) -> Double { (Double(time) - Double(origin)) / 1_000_000 }

    // MARK: Time

    /// Handles an outage by ending all spans and clearing the state.
    private mutating func interrupt(_ outage: DaemonOutage) {
        let from = seconds(outage.from)
        now = max(now, from)
        playback.end(at: now)
        lanes.endAll(at: now)
        music = MusicState()
        let certain = seconds(outage.certainFrom)
        let to = outage.to.map(seconds) ?? .infinity
        if certain > from { timeline.outages.append(.init(from: from, to: certain, value: .unknown)) }
        // Nothing recorded the end, but the next run found the cause.
        if certain >= to { return mark(.notice, outage.cause == .killed ? "killed" : outage.cause.rawValue, at: to) }
        timeline.outages.append(.init(from: certain, to: to, value: outage.cause))
    }

    private mutating func finish() {
        let end = timeline.end
        playback.end(at: end)
        lanes.endAll(at: end)
        timeline.playback = playback.spans
        lanes.draw(in: &timeline)
        // Marks before the left edge are not drawn.
        timeline.marks = timeline.marks.filter { $0.time >= 0 }
        timeline.commands = timeline.commands.filter { $0.time >= 0 }
    }

    // MARK: Entries

    private mutating func take(_ record: JournalRecord) {
        // A daemon whose start was refused did not run.
        guard record.kind != .startRefused else { return mark(.notice, "start refused") }
        note(record)
        music.take(record)
        if let source = record.selectedSource {
            lanes.inputs.set("input", source == .library ? nil : source.description, at: now)
        }
        if let volume = record.volume { self.volume = Self.gain(volume) }
        if let track = record.track, let position = record.position, let plays = music.plays {
            playback.add(
                .init(
                    time: now, track: track, position: position, length: record.length,
                    plays: plays && record.selectedSource ?? .library == .library,
                    isJump: record.isJump))
        }
        let ducked = music.duckLevel.map { _ in Timeline.SessionState.ducked(music.ducking) }
        lanes.session.set("session", music.interrupting.map { .interrupted($0) } ?? ducked ?? .active, at: now)
        if let wish = music.intent { lanes.intent.set("intent", wish, at: now) }
        guard let plays = music.plays else { return }
        let level = [music.duckLevel, music.soundLevel].compactMap { $0.map(Self.gain) }.min() ?? 1
        step(to: plays ? level * volume : 0)
    }

    private mutating func note(_ record: JournalRecord) {
        let isHeld = record.signals.first.map(lanes.asserted.holds) ?? false
        switch record.signalChange(isHeld: isHeld) {
        case .asserted: assert(record, true)
        case .suppressed: for signal in record.signals { lanes.asserted.set(signal, .suppressed, at: now) }
        case .released: assert(record, false)
        case nil: break
        }
        switch record.kind {
        case .interruptionBegan: mark(.began, "began(\(record[.reason] ?? ""))")
        case .interruptionEnded:
            mark(.ended, record[.shouldResume] == "yes" ? "ended(shouldResume)" : "ended()")
        case .duckBegan: mark(.began, "duckBegan(\(record[.level] ?? ""))")
        case .duckChanged: mark(isHeld ? .notice : .began, "duckChanged(\(record[.level] ?? ""))")
        case .duckEnded: mark(.ended, "duckEnded")
        case .soundBegan:
            lanes.sounds.endAll(at: now)
            lanes.sounds.set("sound", record[.sound], at: now)
        // A hush also cuts queued announcements.
        case .soundEnded where record.sound == music.sound, .soundCut where record.sound == music.sound:
            lanes.sounds.endAll(at: now)
        case .soundExpired: mark(.notice, "soundExpired(\(record[.sound] ?? ""))")
        case .output:
            guard let output = record[.output] else { break }
            lanes.meanings[output] = record[.effect]
            lanes.outputs.set(output, record.isAssertion == true ? true : nil, at: now)
        case .fault where record[.output] != nil:
            mark(.notice, "\(record[.output] ?? ""):\(record[.fault] ?? "")")
        case .fault where record.signals.isEmpty && record[.sound] != nil:
            mark(.notice, "\(record[.sound] ?? ""):\(record[.fault] ?? "")")
        case .fault: for signal in record.signals { lanes.faults.set(signal, record[.fault] ?? "fault", at: now) }
        case .faultCleared: for signal in record.signals { lanes.faults.set(signal, nil, at: now) }
        case .mediaServicesLost:
            lanes.losses.set("device", true, at: now)
            mark(.notice, "mediaServicesWereLost")
        case .mediaServicesReset:
            lanes.losses.set("device", nil, at: now)
            mark(.notice, "mediaServicesWereReset")
        case .recordingBegan: lanes.recording.set("microphone", .recorded, at: now)
        case .recordingEnded: lanes.recording.set("microphone", nil, at: now)
        case .recordingOverrun: mark(.notice, "\(record[.frames] ?? "") frames missing")
        case .captureLost: mark(.notice, "capture:lost")
        case .sourceChanged: mark(.notice, "sourceChanged(\(record[.source] ?? ""))")
        case .routeChanged: mark(.notice, "routeChanged(\(record[.reason] ?? ""))")
        case .command:
            let text = "\(record[.command] ?? "") → \(record[.answer] ?? "")"
            timeline.commands.append(.init(time: now, text: text, kind: .notice))
        default: break
        }
    }

    private mutating func assert(_ record: JournalRecord, _ isAsserted: Bool) {
        for signal in record.signals {
            lanes.asserted.set(signal, isAsserted ? .active : nil, at: now)
            guard let effect = record[.effect], lanes.effects[signal] == nil else { continue }
            lanes.effects[signal] = Timeline.SignalLane.words(forEffect: effect, level: record[.level])
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

    /// True if an outage has begun since the last point.
    private var isAfterSilence: Bool {
        guard let last = timeline.gain.last, let outage = timeline.outages.last else { return false }
        return last.time <= outage.from
    }

    private static func gain(_ level: String) -> Double {
        guard let decibels = Double(level) else { return 0 }
        return pow(10, min(decibels, 0) / 20)
    }
}

extension HistoryPicture {
    /// The spans of everything but the music, and the effects of signals and meanings of outputs.
    private struct Lanes {
        var session = SpanBook<Timeline.SessionState>()
        var intent = SpanBook<Timeline.Intent>()
        var asserted = SpanBook<Timeline.Assertion>()
        var faults = SpanBook<String>()
        var losses = SpanBook<Bool>()
        var inputs = SpanBook<String>()
        var sounds = SpanBook<String>()
        var outputs = SpanBook<Bool>()
        var recording = SpanBook<Timeline.Microphone>()
        var meanings: [String: String] = [:]
        var effects: [String: String] = [:]

        mutating func endAll(at time: Double) {
            session.endAll(at: time)
            intent.endAll(at: time)
            asserted.endAll(at: time)
            faults.endAll(at: time)
            losses.endAll(at: time)
            inputs.endAll(at: time)
            sounds.endAll(at: time)
            outputs.endAll(at: time)
            recording.endAll(at: time)
        }

        func draw(in timeline: inout Timeline) {
            timeline.session = session.spans(of: "session")
            timeline.intent = intent.spans(of: "intent")
            timeline.servicesLost = losses.spans(of: "device").map { $0.from...$0.to }
            let names = asserted.names + faults.names.filter { !asserted.names.contains($0) }
            timeline.signals = names.map { name in
                Timeline.SignalLane(
                    name: name, effect: effects[name] ?? "", asserted: asserted.spans(of: name),
                    faults: faults.spans(of: name))
            }
            let selected = inputs.spans(of: "input")
            timeline.inputs = selected.isEmpty ? nil : selected
            let heard = sounds.spans(of: "sound")
            timeline.sounds = heard.isEmpty ? nil : heard
            timeline.outputs = outputs.names.map { name in
                Timeline.OutputLane(name: name, meaning: meanings[name] ?? "", asserted: outputs.spans(of: name))
            }
            let recorded = recording.spans(of: "microphone")
            timeline.recording = recorded.isEmpty ? nil : recorded
        }
    }
}

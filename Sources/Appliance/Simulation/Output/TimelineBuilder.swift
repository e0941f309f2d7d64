import AudioSession
import Configuration
import Timeline

/// Draws a rehearsal from its trace.
struct TimelineBuilder {
    let configuration: Configuration
    let scenario: Scenario
    let stage: Stage

    private var end: Double { scenario.end.seconds }
    var rows: [TraceRow] { stage.rows }

    var timeline: Timeline {
        Timeline(
            title: "Rehearsal of \(scenario.name)", start: 0, end: end, signals: lanes, session: session,
            intent: intents,
            gain: (stage.world.gains?.points ?? []).map {
                Timeline.GainPoint(time: $0.time.seconds, gain: Double($0.gain))
            },
            heard: heard, programme: programme, marks: marks,
            commands: commands, outages: spans(\.outage),
            servicesLost: ranges { $0.map { !$0.servicesAvailable } ?? false })
    }

    // MARK: Rows to spans

    /// How long a value held, from each row to the next that has another.
    func spans<Value: Sendable & Equatable>(
        _ value: (TraceRow) -> Value?
    ) -> [Timeline.Span<Value>] {
        var spans: [Timeline.Span<Value>] = []
        for (index, row) in rows.enumerated() {
            let to = index + 1 < rows.count ? rows[index + 1].time.seconds : end
            guard let now = value(row) else { continue }
            if let last = spans.last, last.value == now, last.to == row.time.seconds {
                spans[spans.count - 1].to = to
            } else {
                spans.append(Timeline.Span(from: row.time.seconds, to: to, value: now))
            }
        }
        return spans.filter { $0.to > $0.from }
    }

    private func ranges(_ holds: (Snapshot?) -> Bool) -> [ClosedRange<Double>] {
        spans { holds($0.running) ? true : nil }.map { $0.from...$0.to }
    }

    private var session: [Timeline.Span<Timeline.SessionState>] {
        var reason = ""
        return spans { row in
            guard let state = row.running else { return nil }
            for case .began(let began) in state.notifications { reason = began.rawValue }
            return state.isInterrupted ? .interrupted(reason) : .active
        }
    }

    private var intents: [Timeline.Span<Timeline.Intent>] {
        spans { $0.running.flatMap { Timeline.Intent(rawValue: $0.intent.rawValue) } }
    }

    private var programme: [Timeline.ProgrammeSpan] {
        zip(rows.indices, rows).compactMap { index, row in
            guard let state = row.running, let track = state.track else { return nil }
            let to = index + 1 < rows.count ? rows[index + 1].time.seconds : end
            let from = row.time.seconds
            guard to > from else { return nil }
            let plays = state.directive != .silent
            return Timeline.ProgrammeSpan(
                from: from, to: to, fromPosition: state.position.seconds,
                toPosition: state.position.seconds + (plays ? to - from : 0), track: track,
                motion: plays ? .playing : .held)
        }
    }

    private var marks: [Timeline.Mark] {
        rows.flatMap { row in
            (row.state?.notifications ?? []).map { notification in
                let kind: Timeline.Mark.Kind =
                    switch notification {
                    case .began, .duckBegan: .began
                    case .ended, .duckEnded: .ended
                    default: .notice
                    }
                return Timeline.Mark(time: row.time.seconds, text: notification.description, kind: kind)
            }
        }
    }

    private var heard: [Timeline.PeakBucket]? {
        stage.world.recorder?.peaks.peaks.enumerated().map { bucket, peak in
            Timeline.PeakBucket(from: PeakMeter.time(of: bucket), to: PeakMeter.time(of: bucket + 1), peak: peak)
        }
    }

    private var commands: [Timeline.Mark] {
        rows.compactMap { row in
            guard let answer = row.state?.answer else { return nil }
            let command = row.event.hasPrefix("command ") ? String(row.event.dropFirst(8)) : row.event
            return Timeline.Mark(time: row.time.seconds, text: "\(command) → \(answer.name)", kind: .notice)
        }
    }
}

/// The programme's gain over time, as it was applied: a point wherever it bends.
struct GainCurve {
    private(set) var points: [(time: Duration, gain: Float)] = []

    /// Where the curve last began anew.
    private var start = 0

    /// What comes now does not continue what was before: a device was opened.
    mutating func begin(_ gain: Float, at time: Duration) {
        start = points.count
        points.append((time, gain))
    }

    mutating func append(_ gain: Float, at time: Duration) {
        if points.count - start >= 2, points.suffix(2).allSatisfy({ $0.gain == gain }) { points.removeLast() }
        points.append((time, gain))
    }
}

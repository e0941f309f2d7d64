import AudioSession
import Configuration
import Timeline
import Vocabulary

/// Builds the timeline of a rehearsal from its trace.
struct TimelineBuilder {
    let configuration: Configuration
    let scenario: Scenario
    let runner: ScenarioRunner
    /// The title, or nil for the scenario's length and name.
    let title: String?

    private var end: Double { scenario.end.seconds }
    var rows: [TraceRow] { runner.rows }

    var timeline: Timeline {
        Timeline(
            title: title ?? "\(scenario.end.words) of \(scenario.name)", start: 0, end: end, signals: lanes,
            session: session,
            intent: intents, inputs: configuration.session.inputs.isEmpty ? nil : inputs,
            sounds: configuration.session.sounds.isEmpty ? nil : sounds, outputs: outputs,
            gain: (runner.world.gains?.points ?? []).map {
                Timeline.GainPoint(time: $0.time.seconds, gain: Double($0.gain))
            },
            heard: heard, playback: playback, recording: configuration.session.canRecord ? recording : nil,
            marks: marks,
            commands: commands, outages: spans(\.outage),
            servicesLost: ranges { $0.map { !$0.servicesAvailable } ?? false })
    }

    // MARK: Rows to spans

    /// Returns the spans in which a value stays the same, from one row to the next with a different value.
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

    /// The state of the session. An interruption or a duck is one span by the signals that began it.
    private var session: [Timeline.Span<Timeline.SessionState>] {
        var (interrupting, ducking): (String?, String?)
        return spans { row in
            guard let state = row.running else {
                (interrupting, ducking) = (nil, nil)
                return nil
            }
            interrupting = state.isInterrupted ? interrupting ?? blocking(row, state) : nil
            for notification in state.notifications {
                switch notification {
                case .duckBegan: ducking = names(of: row, where: \.isDuck)
                case .duckEnded: ducking = nil
                default: break
                }
            }
            return interrupting.map { .interrupted($0) } ?? ducking.map { .ducked($0) } ?? .active
        }
    }

    /// Returns the names of the signals that block. Without a track, the silence has another cause.
    private func blocking(_ row: TraceRow, _ state: Snapshot) -> String {
        guard case .interrupted(let signals)? = state.quietCause else { return names(of: row) { $0 == .pause } }
        return signals.map(\.rawValue).joined(separator: ", ")
    }

    /// Returns the names of the active signals with certain effects.
    private func names(of row: TraceRow, where matches: (Effect) -> Bool) -> String {
        let signals = configuration.session.signals.filter { matches($0.effect) }.map(\.id)
        return row.held.filter { $0.standing == .active && signals.contains($0.signal) }.map(\.signal.rawValue)
            .joined(separator: ", ")
    }

    private var intents: [Timeline.Span<Timeline.Intent>] {
        spans { $0.running.flatMap { Timeline.Intent(rawValue: $0.intent.rawValue) } }
    }

    /// The inputs that were selected.
    private var inputs: [Timeline.Span<String>] {
        spans { $0.running.flatMap { $0.source == .library ? nil : $0.source.description } }
    }

    /// The due sounds. A sound that becomes due again at once is another span.
    private var sounds: [Timeline.Span<String>] {
        var begins = 0
        return spans { row -> DueSpan? in
            guard let state = row.running, let sound = state.sound else { return nil }
            for case .soundBegan in state.notifications { begins += 1 }
            return DueSpan(sound: sound.rawValue, number: begins)
        }.map { Timeline.Span(from: $0.from, to: $0.to, value: $0.value.sound) }
    }

    private var outputs: [Timeline.OutputLane] {
        configuration.outputs.map(\.policy).map { output in
            Timeline.OutputLane(
                name: output.id.rawValue, meaning: output.meaning.name,
                asserted: spans { $0.running.flatMap { $0.outputs.contains(output.id) ? true : nil } })
        }
    }

    private struct DueSpan: Equatable {
        let sound: String
        let number: Int
    }

    private var playback: [Timeline.PlaybackSpan] {
        zip(rows.indices, rows).compactMap { index, row in
            guard let state = row.running, let track = state.track else { return nil }
            let to = index + 1 < rows.count ? rows[index + 1].time.seconds : end
            let from = row.time.seconds
            guard to > from else { return nil }
            let plays = state.directive != .silent && state.source == .library
            return Timeline.PlaybackSpan(
                from: from, to: to, fromPosition: state.position.seconds,
                toPosition: state.position.seconds + (plays ? to - from : 0), track: track,
                motion: plays ? .playing : .held)
        }
    }

    private var recording: [Timeline.Span<Timeline.Microphone>] {
        spans { row in row.running.flatMap { $0.isRecording ? $0.isMicrophoneMuted ? .muted : .recorded : nil } }
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
        runner.world.recorder?.peaks.peaks.enumerated().map { bucket, peak in
            Timeline.PeakBucket(from: PeakMeter.time(of: bucket), to: PeakMeter.time(of: bucket + 1), peak: peak)
        }
    }

    private var commands: [Timeline.Mark] {
        rows.compactMap { row in
            guard let answer = row.state?.answer else { return nil }
            let command = row.event.split(separator: " ").drop { $0 == ScenarioWord.command.rawValue }.joined(
                separator: " ")
            return Timeline.Mark(time: row.time.seconds, text: "\(command) → \(answer.name)", kind: .notice)
        }
    }
}

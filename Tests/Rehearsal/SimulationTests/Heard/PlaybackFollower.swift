import AudioSession
import Simulation

/// Checks that no frame of the music is lost, and that none is played twice except the frames that a fade-out or
/// `ResumeRewind` repeats.
struct PlaybackFollower {
    typealias Contradiction = Recording.Contradiction

    private let fadeOut: Int
    private let lead: Int
    /// True if the amplifier is on. `ready` is the time from which the music is audible.
    private var isOn = false
    private var ready = 0
    /// Lengths in frames.
    private let rewind, interval: Int
    /// The position at which the music would start. After a power cut, the saved position may be up to an interval
    /// earlier.
    private var resume = 0...0
    /// The position from which it last started.
    private var origin = 0...0
    /// The time and position at which the music began to play, or nil while it does not play.
    private var playing: (since: Int, position: ClosedRange<Int>)?
    /// The time and position at which a fade-out began, or nil while none runs.
    private var fading: (since: Int, position: ClosedRange<Int>)?
    private var isAsleep = false

    init(_ scenario: HeardScenario) {
        fadeOut = scenario.fadeOut
        lead = scenario.lead ?? 0
        rewind = scenario.rewind * HeardScenario.cellFrames
        interval = scenario.interval * HeardScenario.cellFrames
    }

    mutating func follow(_ cell: Recording.Cell, _ rows: [TraceRow], at now: Int) throws {
        if let fading, now - fading.since >= fadeOut { self.fading = nil }
        for row in rows { handle(row, at: now) }
        guard let heard = cell.playback else { return }
        guard let (since, position) = playing ?? fading else {
            throw Contradiction(now, "frame \(heard) of the music is heard")
        }
        guard now >= since else { throw Contradiction(now, "the music is heard before the lead has passed") }
        let start = heard - (now - since) * HeardScenario.cellFrames
        guard position.contains(start) else {
            throw Contradiction(now, "the music is at frame \(heard), which is not due")
        }
        // From now on, the exact position is known.
        guard position.count > 1 else { return }
        if origin == position { origin = start...start }
        if playing != nil { playing?.position = start...start } else { fading?.position = start...start }
    }

    private mutating func handle(_ row: TraceRow, at now: Int) {
        if row.event == "power-cut" {
            if let position = position(at: now) {
                let earliest = max(position.lowerBound - interval, min(origin.lowerBound, position.lowerBound))
                resume = rewound(earliest)...rewound(position.upperBound)
            }
            (playing, fading, isAsleep, isOn) = (nil, nil, false, false)
            return
        }
        if row.event.hasPrefix("asleep") {
            if let position = position(at: now) { playing = (now, position) }
            (fading, isAsleep) = (nil, true)
            return
        }
        guard let state = row.state else { return }
        let isOn = state.outputs.contains("amplifier")
        if isOn, !self.isOn { ready = now + lead }
        self.isOn = isOn
        if row.event == "awake" {
            isAsleep = false
            if let position = playing?.position {
                (playing, resume) = (nil, position)
                if state.directive == .silent {
                    stop(at: position, state, fades: false, now)
                    return
                }
            }
        }
        switch (playing == nil, state.directive != .silent) {
        case (true, true): start(at: now)
        case (false, false):
            guard let position = position(at: now) else { break }
            let isNew = playing.map { $0.since >= now && fading == nil && origin == $0.position } ?? false
            playing = nil
            stop(at: position, state, fades: row.event != "device lost" && !isNew, now)
        default: break
        }
        if row.event == "device lost" || row.event.hasPrefix("configuration") { fading = nil }
    }

    private mutating func start(at now: Int) {
        if let faded = fading {
            playing = (now, moved(faded.position, by: now - faded.since))
        } else {
            playing = (isOn ? max(now, ready) : now, resume)
            origin = resume
        }
        fading = nil
    }

    private mutating func stop(at position: ClosedRange<Int>, _ state: Snapshot, fades: Bool, _ now: Int) {
        if state.intent != .playing {
            resume = position
        } else if origin.count > 1 {
            // Wherever the music started, it rewinds by the same amount, but not beyond that position.
            let played = position.lowerBound - origin.lowerBound
            resume = origin.lowerBound + max(0, played - rewind)...origin.upperBound + max(0, played - rewind)
        } else {
            resume = rewound(position.lowerBound)...rewound(position.upperBound)
        }
        if fades, fadeOut > 0 { fading = (now, position) }
    }

    private func position(at now: Int) -> ClosedRange<Int>? {
        playing.map { isAsleep ? $0.position : moved($0.position, by: max(0, now - $0.since)) }
    }

    private func moved(_ range: ClosedRange<Int>, by cells: Int) -> ClosedRange<Int> {
        range.lowerBound + cells * HeardScenario.cellFrames...range.upperBound + cells * HeardScenario.cellFrames
    }

    private func rewound(_ position: Int) -> Int {
        max(0, position - rewind, min(position, origin.lowerBound))
    }
}

import AudioSession
import Foundation
import Simulation

/// Compares the recording with the requirements that follow from the trace. Times are in cells.
struct Listener {
    typealias Contradiction = Recording.Contradiction

    /// A sound from its first frame at full level to its last one.
    struct Run {
        let sound: HeardScenario.HeardSound
        let start: Int
        /// The cell after the run's last one.
        var end: Int
        var isComplete: Bool { end - start == sound.length }
    }

    let scenario: HeardScenario
    let cells: [Recording.Cell]
    /// The rows at the beginning of each cell.
    let rows: [[TraceRow]]
    /// The state in each cell, or nil while nothing runs.
    let states: [Snapshot?]
    var runs: [Run] = []

    init(_ scenario: HeardScenario, _ trace: [TraceRow], _ recording: Recording) {
        self.scenario = scenario
        cells = recording.cells
        var rows = [[TraceRow]](repeating: [], count: cells.count + 1)
        for row in trace {
            let cell = Int((row.time / HeardScenario.cellLength).rounded())
            if cell < rows.count { rows[cell].append(row) }
        }
        var state: Snapshot?
        states = rows.map { rows in
            for row in rows { state = row.stops ? nil : row.state ?? state }
            return state
        }
        self.rows = rows
    }

    mutating func check() throws {
        runs = try findRuns()
        try checkAmplifier()
        try checkSilence()
        for run in runs { try check(run) }
        try checkDueSounds()
        try checkAnnouncements()
        try checkCues()
        var playback = PlaybackFollower(scenario)
        for cell in cells.indices { try playback.follow(cells[cell], rows[cell], at: cell) }
    }

    private var longestWait: Int { max(scenario.fadeOut, scenario.duckAttack, scenario.lead ?? 0) }

    /// Checks that the amplifier is on, and has been on for its lead, while anything is audible.
    private func checkAmplifier() throws {
        guard scenario.lead != nil else { return }
        for (index, cell) in cells.enumerated() where !cell.isSilent || cell.sound != nil || cell.tail != nil {
            // The event at this instant can turn it off only after its lag.
            guard let ready = ready(at: index) else { throw Contradiction(index, "it is heard without an amplifier") }
            if index < ready { throw Contradiction(index, "it is heard before the amplifier's lead has passed") }
        }
    }

    /// Returns the end of the lead of an amplifier that is on in this cell, or nil if it is off.
    private func ready(at cell: Int) -> Int? {
        var ready: Int?
        for index in 0...cell {
            for row in rows[index] {
                if row.event == "power-cut" { ready = nil }
                guard let state = row.state else { continue }
                let isOn = state.outputs.contains("amplifier")
                ready = isOn ? ready ?? index + (scenario.lead ?? 0) : nil
            }
        }
        return ready
    }

    private func sound(_ file: Int) throws -> HeardScenario.HeardSound {
        let name = HeardScenario.files[file]
        guard let sound = scenario.sounds.first(where: { $0.name == name }) else {
            throw Contradiction(0, "\(name) is heard")
        }
        return sound
    }

    /// Finds the runs. Every sound must begin with its first frame, continue frame by frame, and fade out if it is cut.
    private func findRuns() throws -> [Run] {
        var runs: [Run] = []
        var next: Recording.Heard?
        for (index, cell) in cells.enumerated() {
            if let tail = cell.tail, tail != next {
                throw Contradiction(index, "frame \(tail.frame) fades out, which was not next")
            }
            let isContinued = next != nil && cell.sound == next
            if let expected = next, !isContinued, cell.tail == nil, !rows[index].contains(where: \.cutsAbruptly) {
                throw Contradiction(index, "a sound stops without a fade-out before its frame \(expected.frame)")
            }
            if let heard = cell.sound {
                let sound = try sound(heard.file)
                guard isContinued || heard.frame == 0 else {
                    throw Contradiction(index, "a sound begins with its frame \(heard.frame)")
                }
                if heard.frame == 0 { runs.append(Run(sound: sound, start: index, end: index)) }
                runs[runs.count - 1].end = index + 1
                let following = heard.frame + HeardScenario.cellFrames
                next =
                    following < sound.length * HeardScenario.cellFrames
                    ? Recording.Heard(file: heard.file, frame: following)
                    : sound.repeats ? Recording.Heard(file: heard.file, frame: 0) : nil
            } else {
                next = nil
            }
        }
        return runs
    }

    /// Checks that nothing is audible while nothing runs, and that no music is audible once a fade-out is complete.
    /// Music that plays must have its exact level when every ramp is complete.
    private func checkSilence() throws {
        let longest = [scenario.fadeIn, scenario.fadeOut, scenario.duckAttack, scenario.duckRelease, 4].max() ?? 0
        let ramps = longest + (scenario.lead ?? 0)
        var since = 0
        for (index, cell) in cells.enumerated() {
            let state = states[index]
            let before = index > 0 ? states[index - 1] : nil
            if state?.directive != before?.directive || state?.volume != before?.volume { since = index }
            // Two events of one instant may begin a ramp without changing the state.
            if rows[index].count > 1 { since = index }
            guard let state else {
                guard cell.isSilent, cell.sound == nil, cell.tail == nil else {
                    throw Contradiction(index, "something is heard while nothing runs")
                }
                continue
            }
            guard let level = state.gain else {
                guard cell.isSilent || index < since + scenario.fadeOut else {
                    throw Contradiction(index, "the music is heard, although it has faded out")
                }
                continue
            }
            guard index >= since + ramps else { continue }
            let gain = amplitude(level.decibels + state.volume.decibels)
            guard cell.gains.allSatisfy({ abs($0 - gain) < 1e-5 }) else {
                throw Contradiction(index, "the music's gain is not \(gain)")
            }
        }
    }

    private func amplitude(_ decibels: Double) -> Double { pow(10, decibels / 20) }

    /// Checks that the sound does not play while a signal of higher priority blocks it, and that the music has been
    /// ducked or silenced before its first frame.
    private func check(_ run: Run) throws {
        let name = run.sound.name
        for index in run.start..<run.end {
            guard let state = states[index], state.servicesAvailable else {
                throw Contradiction(index, "\(name) is heard without a device")
            }
            for signal in scenario.signals
            where signal.blocks && signal.priority > run.sound.priority && state.active.contains(SignalID(signal.name))
            {
                throw Contradiction(index, "\(name) is heard although \(signal.name) blocks it")
            }
            guard let level = run.sound.requires, !fadesOut(since: run, at: index) else { continue }
            if let loud = cells[index].gains.first(where: { $0 > amplitude(level) + 1e-5 }) {
                throw Contradiction(index, "the music is at \(loud) while \(name) is heard, above \(level) dB")
            }
        }
        try checkWait(of: run)
    }

    /// Returns true if a fade-out is in progress that began while the sound was pending. It may be longer than the
    /// attack for which the sound waited.
    private func fadesOut(since run: Run, at index: Int) -> Bool {
        guard let due = lastBegin(of: run.sound.name, by: run.start), states[index]?.gain == nil else { return false }
        // Two events of one instant may begin the fade-out and the sound.
        let first = rows[due].count > 1 ? max(0, due - 1) : due
        return (max(first, index - scenario.fadeOut)...index).contains { states[$0]?.gain != nil }
    }

    /// Checks that the sound begins at once if the music is silent or low enough.
    private func checkWait(of run: Run) throws {
        guard let due = lastBegin(of: run.sound.name, by: run.start) else {
            throw Contradiction(run.start, "\(run.sound.name) is heard, but was never due")
        }
        let isRepetition = run.sound.repeats && runs.contains { $0.sound.name == run.sound.name && $0.end == run.start }
        // Two events of one instant, and those found on waking, may require a ramp that is not audible.
        // During the lead, the sound waits for the amplifier and for the whole ramp of music that is not audible yet.
        if let ready = ready(at: due), ready > due { return }
        guard due < run.start, !isRepetition, rows[due].count == 1, rows[due].first?.event != "awake" else { return }
        guard let level = run.sound.requires else {
            throw Contradiction(run.start, "\(run.sound.name) waits, although it leaves the music as it is")
        }
        // An attack in progress is counted in full, even if it was shortened for another sound.
        let attack = max(0, due - scenario.duckAttack)..<due
        guard attack.allSatisfy({ states[$0]?.directive == states[due - 1]?.directive }) else { return }
        let gains = (due > 0 ? cells[due - 1].gains.suffix(1) : []) + cells[due..<run.start].flatMap(\.gains)
        let isLow = gains.allSatisfy { $0 <= amplitude(level) + 1e-5 }
        if isLow, Set(gains).count == 1 {
            throw Contradiction(run.start, "\(run.sound.name) waits, although the music is low enough")
        }
    }

    private func lastBegin(of name: String, by cell: Int) -> Int? {
        (0...cell).last { rows[$0].contains { $0.begins(name) } }
    }

    /// Checks that a pending sound is played after its wait, and that no other sound is played.
    private func checkDueSounds() throws {
        for (index, cell) in cells.enumerated() {
            let due = states[index]?.sound?.rawValue
            let heard = cell.sound.map { HeardScenario.files[$0.file] }
            guard heard != due else { continue }
            if let heard { throw Contradiction(index, "\(heard) is heard, but \(due ?? "nothing") is due") }
            guard let due, let began = lastBegin(of: due, by: index) else { continue }
            if index >= began + longestWait { throw Contradiction(index, "\(due) is due, but not heard") }
        }
    }

    /// Checks that an announcement is played to its end at most once and never begins after its `Expire`. Between two
    /// consecutive ones the music must not rise.
    private func checkAnnouncements() throws {
        var requests: [String: [Int]] = [:]
        for index in rows.indices {
            for run in runs where run.end == index && run.isComplete && run.sound.signal == nil {
                guard rows[index].contains(where: { $0.posts("soundEnded", run.sound.name) }) else {
                    // If an event of the scenario occurs at the very instant at which the sound ends, it comes first
                    // and cuts the sound off.
                    if rows[index].contains(where: { $0.event != "sound ended \(run.sound.name)" }) { continue }
                    throw Contradiction(index, "\(run.sound.name) was heard to its end, unnoticed")
                }
                guard requests[run.sound.name]?.isEmpty == false else {
                    throw Contradiction(index, "\(run.sound.name) is heard to its end once more than requested")
                }
                requests[run.sound.name]?.removeFirst()
                try checkPlaybackStaysLow(after: run)
            }
            for row in rows[index] {
                let words = row.event.split(separator: " ").map(String.init)
                if row.event == "command hush" || row.event == "power-cut" { requests = [:] }
                if words.starts(with: ["command", "announce"]), [.success, .deferred].contains(row.state?.answer) {
                    requests[words[2], default: []].append(index)
                }
            }
            for run in runs where run.start == index && run.sound.signal == nil {
                let began = lastBegin(of: run.sound.name, by: index) ?? index
                let expire = run.sound.expire ?? .max / 2
                requests[run.sound.name]?.removeAll { $0 + expire < began }
                guard requests[run.sound.name]?.isEmpty == false else {
                    throw Contradiction(index, "\(run.sound.name) begins without a request that can still be heard")
                }
            }
        }
    }

    private func checkPlaybackStaysLow(after run: Run) throws {
        guard run.sound.requires != nil, run.end < rows.count, rows[run.end].count == 1,
            let next = scenario.sounds.first(where: { next in rows[run.end].contains { $0.begins(next.name) } }),
            next.signal == nil, next.requires != nil,
            let follower = runs.first(where: { $0.sound.name == next.name && $0.start >= run.end }),
            rows[run.end + 1..<max(run.end + 1, follower.start)].allSatisfy(\.isEmpty)
        else { return }
        // A fade-in in progress may continue below the next one's level.
        let highest = max(cells[run.end - 1].gains.last ?? 0, amplitude(next.requires ?? 0)) + 1e-5
        for index in run.end..<follower.start where !cells[index].gains.allSatisfy({ $0 <= highest }) {
            throw Contradiction(index, "the music rises between \(run.sound.name) and \(next.name)")
        }
    }

    /// Checks that an unfinished cue is played whenever its signal is active and nothing of higher priority blocks it
    /// or is playing.
    private func checkCues() throws {
        for sound in scenario.sounds {
            guard let signal = sound.signal.map(SignalID.init(_:)) else { continue }
            var (isDone, missed) = (false, 0)
            for (index, cell) in cells.enumerated() {
                if rows[index].contains(where: { $0.event == "power-cut" }) { isDone = false }
                guard let state = states[index], state.active.contains(signal) else {
                    missed = 0
                    if states[index] != nil { isDone = false }
                    continue
                }
                // The signal has ended and begun again at the same instant.
                if rows[index].contains(where: { $0.state?.active.contains(signal) == false }) { isDone = false }
                let isBlocked = scenario.signals.contains {
                    $0.blocks && $0.priority > sound.priority && state.active.contains(SignalID($0.name))
                }
                missed = isBlocked || isDone || !state.servicesAvailable || cell.sound != nil ? 0 : missed + 1
                if runs.contains(where: { $0.sound.name == sound.name && $0.isComplete && $0.end == index + 1 }) {
                    isDone = !sound.repeats
                }
                // Another sound may also have waited for the music and been cut before its first frame.
                if !isDone, missed > 2 * longestWait + 1 {
                    throw Contradiction(index, "\(sound.name) is not heard, although \(signal) is active")
                }
            }
        }
    }
}

extension TraceRow {
    /// True if nothing runs after this event.
    var stops: Bool { event == "power-cut" || event.hasPrefix("asleep") }
    /// True if this event may stop the sound without a fade-out.
    var cutsAbruptly: Bool { stops || event == "device lost" || event.hasPrefix("configuration") }

    fileprivate func begins(_ sound: String) -> Bool { posts("soundBegan", sound) }

    fileprivate func posts(_ notification: String, _ sound: String) -> Bool {
        state?.notifications.contains { $0.description == "\(notification)(\(sound))" } ?? false
    }
}

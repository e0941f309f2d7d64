import AudioSession
import Configuration
import Simulation

/// A second implementation of the session's semantics, which gives the expected content of every row of a trace.
///
/// It shares no code with the session; times are in whole milliseconds. It covers conditioned signals, commands, the
/// devices, the route, sounds, recording, sleep and power; `ConditioningOracle` covers raw levels. `contradiction` follows a scenario row
/// by row.
struct ReferenceModel {
    typealias Milliseconds = Int

    struct Signal {
        enum Standing { case active, suppressed, dropped }

        let policy: SignalPolicy
        let releaseDelay: Milliseconds
        let stuckAfter: Milliseconds?
        /// The line's level, also while nothing runs.
        var isHigh = false
        var standing: Standing?
        var began: Milliseconds = 0
        var isStuck = false
        /// Whether its cue has been heard to its end since its begin.
        var isCueDone = false
        /// When an assertion held by a boot or by waking ends.
        var releases: Milliseconds?

        var name: String { policy.id.rawValue }
    }

    struct Episode {
        var lastWord: String?
        var recordingWord: String?
        var recommends = true
    }

    /// The state on the disk.
    struct Saved {
        let intent: Intent
        let track: Int
        let volume: Level
        let signals: [Signal]
        let episode: Episode?
        let anchor: Milliseconds
        let wasPlaying: Bool
        /// The latest possible position; if the programme was playing, it can be up to an interval earlier.
        let position: Milliseconds
        let wantsRecording: Bool?
    }

    let policy: Policy
    let tracks: [(name: String, length: Milliseconds)]
    let soundLengths: [String: Milliseconds]
    let fadeOut: Milliseconds
    let duckAttack: Milliseconds
    let rewind: Milliseconds
    let interval: Milliseconds
    let resumeDelay: Milliseconds

    var now: Milliseconds = 0
    var signals: [Signal]
    var intent: Intent
    var volume: Level
    var track = 0
    /// The position in the track: while silent, the current one; while playing, that at `since`.
    var position: Milliseconds = 0
    var since: Milliseconds?
    /// The position from which playback last resumed.
    var anchor: Milliseconds = 0
    var owesRewind = false
    /// When the fade-out began, and when it ends, if it can be reversed.
    var fading: (since: Milliseconds, until: Milliseconds)?
    var device = true
    var playedWhileLost = false
    var isOnFallback = false
    var episode: Episode?
    var episodeEnds: Milliseconds?
    var heldDuck: (level: Level, until: Milliseconds)?
    var deviceBack = true
    var wakes: Milliseconds?
    var routeMeanwhile: Bool?
    var reconfiguredMeanwhile = false
    var saved: Saved?
    var isOn = false
    /// The notifications of the current event.
    var notifications: [String] = []
    var answer: Answer?
    /// The announcements neither heard to their end nor dropped, in the order of their requests.
    var announcements: [Announcement] = []
    var announced = 0
    /// The sound ordered last, from its order to its end.
    var heard: Heard?
    /// Nothing is heard yet, so nothing fades out.
    var isWaking = false
    /// When the programme last started out of silence: when its first frame is heard.
    var startedAt: Milliseconds = 0
    /// Whether the current event starts it.
    var startsNow = false
    var outputs: [BoardOutput]
    /// nil if the session cannot record.
    var recorder: Recorder?
    /// When the last falling ramp of the programme is complete.
    var rampEnds: Milliseconds = 0
    /// The directive's level before the current event; nil if it was silent.
    var levelBefore: Level?
    /// The sounds' notifications of the current event.
    var cut: [String] = []
    var ended: [String] = []
    var expired: [String] = []
    var soundBegan: [String] = []
    /// Signals whose fault has ended, but whose `cleared` row is still due.
    var cleared: Set<Int> = []

    /// - Parameter sounds: those whose files can be read.
    init(
        _ configuration: Configuration, tracks: [(name: String, length: Milliseconds)],
        sounds: [(name: String, length: Milliseconds)]
    ) {
        policy = configuration.session
        self.tracks = tracks
        soundLengths = Dictionary(uniqueKeysWithValues: sounds.map { ($0.name, $0.length) })
        let milliseconds = { (time: Duration) in Int(time / .milliseconds(1)) }
        duckAttack = milliseconds(configuration.playback.duckAttack)
        fadeOut = milliseconds(configuration.playback.fadeOut)
        rewind = milliseconds(configuration.playback.resumeRewind)
        interval = milliseconds(configuration.state.interval)
        resumeDelay = milliseconds(policy.resumeDelay)
        outputs = Self.outputs(of: configuration)
        recorder = Self.recorder(of: configuration)
        intent = policy.autoPlay ? .playing : .stopped
        volume = policy.volume
        signals = policy.signals.map {
            let line = configuration.lines[$0.id]
            return Signal(
                policy: $0, releaseDelay: line.map { milliseconds($0.releaseDelay) } ?? 0,
                stuckAfter: line?.stuckAfter.map(milliseconds))
        }
    }

    // MARK: Derived state

    func blocks(_ signal: Signal) -> Bool {
        switch signal.policy.effect {
        case .pause: true
        case .duck: policy.mode == .spokenAudio
        case .muteMicrophone:
            policy.category != .playback && !policy.options.contains(.overrideMutedMicrophoneInterruption)
        case .checkpoint, .ignore: false
        }
    }

    var active: [Signal] { signals.filter { $0.standing == .active } }
    var isBlocked: Bool { active.contains(where: blocks) }

    var activeDuck: Level? {
        active.compactMap { signal in
            if case .duck(let level) = signal.policy.effect, policy.mode == .default { level } else { nil }
        }.min()
    }

    var duck: Level? { activeDuck ?? heldDuck?.level }
    var plays: Bool { intent == .playing && device && episode == nil && !tracks.isEmpty && !duePauses }
    /// The directive's level; nil if it is silent.
    var level: Level? { plays ? min(duck ?? .full, announcedLevel ?? .full) : nil }
    var reported: Milliseconds {
        if let since { return wakes == nil ? position + max(0, now - since) : position }
        return owesRewind ? rewound : position
    }
    /// The track at the programme's position, which a fade-out that reverses beyond the track's end has passed before the
    /// event that says so.
    var place: (track: Int, position: Milliseconds) {
        guard !tracks.isEmpty, reported > tracks[track].length, policy.repeats != .none || track + 1 < tracks.count
        else { return (track, reported) }
        let next = policy.repeats == .track ? track : (track + 1) % tracks.count
        return (next, reported - tracks[track].length)
    }
    /// A rewind passes neither the track's start nor the position from which playback last resumed.
    var rewound: Milliseconds { max(0, position - rewind, min(position, anchor)) }

    // MARK: Events

    /// Derives the consequences of a change.
    /// - Parameters:
    ///   - target: a position in `track` to jump to.
    ///   - fades: whether a fade-out that begins now is heard.
    mutating func settle(
        duckBefore: Level?, activeDuckBefore: Level?, reason: String = "default", jump target: Milliseconds? = nil,
        fades: Bool = true
    ) {
        if isBlocked {
            episodeEnds = nil
            if episode == nil {
                episode = Episode()
                notifications.append("began(\(reason))")
            }
        } else if episode != nil {
            if resumeDelay > 0 { episodeEnds = episodeEnds ?? now + resumeDelay } else { endEpisode() }
        }
        if activeDuck != nil || resumeDelay == 0 {
            heldDuck = nil
        } else if let level = activeDuckBefore {
            heldDuck = (level, now + resumeDelay)
        }
        noteDuck(since: duckBefore)
        move(to: target, fades: fades)
    }

    mutating func noteDuck(since before: Level?) {
        switch (before, duck) {
        case (nil, let level?): notifications.append("duckBegan(\(level))")
        case (_?, nil): notifications.append("duckEnded")
        case (let old?, let new?) where old != new: notifications.append("duckChanged(\(new))")
        default: break
        }
    }

    mutating func endEpisode() {
        guard let episode else { return }
        if !episode.recommends, episode.lastWord == nil, intent == .playing, policy.hasPlaybackInterface {
            intent = .paused
        }
        endRecordingEpisode(episode)
        self.episode = nil
        episodeEnds = nil
        notifications.append(episode.recommends ? "ended(shouldResume)" : "ended()")
    }

    /// Makes the programme follow the directive.
    mutating func move(to target: Milliseconds? = nil, fades: Bool = true) {
        if let since, !plays {
            position += max(0, now - since)
            self.since = nil
            startsNow = false
            owesRewind = intent == .playing
            let hasRamp = fades && !isWaking && startedAt < now
            // There is no ramp from `mute` to silence, but the one to `mute` may not be complete.
            if levelBefore != .mute || !hasRamp { rampEnds = hasRamp ? now + fadeOut : now }
            fading = hasRamp && rampEnds > now && volume != .mute ? (now, rampEnds) : nil
        }
        if let target {
            position = target
            anchor = target
            owesRewind = false
            fading = nil
            if let since { self.since = max(now, since) }
        }
        guard plays, since == nil else { return }
        if let fading, now < fading.until {
            position += now - fading.since
        } else {
            if owesRewind { position = rewound }
            anchor = position
            startedAt = now
            startsNow = true
        }
        fading = nil
        owesRewind = false
        since = now
    }

    mutating func begin(_ index: Int) {
        signals[index].releases = nil
        guard signals[index].standing == nil else { return }
        signals[index].began = now
        signals[index].isCueDone = false
        let hasEffect = ![.ignore, .checkpoint].contains(signals[index].policy.effect)
        let isSuppressed =
            policy.prefersNoInterruptionsFromSystemAlerts && signals[index].policy.isAlert && hasEffect
        signals[index].standing = isSuppressed ? .suppressed : .active
    }

    mutating func end(_ index: Int) {
        signals[index].releases = nil
        if signals[index].standing == .active { advise(signals[index]) }
        signals[index].standing = nil
        if signals[index].isStuck { cleared.insert(index) }
        signals[index].isStuck = false
    }

    /// Called when a signal's interruption is over: decides whether the episode still recommends resuming.
    mutating func advise(_ signal: Signal) {
        guard blocks(signal) else { return }
        let limit = signal.policy.resumeWithin.map { Int($0 / .milliseconds(1)) } ?? .max
        if signal.policy.resume == .manual || now - signal.began > limit { episode?.recommends = false }
    }

    mutating func drop(_ index: Int) {
        guard signals[index].standing == .active else { return }
        advise(signals[index])
        signals[index].standing = .dropped
    }

    mutating func edge(_ index: Int, _ isAsserted: Bool) {
        signals[index].isHigh = isAsserted
        let (duck, active) = (duck, activeDuck)
        let reason =
            isAsserted && signals[index].policy.effect == .muteMicrophone ? "builtInMicMuted" : "default"
        if isAsserted { begin(index) } else { end(index) }
        settle(duckBefore: duck, activeDuckBefore: active, reason: reason)
    }

    mutating func command(_ command: Command) {
        let (duck, active) = (duck, activeDuck)
        var target: Milliseconds?
        answer = .success
        switch command == .playPause ? (plays ? .pause : .play) : command {
        case .play:
            intent = .playing
            episode?.lastWord = "play"
            playedWhileLost = !device
            for index in signals.indices where signals[index].isStuck { drop(index) }
            answer = tracks.isEmpty ? .noActionableNowPlayingItem : nil
        case .pause:
            episode?.lastWord = "pause"
            playedWhileLost = false
            if intent == .stopped { answer = .noActionableNowPlayingItem } else { intent = .paused }
        case .stop:
            intent = .stopped
            episode?.lastWord = "stop"
            playedWhileLost = false
            target = 0
        case .next: target = step(by: 1)
        case .previous: target = step(by: -1)
        case .seek(let to, _):
            if intent == .stopped || tracks.isEmpty {
                answer = .noActionableNowPlayingItem
            } else {
                let to = Int(to / .milliseconds(1))
                target = to >= tracks[track].length ? step(by: 1) : max(0, to)
            }
        case .announce(let announcement): announce(announcement.sound.rawValue)
        case .hush: hush()
        case .volume(let level): volume = level
        case .record: record()
        case .stopRecording: stopRecording()
        case .playPause: break
        }
        // A jump that silences the programme fades out at the old position, and that fade-out cannot be reversed.
        settle(duckBefore: duck, activeDuckBefore: active, jump: target)
        answer = answer ?? (plays ? .success : .deferred)
    }

    mutating func step(by step: Int) -> Milliseconds? {
        guard !tracks.isEmpty else {
            answer = .noActionableNowPlayingItem
            return nil
        }
        if policy.repeats == .none, !tracks.indices.contains(track + step) {
            intent = .stopped
            track = 0
        } else {
            track = (track + step + tracks.count) % tracks.count
        }
        return 0
    }

    mutating func loseDevice() {
        guard device else { return }
        device = false
        playedWhileLost = false
        fading = nil
        rampEnds = now
        notifications.append("mediaServicesWereLost")
        move(fades: false)
    }

    mutating func resetDevice() {
        guard !device else { return }
        device = true
        notifications.append("mediaServicesWereReset")
        if !policy.resumesAfterReset, intent == .playing, !playedWhileLost, episode?.lastWord != "play" {
            intent = .paused
        }
        playedWhileLost = false
        move()
    }

    mutating func reconfigure() {
        notifications.append("configurationChanged")
        fading = nil
        if since == nil { rampEnds = now }
    }

    mutating func route(isLost: Bool) {
        if isLost {
            isOnFallback = true
            notifications.append("routeChanged(oldDeviceUnavailable)")
            if policy.pausesOnRouteLoss, intent == .playing { intent = .paused }
            move()
        } else if isOnFallback {
            isOnFallback = false
            notifications.append("routeChanged(newDeviceAvailable)")
        }
    }

    // MARK: Sleep and power

    mutating func sleep(until end: Milliseconds) {
        if let since { position += max(0, now - since) }
        rampEnds -= now
        wakes = end
        deviceBack = device
        routeMeanwhile = nil
        reconfiguredMeanwhile = false
    }

    mutating func wake() {
        wakes = nil
        if let since { self.since = max(now, since) }
        fading = nil
        // An attack continues with the rest of its ramp; a fade-out is over.
        rampEnds = since == nil ? now : now + max(0, rampEnds)
        wakeSounds()
        isWaking = true
        defer { isWaking = false }
        if deviceBack { resetDevice() } else { loseDevice() }
        noticeMicrophone()
        if let isLost = routeMeanwhile { route(isLost: isLost) }
        if reconfiguredMeanwhile { reconfigure() }
        let (duck, active) = (duck, activeDuck)
        for index in signals.indices where signals[index].isHigh { begin(index) }
        for index in signals.indices where !signals[index].isHigh && signals[index].standing != nil {
            if signals[index].releaseDelay == 0 {
                end(index)
            } else {
                signals[index].releases = signals[index].releases ?? now + signals[index].releaseDelay
            }
        }
        settle(duckBefore: duck, activeDuckBefore: active, reason: "appWasSuspended", fades: false)
        if since != nil { anchor = position }
    }

    mutating func cutPower() {
        saved = Saved(
            intent: intent, track: track, volume: volume, signals: signals.filter { $0.standing != nil },
            episode: episode, anchor: anchor, wasPlaying: plays, position: reported,
            wantsRecording: recorder?.wanted)
        isOn = false
        cutRecorderPower()
        for index in outputs.indices { (outputs[index].ready, outputs[index].off) = (nil, nil) }
        wakes = nil
        deviceBack = device
        announcements = []
        heard = nil
    }

    /// - Parameter found: the position in the trace; how much of the last interval was saved is up to the store.
    /// - Returns: why that position is wrong; nil if it is possible.
    mutating func boot(found: Milliseconds) -> String? {
        isOn = true
        device = deviceBack
        (episode, episodeEnds, heldDuck, fading, since) = (saved?.episode, nil, nil, nil, nil)
        (playedWhileLost, isOnFallback, cleared, rampEnds) = (false, false, [], now)
        intent = saved?.intent ?? intent
        track = saved?.track ?? 0
        volume = saved?.volume ?? volume
        anchor = saved?.anchor ?? 0
        bootRecorder()
        for index in signals.indices {
            let held = saved?.signals.first { $0.name == signals[index].name }
            signals[index].standing = nil
            signals[index].isStuck = false
            signals[index].isCueDone = false
            signals[index].releases = nil
            if let held, signals[index].isHigh || held.standing == .active {
                signals[index].standing = held.standing
                signals[index].began = held.began
                signals[index].isStuck = held.isStuck
            }
        }
        for index in signals.indices where signals[index].isHigh { begin(index) }
        for index in signals.indices where !signals[index].isHigh && signals[index].standing != nil {
            if signals[index].releaseDelay == 0 {
                end(index)
            } else {
                signals[index].releases = now + signals[index].releaseDelay
            }
        }
        cleared = []
        if !device { notifications.append("mediaServicesWereLost") }
        if isBlocked {
            episode = episode ?? Episode()
            notifications.append("began(appWasSuspended)")
        } else {
            endEpisode()
        }
        noteDuck(since: nil)

        let wrong = saved.flatMap { check(found, against: $0) }
        // The position found already includes the rewind.
        position = found
        anchor = min(anchor, found)
        owesRewind = false
        move()
        return saved == nil && found != 0 ? "a first boot begins at \(found)" : wrong
    }

    /// A programme that was playing can have been saved up to an interval before the power cut, and is rewound from
    /// there.
    private mutating func check(_ found: Milliseconds, against saved: Saved) -> String? {
        let positions = [saved.position, max(saved.position - interval, min(saved.anchor, saved.position))].map {
            position = $0
            return saved.wasPlaying ? rewound : $0
        }
        let range = saved.wasPlaying ? positions[1]...positions[0] : positions[0]...positions[0]
        return range.contains(found) ? nil : "resumes at \(found), not within \(range)"
    }

    // MARK: Spontaneous events

    /// The next spontaneous event, and when it happens.
    var next: (at: Milliseconds, what: Spontaneous)? {
        guard isOn else { return nil }
        if let wakes { return (wakes, .waking) }
        var all: [(at: Milliseconds, what: Spontaneous)] = []
        for (index, signal) in signals.enumerated() {
            if cleared.contains(index) { all.append((now, .clearing(index))) }
            if let releases = signal.releases { all.append((max(now, releases), .release(index))) }
            if let limit = signal.stuckAfter, signal.standing != nil, !signal.isStuck {
                all.append((max(now, signal.began + limit), .stuck(index)))
            }
        }
        if let episodeEnds { all.append((max(now, episodeEnds), .episode)) }
        if let heldDuck { all.append((max(now, heldDuck.until), .duck)) }
        if let soundEnd { all.append((max(now, soundEnd), .soundEnd)) }
        for announcement in waiting {
            if let expires = announcement.expires { all.append((max(now, expires), .expiry(announcement.id))) }
        }
        if let since {
            all.append((max(now, since + tracks[track].length - position), .trackEnd))
        } else if position > tracks[track].length {
            // A fade-out reversed beyond the track's end, and was silenced again at the same instant.
            all.append((now, .trackEnd))
        }
        for (index, output) in outputs.enumerated() {
            if let off = output.off { all.append((max(now, off), .output(index))) }
        }
        // Events at the same instant keep this order.
        return all.enumerated().min { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }?.element
    }

    enum Spontaneous: Equatable {
        case waking, clearing(Int), release(Int), stuck(Int), episode, duck, soundEnd, expiry(Int), trackEnd, output(
            Int)
    }

    /// Performs a spontaneous event.
    /// - Returns: its text in the trace.
    mutating func happen(_ what: Spontaneous) -> String {
        let (duck, active) = (duck, activeDuck)
        switch what {
        case .waking:
            wake()
            return "awake"
        case .clearing(let index):
            cleared.remove(index)
            return "cleared \(signals[index].name) stuck"
        case .release(let index):
            end(index)
            settle(duckBefore: duck, activeDuckBefore: active)
            return "deassert \(signals[index].name)"
        case .stuck(let index):
            signals[index].isStuck = true
            if signals[index].policy.whenStuck == .release { drop(index) }
            settle(duckBefore: duck, activeDuckBefore: active)
            return "fault \(signals[index].name) stuck"
        case .episode:
            endEpisode()
            move()
            return "episode ended"
        case .duck:
            heldDuck = nil
            noteDuck(since: duck)
            return "duck ended"
        case .soundEnd:
            let name = endSound()
            move()
            return "sound ended \(name)"
        case .expiry(let id):
            let name = expire(id)
            move()
            return "sound expired \(name)"
        case .output(let index): return turnOff(index)
        case .trackEnd:
            let isLast = policy.repeats == .none && track == tracks.count - 1
            // More than nothing if a fade-out ran past the end.
            let beyond = position + (since.map { max(0, now - $0) } ?? 0) - tracks[track].length
            if isLast {
                intent = .stopped
                track = 0
                since = nil
                // It has ended, and so has any ramp.
                rampEnds = now
            } else {
                track = policy.repeats == .track ? track : (track + 1) % tracks.count
                if since != nil { since = now }
            }
            (position, anchor, owesRewind) = (isLast ? 0 : beyond, 0, false)
            return isLast ? "playlist ended" : "track ended"
        }
    }
}

import AudioSession

extension Explorer {
    /// Checks rules 8 to 11, which compare the due sound with the requests, the lines and the music.
    func soundViolation(_ state: ExplorerState) -> Violation? {
        guard effects.hasSounds else { return nil }
        let session = sessions[state.session]
        let required = effects.requiredPriority(state.lines)
        if let due = session.due {
            if due.priority < required { return (8, "\(due.sound) is due while a signal of higher priority blocks") }
            let ceiling = effects.ceiling(of: due)
            if let ceiling, case .play(let level) = session.directive, level > ceiling {
                return (9, "the music plays at \(level) dB while \(due.sound) requires \(ceiling) dB")
            }
            switch due.request {
            case .cue(let id):
                let isRequested = effects.index(of: id).map { requestedCues(state)[$0] } ?? false
                if !isRequested { return (10, "the cue of \(id) is due without a request") }
            case .announcement(let id):
                if !state.sounds.isPending(id) { return (11, "\(due.sound) is due again, or after its Expire") }
            }
        }
        return cueViolation(state, session, required) ?? announcementViolation(state, session)
    }

    /// Returns the signals that are active and whose cue has not played to its end.
    private func requestedCues(_ state: ExplorerState) -> SignalSet {
        state.lines.active.intersection(effects.cues).subtracting(state.sounds.doneCues)
    }

    private func cueViolation(_ state: ExplorerState, _ session: Sessions.Summary, _ required: Int) -> Violation? {
        guard hasSoundDevice(state) else { return nil }
        let requested = requestedCues(state)
        for signal in policy.signals.indices where requested[signal] {
            let priority = policy.signals[signal].priority
            guard priority >= required, priority > session.due?.priority ?? -1 else { continue }
            return (10, "the cue of \(policy.signals[signal].id) is not due")
        }
        return nil
    }

    private func announcementViolation(_ state: ExplorerState, _ session: Sessions.Summary) -> Violation? {
        var known = session.waiting
        if case .announcement(let id)? = session.due?.request { known |= 1 << UInt8(id) }
        if known != state.sounds.pending {
            return (
                11, known & ~state.sounds.pending == 0 ? "an announcement is lost" : "an announcement is kept too long"
            )
        }
        guard hasSoundDevice(state), known != 0, !effects.block(state.lines) else { return nil }
        return session.due == nil ? (11, "an announcement waits for nothing") : nil
    }

    // MARK: Requests

    /// Returns true if a user can send the command. An announcement can be requested again only if its sound handles
    /// repeated requests, because otherwise the number of announcements would not be limited.
    func canSend(_ command: Command, _ state: ExplorerState) -> Bool {
        guard case .announce(let announcement) = command, state.sounds.isPending(announcement.id) else { return true }
        guard let sound = announced[announcement.id] else { return false }
        return sound.policy.again != .queue || sound.ignoresRequests(state.sounds)
    }

    /// Records a request for an announcement, unless the sound ignores it or restarts another announcement instead.
    func noteRequest(of id: Announcement.ID, _ state: inout ExplorerState) {
        guard let sound = announced[id] else { return state.sounds.request(id) }
        guard !sound.ignoresRequests(state.sounds) else { return }
        let others = state.sounds.pending & sound.announcements
        if sound.policy.again == .queue || others == 0 {
            state.sounds.request(id)
        } else {
            guard sound.policy.again == .restart, case .announcement(let due)? = sessions[state.session].due?.request,
                others & ExplorerState.Sounds.bit(due) != 0
            else { return }
        }
        if sound.policy.once > .zero { state.sounds.accepted |= sound.announcements }
    }

    /// Records that the due announcement has begun, if it continues after a cut.
    func noteBegin(_ state: inout ExplorerState) {
        guard state.isOn, case .announcement(let id)? = sessions[state.session].due?.request,
            announced[id]?.policy.continues == true
        else { return }
        state.sounds.begin(id)
    }
}

/// The sound of an announcement that can be requested.
struct AnnouncedSound {
    let policy: SoundPolicy
    /// All announcements of the sound, as in `ExplorerState.Sounds`.
    let announcements: UInt8

    /// Creates the sound of one of several announcements, or returns nil if the policy does not have such a sound.
    init?(_ announcement: Announcement, among all: [Announcement], _ policy: Policy) {
        guard let sound = policy.sounds.first(where: { $0.id == announcement.sound }) else { return nil }
        self.policy = sound
        announcements = all.filter { $0.sound == sound.id }.reduce(0) { $0 | ExplorerState.Sounds.bit($1.id) }
    }

    /// Returns true if requests are ignored, because another one has been accepted recently.
    func ignoresRequests(_ sounds: ExplorerState.Sounds) -> Bool { sounds.accepted & announcements != 0 }
}

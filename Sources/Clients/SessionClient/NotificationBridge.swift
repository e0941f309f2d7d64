import AudioSession

/// Turns updates into notifications that stay consistent across gaps. Anything that began or ended unseen is reported
/// once the next update reveals it. It has no side effects.
struct NotificationBridge {
    private var isInterrupted = false
    private var duck: Level?
    private var isLost = false
    /// The current sound and the number of its announcement, which is 0 for a cue.
    private var sound: (name: SoundID, id: Announcement.ID)?

    mutating func take(_ update: SessionUpdate) -> [SessionNotification] {
        switch update {
        case .unavailable: return []
        case .available(let snapshot): return reconcile(snapshot)
        case .event(let event):
            // Reconciliation may already have reported it.
            let news = event.snapshot.notifications.filter { notification in
                defer { note(notification) }
                return isNews(notification)
            }
            return news + reconcile(event.snapshot)
        }
    }

    private mutating func reconcile(_ snapshot: Snapshot) -> [SessionNotification] {
        var missed: [SessionNotification] = []
        if snapshot.servicesAvailable == isLost {
            missed.append(isLost ? .mediaServicesWereReset : .mediaServicesWereLost)
        }
        let due = snapshot.sound.map { (name: $0, id: snapshot.announcement ?? 0) }
        let isSoundNews = due?.name != sound?.name || due?.id != sound?.id
        // It is unknown whether the sound was played to its end.
        if let sound, isSoundNews { missed.append(.soundCut(sound.name, id: sound.id, because: .unknown)) }
        if snapshot.isInterrupted != isInterrupted {
            // If music plays again, the missed end recommended resuming. Otherwise, the recommendation is unknown.
            let options: InterruptionOptions = snapshot.directive == .silent ? [] : .shouldResume
            missed.append(isInterrupted ? .ended(options) : .began(.appWasSuspended))
        }
        // A silent snapshot has no gain, so it does not show whether music would be ducked. An announcement may lower
        // the gain further, but that is not a duck by a signal.
        if let level = snapshot.gain, snapshot.announcement == nil, level != duck ?? .full {
            missed.append(level == .full ? .duckEnded : duck == nil ? .duckBegan(level) : .duckChanged(level))
        }
        if let due, isSoundNews { missed.append(.soundBegan(due.name, id: due.id)) }
        for notification in missed { note(notification) }
        return missed
    }

    private func isNews(_ notification: SessionNotification) -> Bool {
        switch notification {
        case .began: !isInterrupted
        case .ended: isInterrupted
        case .duckBegan(let level), .duckChanged(let level): duck != level
        case .duckEnded: duck != nil
        case .mediaServicesWereLost: !isLost
        case .mediaServicesWereReset: isLost
        case .soundBegan(let name, let id): sound?.name != name || sound?.id != id
        case .soundEnded(let name, let id): sound?.name == name && sound?.id == id
        // A hush also withdraws queued announcements.
        case .soundCut(let name, let id, _): id != 0 || sound?.name == name
        case .configurationChanged, .routeChanged, .sourceChanged, .soundExpired: true
        }
    }

    private mutating func note(_ notification: SessionNotification) {
        switch notification {
        case .began: isInterrupted = true
        case .ended: isInterrupted = false
        case .duckBegan(let level), .duckChanged(let level): duck = level
        case .duckEnded: duck = nil
        case .mediaServicesWereLost: isLost = true
        case .mediaServicesWereReset: isLost = false
        case .soundBegan(let name, let id): sound = (name, id)
        case .soundEnded(let name, let id), .soundCut(let name, let id, _):
            if sound?.name == name, sound?.id == id { sound = nil }
        case .configurationChanged, .routeChanged, .sourceChanged, .soundExpired: break
        }
    }
}

import AudioSession

/// Turns updates into notifications that stay consistent across gaps: anything that began or ended unseen is reported
/// once the next update reveals it. Pure.
struct NotificationBridge {
    private var isInterrupted = false
    private var duck: Level?
    private var isLost = false

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
        if snapshot.isInterrupted != isInterrupted {
            // If music plays again, the missed end recommended resuming; otherwise that is unknown.
            let options: InterruptionOptions = snapshot.directive == .silent ? [] : .shouldResume
            missed.append(isInterrupted ? .ended(options) : .began(.appWasSuspended))
        }
        // A silent snapshot has no gain, and so does not show whether music would be ducked.
        if let level = snapshot.gain, level != duck ?? .full {
            missed.append(level == .full ? .duckEnded : duck == nil ? .duckBegan(level) : .duckChanged(level))
        }
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
        case .configurationChanged, .routeChanged, .soundBegan, .soundEnded, .soundCut, .soundExpired: true
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
        case .configurationChanged, .routeChanged, .soundBegan, .soundEnded, .soundCut, .soundExpired: break
        }
    }
}

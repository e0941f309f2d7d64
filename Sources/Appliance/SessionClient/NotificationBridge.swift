import AudioSession

/// Makes of updates the notifications that who follows them is to hear, so that they stay true across gaps: what began
/// or ended unseen is told when it is found out. Pure.
struct NotificationBridge {
    private var isInterrupted = false
    private var duck: Level?
    private var isLost = false

    mutating func take(_ update: SessionUpdate) -> [SessionNotification] {
        switch update {
        case .unavailable: return []
        case .available(let snapshot): return reconcile(snapshot)
        case .event(let event):
            // What has been made up for already is no news when it is told.
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
            // What plays again was to be resumed; of what does not, nobody knows.
            let options: InterruptionOptions = snapshot.directive == .silent ? [] : .shouldResume
            missed.append(isInterrupted ? .ended(options) : .began(.appWasSuspended))
        }
        // While it is silent, nobody says whether it would be ducked.
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
        case .configurationChanged, .routeChanged: true
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
        case .configurationChanged, .routeChanged: break
        }
    }
}

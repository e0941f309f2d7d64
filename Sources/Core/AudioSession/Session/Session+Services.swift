/// The audio device (see <doc:Semantics#Audio-device>).
extension Session {
    mutating func handleDevice(_ event: Event, _ reaction: inout Reaction) {
        switch event {
        case .mediaServicesLost: loseServices(&reaction)
        case .mediaServicesReset: resetServices(&reaction)
        case .configurationChanged: changeConfiguration(&reaction)
        case .captureLost: loseCapture()
        case .captureReturned: returnCapture(&reaction)
        case .routeLost: loseRoute(&reaction)
        case .routeBack: returnRoute(&reaction)
        case .routeFound: findRoute()
        default: break
        }
    }

    mutating func loseServices(_ reaction: inout Reaction) {
        guard facts.servicesAvailable else { return }
        facts.servicesAvailable = false
        for owner in owners { setPlayedWhileLost(false, owner) }
        reaction.playback.append(.tearDown)
        reaction.notifications.append(.mediaServicesWereLost)
    }

    mutating func resetServices(_ reaction: inout Reaction) {
        guard !facts.servicesAvailable else {
            reaction.noOpReasons.append(.resetWithoutLoss)
            return
        }
        facts.servicesAvailable = true
        // Apple's stricter rule applies. Music that played before the reset stays silent until the user plays. A `play`
        // during the episode in progress takes effect when the episode ends.
        if !policy.resumesAfterReset {
            let requested = owners.filter { playedWhileLost($0) || lastCommand($0) == .play }
            pauseSources(because: .reset) { requested.contains($0) }
        }
        for owner in owners { setPlayedWhileLost(false, owner) }
        reaction.playback.append(.rebuild)
        reaction.notifications.append(.mediaServicesWereReset)
    }

    /// Rebuilds the graph whenever the services are available. Only the directive then determines whether music plays.
    mutating func changeConfiguration(_ reaction: inout Reaction) {
        if facts.servicesAvailable { reaction.playback.append(.rebuild) }
        reaction.notifications.append(.configurationChanged)
    }

    mutating func loseRoute(_ reaction: inout Reaction) {
        if policy.pausesOnRouteLoss { pauseSources(because: .routeLost) { _ in false } }
        facts.isOnFallback = true
        reaction.notifications.append(.routeChanged(.oldDeviceUnavailable))
    }

    mutating func returnRoute(_ reaction: inout Reaction) {
        guard facts.isOnFallback else {
            reaction.noOpReasons.append(.routeBackWithoutLoss)
            return
        }
        facts.isOnFallback = false
        reaction.notifications.append(.routeChanged(.newDeviceAvailable))
    }

    mutating func findRoute() { facts.isOnFallback = true }

    /// Handles everything that happened during sleep as one event, so that no sound begins and no music plays in
    /// between.
    mutating func wake(_ edges: [Edge], _ devices: [Event], at now: Duration, _ reaction: inout Reaction) {
        // Announcements are dropped before anything could make them due.
        while dropExpired(by: now, &reaction) {}
        reaction.sounds.stop = .asleep
        for event in devices {
            handleDevice(event, &reaction)
            // The loss of the device stopped the music before a loss of the route could pause it.
            if directive == .silent {
                reaction.stopsAgainstWish = reaction.stopsAgainstWish ?? (facts.library.intent == .playing)
            }
        }
        handle(edges, at: now, &reaction)
        reaction.interruptsFromSuspension()
    }
}

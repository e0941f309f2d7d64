/// The device under us (contract, section 7).
extension AudioSession {
    mutating func loseServices(_ reaction: inout Reaction) {
        guard facts.servicesAvailable else { return }
        facts.servicesAvailable = false
        facts.playedWhileLost = false
        reaction.programme.append(.tearDown)
        reaction.notifications.append(.mediaServicesWereLost)
    }

    mutating func resetServices(_ reaction: inout Reaction) {
        guard !facts.servicesAvailable else {
            reaction.remarks.append(.resetWithoutLoss)
            return
        }
        facts.servicesAvailable = true
        // Apple's stricter rule: what was playing before the reset stays silent until somebody asks.
        if !policy.resumesAfterReset, facts.intent == .playing, !facts.playedWhileLost { facts.intent = .paused }
        facts.playedWhileLost = false
        reaction.programme.append(.rebuild)
        reaction.notifications.append(.mediaServicesWereReset)
    }

    /// Torn down and rebuilt, always; whether it sounds is the directive's business.
    mutating func changeConfiguration(_ reaction: inout Reaction) {
        if facts.servicesAvailable { reaction.programme.append(.rebuild) }
        reaction.notifications.append(.configurationChanged)
    }

    mutating func loseRoute(_ reaction: inout Reaction) {
        if policy.pausesOnRouteLoss, facts.intent == .playing { facts.intent = .paused }
        reaction.notifications.append(.routeChanged(.oldDeviceUnavailable))
    }
}

import AudioSession

/// The sound device and its route, and sleep, during which both may change.
extension SessionModel {
    struct Device {
        /// True if the device was present when its state was last noticed.
        var isThere = true
        var isOnFallback = false
        /// The device's true state, which may have changed while nothing was running to notice it.
        var isBack = true
        var routeMeanwhile: Bool?
        var isReconfigured = false
        /// True while the system wakes and has not played anything yet, so that nothing fades out.
        var isWaking = false
    }

    /// What a sound server or a mixer does to the output: `muted`, `quiet`, or nil if it can be heard.
    struct Hearing {
        var obstacle: String?
        /// The time since which there has been an obstacle.
        var since = Duration.zero
        /// The fault that has been reported and not cleared.
        var fault: String?
    }

    /// - Parameter word: The scenario's word, which can be `audible`.
    mutating func setOutput(_ word: String) {
        let obstacle = word == "audible" ? nil : word
        if hearing.obstacle == nil { hearing.since = now }
        hearing.obstacle = obstacle
    }

    mutating func loseDevice() {
        guard device.isThere else { return }
        device.isThere = false
        for owner in owners { self[owner].playedWhileLost = false }
        forgetFades()
        playback.rampEnds = now
        reaction.notifications.append("mediaServicesWereLost")
        move(fades: false)
    }

    mutating func resetDevice() {
        guard !device.isThere else { return }
        device.isThere = true
        reaction.notifications.append("mediaServicesWereReset")
        for owner in owners {
            let isRequested = self[owner].playedWhileLost || episode?.lastCommands[owner] == "play"
            if !policy.resumesAfterReset, !isRequested { pauseUnasked(owner) }
            self[owner].playedWhileLost = false
        }
        move()
    }

    mutating func reconfigure() {
        reaction.notifications.append("configurationChanged")
        forgetFades()
        if isSilent || playback.isRampFadeOut { playback.rampEnds = now }
    }

    mutating func route(isLost: Bool) {
        guard isLost || device.isOnFallback else { return }
        device.isOnFallback = isLost
        reaction.notifications.append("routeChanged(\(isLost ? "oldDeviceUnavailable" : "newDeviceAvailable"))")
        if isLost, policy.pausesOnRouteLoss { owners.forEach { pauseUnasked($0) } }
        move()
    }

    // MARK: Sleep

    mutating func sleep(for length: Duration) {
        playback.position = playback.reached(by: now)
        playback.rampEnds -= now
        wakes = now + length
        fellAsleep = now
        (device.isBack, device.routeMeanwhile, device.isReconfigured) = (device.isThere, nil, false)
    }

    mutating func wake() {
        wakes = nil
        playback.since = playback.since.map { max(now, $0) }
        forgetFades()
        // An attack continues with the rest of its ramp, but a fade-out is over.
        playback.rampEnds = isSilent || playback.isRampFadeOut ? now : now + max(.zero, playback.rampEnds)
        wakeSounds()
        fellAsleep = nil
        device.isWaking = true
        if device.isBack { resetDevice() } else { loseDevice() }
        noticeMicrophone()
        if let isLost = device.routeMeanwhile { route(isLost: isLost) }
        if device.isReconfigured { reconfigure() }
        readLines()
        settle(reason: "appWasSuspended", fades: false)
        if playback.since != nil { playback.anchor = playback.position }
        device.isWaking = false
    }
}

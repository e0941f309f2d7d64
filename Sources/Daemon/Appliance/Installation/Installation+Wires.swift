import AudioSession
import Configuration
import Playback
import Supervisor

/// The output's jack, the buttons and the outputs.
extension Installation {
    func startJack(isSuccessor: Bool) {
        guard let name = configuration.playback.jack else { return }
        output.jack = OutputJack(level: levels.level(of: .outputJack), at: world.now, isBoot: !isSuccessor)
        if output.isUnplugged, !supervisor.session.isOnFallback {
            // On boot, nothing was unplugged, so only the return of the plug is reported.
            handle(.event(isSuccessor ? .routeLost : .routeFound))
        }
        if let problem = levels.problem(of: .outputJack) { logJackFault(name, problem) }
    }

    func turnJack(_ level: Bool?, because problem: String? = nil) {
        turnJack(because: problem) { $0.level(level, at: world.now) }
    }

    func wakeJack() {
        let level = levels.level(of: .outputJack)
        let isNews = output.jack?.isMissing == false
        turnJack(because: isNews ? levels.problem(of: .outputJack) : nil) { $0.wake(level, at: world.now) }
        if output.jack != nil { handle(.time) }
    }

    /// - Parameter body: Changes the jack and returns the resulting changes.
    private func turnJack(because problem: String?, _ body: (inout OutputJack) -> [OutputJack.Change]) {
        guard let name = configuration.playback.jack, let before = output.jack, var jack = output.jack else { return }
        let changes = body(&jack)
        output.jack = jack
        if jack.isMissing {
            if let problem { logJackFault(name, problem) }
        } else if before.isMissing {
            clearJackFault("The \(name) of the output can be read again.")
        }
        follow(changes)
    }

    private func clearJackFault(_ words: String) {
        health.set(.jack, nil)
        log(JournalEntry(.faultCleared, words).with(.fault, "jack"))
    }

    func advanceJack() {
        guard let changes = output.jack?.advance(to: world.now), !changes.isEmpty else { return }
        follow(changes)
        handle(.time)
    }

    private func follow(_ changes: [OutputJack.Change]) {
        let name = configuration.playback.jack ?? ""
        for change in changes {
            if let event = output.event(for: change) { handle(.event(event)) }
            switch change {
            case .unplugged, .plugged, .empty: break
            case .chatters:
                let words = "the \(name) of the output chatters, so check for a loose plug"
                health.set(.jack, words)
                log(JournalEntry(.fault, "A plug may be loose: \(words).", priority: .warning).with(.fault, "jack"))
            case .settled: clearJackFault("The plug in the \(name) no longer chatters.")
            }
        }
    }

    /// Corrects the session's state of the route if it is wrong.
    func settleRoute() {
        guard let event = output.takeCorrection(isOnFallback: supervisor.session.isOnFallback) else { return }
        handle(.event(event))
        handle(.time)
    }

    private func logJackFault(_ name: String, _ problem: String) {
        health.set(.jack, "the jack of the output: \(problem)")
        log(
            JournalEntry(.fault, "The jack of the output cannot be used: \(problem.asSentenceEnd)", priority: .warning)
                .with(.fault, "jack").with(.reason, problem).with(
                    .outcome, "pulling the plug does not pause the music"))
    }

    // MARK: Buttons

    func press(_ name: String, level: Bool?) {
        guard let index = buttons.firstIndex(where: { $0.button.name == name }) else { return }
        _ = turn(index) { $0.level(level, at: world.now) }
    }

    /// - Returns: True if a button was pressed.
    func pressButtons() -> Bool {
        var wasPressed = false
        for index in buttons.indices {
            wasPressed = turn(index) { $0.advance(to: world.now) } || wasPressed
        }
        return wasPressed
    }

    /// - Parameter body: Changes the button and returns its presses.
    /// - Returns: True if the button was pressed.
    private func turn(_ index: Int, _ body: (inout ButtonPress) -> [Button.Press]) -> Bool {
        let before = buttons[index]
        let presses = body(&buttons[index])
        // Everything that is due before the press is handled first, because the command applies to the resulting state.
        if !presses.isEmpty { handle(.time) }
        for press in presses {
            guard let written = before.button.command(of: press) else { continue }
            let issuer = Issuer.button(before.button.name, press)
            if case .choose(let request) = written {
                choose(request, from: issuer)
                continue
            }
            let command = written.sessionCommand(
                at: supervisor.session.volume, position: supervisor.position(of: world.playerState),
                trackLength: trackLength)
            if let command { give(command, from: issuer) }
        }
        logFaults(of: [buttons[index]], since: [before])
        return !presses.isEmpty
    }

    /// Logs a fault of a button's line when it begins and when it clears. Until it clears, the fault is part of the
    /// health.
    func logFaults(of buttons: [ButtonPress], since before: [ButtonPress]) {
        let (now, earlier) = (ButtonFault.all(of: buttons), ButtonFault.all(of: before))
        for fault in earlier where !now.contains(where: fault.isLike) { log(fault.clearedEntry) }
        for fault in now where !earlier.contains(fault) {
            log(fault.entry(because: levels.problem(of: .button(fault.button.name))))
        }
        health.buttons = ButtonFault.all(of: self.buttons).map(\.advice)
        updateHealth()
    }

    // MARK: Outputs

    func outputsHaveChanged() {
        guard !isEnding else { return }
        pass()
        logOutputFaults()
        settle()
    }

    /// Logs the loss of an output's line when it begins and when it clears. Until it clears, the fault is part of the
    /// health.
    func logOutputFaults() {
        let (now, earlier) = outputs.takeFaults()
        for fault in earlier where !now.contains(where: fault.isLike) { log(fault.clearedEntry) }
        for fault in now where !earlier.contains(where: fault.isLike) { log(fault.entry) }
        health.outputs = now.map(\.advice)
        updateHealth()
    }

    /// Updates the health. The output `healthy` depends on it and on the signals' faults, which the session contains.
    func updateHealth() {
        guard !isEnding else { return }
        handle(.health(isGood: health.isGood))
    }
}

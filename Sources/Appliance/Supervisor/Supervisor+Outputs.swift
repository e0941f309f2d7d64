import AudioSession

/// Derives the outputs after every event, and makes the sound wait for the amplifiers.
extension Supervisor {
    /// Whether nothing is wrong besides the session's faults; the world knows. A change is reported on its own.
    public func setHealth(isGood: Bool) {
        guard isGood != isWorldHealthy else { return }
        isWorldHealthy = isGood
        let before = outputs.asserted
        settleOutputs()
        for output in configuration.outputs.map(\.policy.id) {
            let isAsserted = outputs.isAsserted(output)
            guard isAsserted != before.contains(output) else { continue }
            finish(Report(time: world.now, cause: .note(.output(output, asserted: isAsserted))))
        }
    }

    /// The asserted outputs, sorted by name.
    public var assertedOutputs: [OutputID] { outputs.asserted }

    /// How long nothing may be heard yet, because an amplifier needs time.
    var lead: Duration { max(.zero, (outputs.audibleFrom ?? .zero) - world.now) }

    private var outputFacts: Set<OutputFact> { OutputFact.holding(in: session, isHealthy: isWorldHealthy) }

    /// Turns amplifiers on before anything is heard. Call this before the session's actions are carried out.
    func prepareOutputs() {
        outputs.prepare(outputFacts, at: world.now)
        driveOutputs()
    }

    /// Call this once all consequences of an event have been carried out.
    func settleOutputs() {
        let quietAt = applied == .silent ? max(rampEnd, world.now) : world.now
        outputs.settle(outputFacts, quietAt: quietAt + (player?.tail ?? .zero), at: world.now)
        driveOutputs()
    }

    private func driveOutputs() {
        let asserted = outputs.asserted
        guard asserted != driven, !outputs.policies.isEmpty else { return }
        driven = asserted
        world.drive(asserted)
    }

    /// Continues with the levels of a predecessor, so that no output changes for an instant, and no lead begins again.
    func inheritOutputs(of predecessor: Supervisor?, isHealthy: Bool) {
        outputs = predecessor?.outputs ?? Outputs()
        outputs.adopt(configuration.outputs.map(\.policy))
        isWorldHealthy = predecessor?.isWorldHealthy ?? isHealthy
    }
}

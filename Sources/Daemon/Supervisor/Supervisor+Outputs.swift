import AudioSession
import Configuration

/// The outputs and the levels that were last ordered for them.
struct DrivenOutputs {
    var machine = Outputs()
    /// The outputs that were last ordered to be asserted, or nil before the first order.
    private var driven: [OutputID]?
    /// True if nothing is wrong besides the session's faults.
    var isHealthy = true

    init() {}

    /// Continues with the levels of a predecessor, so that no output changes briefly and no lead begins again.
    init(_ configuration: Configuration, after predecessor: DrivenOutputs?, isHealthy: Bool) {
        machine = predecessor?.machine ?? Outputs()
        machine.adopt(configuration.outputs.map(\.policy))
        self.isHealthy = predecessor?.isHealthy ?? isHealthy
    }

    /// Returns the outputs to assert, or nil if nothing has changed since the last call.
    mutating func takeChange() -> [OutputID]? {
        let asserted = machine.asserted
        guard asserted != driven, !machine.policies.isEmpty else { return nil }
        driven = asserted
        return asserted
    }
}

/// Derives the outputs after every event, and makes music and sounds wait for the amplifiers.
extension Supervisor {
    /// The asserted outputs, sorted by name.
    public var assertedOutputs: [OutputID] { outputs.machine.asserted }

    /// The time for which nothing may be played yet because an amplifier needs it.
    var lead: Duration { max(.zero, (outputs.machine.audibleFrom ?? .zero) - now) }

    private var outputFacts: Set<OutputFact> { OutputFact.holding(in: session, isHealthy: outputs.isHealthy) }

    /// Turns amplifiers on before anything is played. Call this before the session's actions are carried out.
    mutating func prepareOutputs() {
        outputs.machine.prepare(outputFacts, at: now)
        driveOutputs()
    }

    /// Updates the outputs. Call this after all consequences of an event have been carried out.
    mutating func settleOutputs(_ player: PlayerState) {
        let quietAt = ramp.applied == .silent ? max(ramp.fallEnd, now) : now
        outputs.machine.settle(outputFacts, quietAt: quietAt + player.tail, at: now)
        driveOutputs()
    }

    private mutating func driveOutputs() {
        if let asserted = outputs.takeChange() { agenda.add(.effect(.drive(asserted))) }
    }

    /// Reports each output that changes with the health.
    mutating func reportHealth(_ player: PlayerState) {
        let before = outputs.machine.asserted
        settleOutputs(player)
        for output in configuration.outputs.map(\.policy.id) {
            let isAsserted = outputs.machine.isAsserted(output)
            if isAsserted != before.contains(output) { report(.note(.output(output, asserted: isAsserted))) }
        }
    }
}

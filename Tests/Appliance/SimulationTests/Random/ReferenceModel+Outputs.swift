import AudioSession
import Configuration

/// Outputs, and the programme's wait for an amplifier.
extension ReferenceModel {
    struct BoardOutput {
        let name: String
        let meaning: OutputMeaning
        /// For an amplifier: since when it is ready, and when it turns off if nothing else is heard.
        var ready: Milliseconds?
        var off: Milliseconds?
    }

    static func milliseconds(_ time: Duration) -> Milliseconds { Int(time / .milliseconds(1)) }

    static func outputs(of configuration: Configuration) -> [BoardOutput] {
        configuration.outputs.map { BoardOutput(name: $0.policy.id.rawValue, meaning: $0.policy.meaning) }
    }

    /// How long nothing can be heard yet.
    var lead: Milliseconds { max(0, (outputs.compactMap(\.ready).max() ?? 0) - now) }

    /// The names of the asserted outputs.
    var assertedOutputs: [String] {
        outputs.filter { output in
            switch output.meaning {
            case .amplifier: output.ready != nil
            case .follows(.playing): plays
            case .follows(.ducked): level.map { $0 < .full } ?? false
            case .follows(.interrupted): episode != nil
            case .follows(.recording): records
            case .follows(.sounding): due != nil
            case .follows(.healthy): !signals.contains(where: \.isStuck) && unreadable.isEmpty && captureFaults.isEmpty
            }
        }.map(\.name).sorted()
    }

    /// Turns amplifiers on and decides when they turn off, once the event's other consequences are known.
    mutating func settleAmplifiers() {
        // Asleep, nothing changes; what is due follows after waking.
        guard wakes == nil else { return }
        for index in outputs.indices {
            guard case .amplifier(let lead, let lag) = outputs[index].meaning else { continue }
            if plays || due != nil {
                outputs[index].ready = outputs[index].ready ?? now + Self.milliseconds(lead)
                outputs[index].off = nil
            } else if outputs[index].ready != nil {
                let off = max(now, rampEnds) + Self.milliseconds(lag)
                if off <= now, off < outputs[index].off ?? .max {
                    // Without a lag, it turns off in the same row.
                    (outputs[index].ready, outputs[index].off) = (nil, nil)
                } else {
                    outputs[index].off = min(outputs[index].off ?? off, off)
                }
            }
        }
    }

    /// A programme that has just started out of silence waits for the amplifiers.
    mutating func waitForAmplifiers() {
        guard startsNow, since != nil else { return }
        since = now + lead
        startedAt = now + lead
    }

    mutating func turnOff(_ index: Int) -> String {
        outputs[index].ready = nil
        outputs[index].off = nil
        return "output \(outputs[index].name) 0"
    }
}

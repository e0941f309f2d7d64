import AudioSession

/// The outputs and the music's wait for an amplifier.
extension SessionModel {
    struct BoardOutput {
        let name: String
        let meaning: OutputMeaning
        /// For an amplifier, the time since which it is ready. `off` is the time at which it turns off if nothing else
        /// plays.
        var ready: Duration?
        var off: Duration?

        mutating func turnOff() { (ready, off) = (nil, nil) }
    }

    /// The remaining time for which nothing can be played yet.
    var lead: Duration { max(.zero, (outputs.compactMap(\.ready).max() ?? .zero) - now) }

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
            case .follows(.silent): due == nil && (!plays || level == .mute)
            case .follows(.healthy): !signals.contains(where: \.isStuck) && unreadable.isEmpty && captureFaults.isEmpty
            }
        }.map(\.name).sorted()
    }

    /// Turns amplifiers on and determines when they turn off, after the event's other consequences are known.
    mutating func settleAmplifiers() {
        // Nothing changes during sleep. Pending events follow after waking.
        guard wakes == nil else { return }
        for index in outputs.indices {
            guard case .amplifier(let lead, let lag) = outputs[index].meaning else { continue }
            if plays || due != nil {
                outputs[index].ready = outputs[index].ready ?? now + lead
                outputs[index].off = nil
            } else if outputs[index].ready != nil {
                let off = max(now, playback.rampEnds) + lag
                // Without a lag, the amplifier turns off in the same row.
                if off <= now, outputs[index].off.map({ off < $0 }) ?? true {
                    outputs[index].turnOff()
                } else {
                    outputs[index].off = min(outputs[index].off ?? off, off)
                }
            }
        }
    }

    /// Music that has just started out of silence waits for the amplifiers.
    mutating func waitForAmplifiers() {
        if inputs.startsNow, let audible = inputs.audible { inputs.all[audible].voice.startedAt = now + lead }
        inputs.startsNow = false
        guard reaction.startsNow, playback.since != nil else { return }
        playback.since = now + lead
        playback.startedAt = now + lead
    }
}

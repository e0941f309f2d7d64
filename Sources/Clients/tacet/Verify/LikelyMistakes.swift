import AudioSession
import Configuration
import Time
import Verification

/// Settings that are legal but likely mistakes.
struct LikelyMistakes {
    let configuration: Configuration
    let findings: Findings
    /// The signals that were explored. Nothing is known about the others.
    let explored: Set<SignalID>

    init(_ configuration: Configuration, _ exploration: Exploration) {
        self.configuration = configuration
        findings = exploration.findings
        explored = exploration.explored
    }

    /// The mistakes of the signals, one message each, with advice.
    var all: [String] {
        zip(configuration.session.signals, findings.signals).filter { explored.contains($0.0.id) }.flatMap(mistakes)
    }

    // MARK: Signals

    private func mistakes(_ signal: SignalPolicy, _ found: Findings.Signal) -> [String] {
        if !found.isEverActive {
            return [
                "\(signal.id) can never have an effect, because it is a system alert and the session suppresses those "
                    + "(write Alert=no or PrefersNoInterruptionsFromSystemAlerts=no)"
            ]
        }
        return [effect(of: signal, found), resume(of: signal, found), cue(of: signal)].compactMap { $0 }
    }

    private func effect(of signal: SignalPolicy, _ found: Findings.Signal) -> String? {
        // The cue is played, whatever happens to the music.
        guard !found.changesSound, signal.cue == nil else { return nil }
        switch signal.effect {
        case .duck(let level):
            return "\(signal.id) never changes the music, because it ducks to \(level.text) (write a lower DuckLevel=)"
        case .muteMicrophone where configuration.session.category == .playback:
            return "\(signal.id) never has an effect, because it mutes the microphone and a session with "
                + "Category=playback does not record (write Effect=pause to silence the music as well)"
        case .muteMicrophone, .pause, .checkpoint, .ignore: return nil
        }
    }

    private func resume(of signal: SignalPolicy, _ found: Findings.Signal) -> String? {
        switch signal.resume {
        case .manual where found.resumes && !found.pauses:
            return
                "Resume=manual of \(signal.id) has no effect: with PlaybackInterface=no nobody could resume the music, so it "
                + "resumes automatically (write Resume=auto or PlaybackInterface=yes)"
        case .auto where found.pauses && !found.resumes:
            return
                "the music can never resume after \(signal.id): with its Debounce= and ReleaseDelay= it lasts at least "
                + "\(TimeSpan.format(configuration.shortest(signal.id))), and ResumeWithin= is shorter "
                + "(write a longer ResumeWithin= or Resume=manual)"
        default: return nil
        }
    }

    private func cue(of signal: SignalPolicy) -> String? {
        let others = configuration.session.signals.filter { other in
            other.id != signal.id && configuration.session.canBlock(other.effect)
        }
        guard let cue = signal.cue, let lowest = others.map(\.priority).min(), signal.priority < lowest else {
            return nil
        }
        return
            "\(cue), the cue of \(signal.id), is never played during another interruption, because every other signal that "
            + "pauses the music has a higher priority (write a Priority= of at least \(lowest) for \(signal.id))"
    }

    // MARK: Silences

    /// Returns true if silences that nothing ends must be searched for. If no command can start playback, a stop is
    /// final.
    static func canBeSilentForGood(_ configuration: Configuration) -> Bool {
        !configuration.session.hasPlaybackInterface
    }

    /// Returns the silences that nothing ends, one message each, with advice, or nil if a limit was reached before all
    /// were found.
    func silences(_ budget: ExplorationBudget) -> [String]? {
        guard Self.canBeSilentForGood(configuration) else { return [] }
        budget.begin("silences that nothing ends", until: 1)
        // The volume, a recording or a sound, which always ends, cannot decide between music and silence.
        let deciding: [Command] = [.play, .pause, .playPause, .stop, .next, .previous]
        // A choice is the command `play` with a choice.
        let commands = configuration.buttons.flatMap(\.commands).map { $0.sessionCommand(at: .full) ?? .play }
            .filter(deciding.contains)
        let playback = configuration.playback
        let hasOneRoute = playback.fallbackDevices.isEmpty && playback.jack == nil
        let options: Explorer.Options = hasOneRoute ? [.chatterOfOne, .fixedRoute] : .chatterOfOne
        let explorer = Explorer(
            configuration, commands: commands, options: options, coverage: .everyState, shouldStop: budget.isSpent)
        let silences = explorer.silences()
        return silences?.map { silence in
            guard let cause = silence.cause else {
                return "no music is ever played: playback is stopped at the first boot, and with PlaybackInterface=no "
                    + "nobody can start it (write AutoPlay=yes or PlaybackInterface=yes)"
            }
            return
                "after ‘\(words(cause, silence))’ the music is silent for good: with PlaybackInterface=no nobody can "
                + "start playback (\(advice(cause)))"
        }
    }

    private func words(_ cause: Step, _ silence: Silence) -> String { silence.path.last ?? "\(cause)" }

    private func advice(_ cause: Step) -> String {
        switch cause {
        case .event(.routeLost): "write PauseOnRouteLoss=no or PlaybackInterface=yes"
        case .event(.mediaServicesReset): "write ResumeAfterReset=yes or PlaybackInterface=yes"
        case .event(.playbackEnded), .event(.command(.next)), .event(.command(.previous)):
            "write Repeat=playlist or PlaybackInterface=yes"
        case .line, .event, .powerCut, .boot, .wait, .moment:
            "add a [Button] with Command=play or write PlaybackInterface=yes"
        }
    }
}

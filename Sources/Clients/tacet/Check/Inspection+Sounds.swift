import AudioSession
import Configuration
import Glibc
import Playback
import Supervisor
import Time

extension Inspection {
    /// Warns if the service cannot read or decode a sound's file, or if a cue does not fit into memory. A missing file
    /// has already been reported while loading.
    mutating func inspectSounds() {
        let cues = Set(configuration.session.signals.compactMap(\.cue))
        for sound in configuration.session.sounds {
            guard let file = configuration.sounds[sound.id]?.file else { continue }
            guard access(file, F_OK) == 0 || errno == EACCES else { continue }
            if let obstacle = obstacle(to: file) {
                if let finding = explain(obstacle) {
                    warn(about: sound.id, file, "the service cannot read it: \(finding.problem)", finding.advice)
                }
            } else if account != nil, access(file, R_OK) != 0, errno == EACCES {
                // Only this process's user lacks permission. The service has it.
                _ = explain(.unknown(at: file))
            } else {
                decode(sound.id, file, isCue: cues.contains(sound.id))
            }
        }
    }

    /// The maximum time between the edge and its cue for which the cue is still in time for an alarm.
    private static let latestCue = Duration.seconds(1)

    /// Warns about cues that are played too late.
    mutating func inspectDelays() {
        for signal in configuration.session.signals {
            guard let cue = signal.cue, let bound = SoundBound(ofCueOf: signal.id, under: configuration),
                bound.total > Self.latestCue
            else { continue }
            warn(about: cue, of: signal.id, bound)
        }
    }

    /// Warns about cues that end with the program or the broker that their signal comes from, as if the alarm were over.
    mutating func inspectLosses() {
        for signal in configuration.session.signals {
            guard let cue = signal.cue, configuration.sources[signal.id]?.as(ProgramLease.self) != nil,
                configuration.lines[signal.id]?.whenLost == .release
            else { continue }
            warn(
                loaded.warning(
                    about: "WhenLost", "Cue", in: "Signal \(signal.id)",
                    "WhenLost=release: \(cue), the cue of \(signal.id), ends if the program that asserts \(signal.id) or the "
                        + "fleet's broker fails, although nobody has released \(signal.id)",
                    advice: "write WhenLost=hold"))
        }
    }

    private mutating func warn(about cue: SoundID, of signal: SignalID, _ bound: SoundBound) {
        let late =
            "\(cue), the cue of \(signal), begins up to \(TimeSpan.format(bound.total)) after \(signal) is asserted"
        if bound.debounce > bound.wait {
            let time = TimeSpan.format(bound.debounce)
            warn(
                loaded.warning(
                    about: "Debounce", in: "Signal \(signal)", "Debounce=\(time): \(late)",
                    advice: "write a shorter Debounce="))
        } else if bound.lead >= bound.ramp, let output = slowestAmplifier {
            warn(
                loaded.warning(
                    about: "Lead", in: "Output \(output)",
                    "Lead=\(TimeSpan.format(bound.lead)): \(late), because sounds wait for the amplifier",
                    advice: "write the time that the amplifier needs to turn on"))
        } else {
            let playback = configuration.playback
            let key = playback.fadeOut >= playback.duckAttack ? "FadeOut" : "DuckAttack"
            warn(
                loaded.warning(
                    about: key, in: "Playback",
                    "\(key)=\(TimeSpan.format(bound.ramp)): \(late), because sounds wait until the music is low",
                    advice: "write a shorter \(key)="))
        }
    }

    private var slowestAmplifier: OutputID? {
        configuration.outputs.map(\.policy).max { $0.meaning.lead ?? .zero < $1.meaning.lead ?? .zero }?.id
    }

    private mutating func decode(_ sound: SoundID, _ file: String, isCue: Bool) {
        do throws(DecoderError) {
            let (isLonger, defect) = try Sound.check(Track(path: file))
            if let defect { warn(about: sound, file, "it is inaudible: \(defect.message)", Self.advice(on: defect)) }
            guard isCue, isLonger else { return }
            warn(
                about: sound, file,
                "the cue is longer than a minute, so the rest is read from the disk while it plays, and a slow disk may "
                    + "interrupt it",
                "shorten the recording; with Repeat=yes it repeats while the signal is active")
        } catch {
            warn(about: sound, file, "it cannot be played: \(error.message)", Self.advice(on: error))
        }
    }

    private static func advice(on error: DecoderError) -> String {
        switch error.reason {
        case .notAudio, .noAudio: "replace it with an audio file, such as FLAC, Opus or MP3"
        case .cannotOpen: "write File= with an audio file that the service can read"
        case .tooManyOpenFiles, .unsupported, .damaged, .gap, .unreadable: error.advice
        }
    }

    private mutating func warn(about sound: SoundID, _ file: String, _ problem: String, _ advice: String) {
        warn(loaded.warning(about: "File", in: "Sound \(sound)", "File=\(file): \(problem)", advice: advice))
    }
}

import AudioSession
import Configuration
import Spelling
import Supervisor
import Time

/// The longest times until sounds are played, the delays that amplifiers add, and the times at which checkpoints begin,
/// for people and programs.
struct StatedSounds {
    private let cues: [(signal: SignalID, bound: SoundBound)]
    /// The bounds of announcements. Sounds whose announcements have the same bound share a line.
    private let announcements: [(sounds: [SoundID], bound: SoundBound)]
    private let amplifiers: [(name: OutputID, lead: Duration)]
    private let checkpoints: [(signal: SignalID, debounce: Duration)]

    init(_ configuration: Configuration) {
        let session = configuration.session
        cues = session.signals.filter { $0.cue != nil }.compactMap { signal in
            SoundBound(ofCueOf: signal.id, under: configuration).map { (signal.id, $0) }
        }
        var announcements: [(sounds: [SoundID], bound: SoundBound)] = []
        for sound in session.sounds {
            guard let bound = SoundBound(ofAnnouncementOf: sound.id, under: configuration) else { continue }
            if let index = announcements.firstIndex(where: { $0.bound.isAsLong(as: bound) }) {
                announcements[index].sounds.append(sound.id)
            } else {
                announcements.append(([sound.id], bound))
            }
        }
        self.announcements = announcements
        amplifiers = configuration.outputs.compactMap { output in
            output.policy.meaning.lead.map { (output.policy.id, $0) }
        }
        checkpoints = session.signals.filter { $0.effect == .checkpoint }.map { signal in
            (signal.id, configuration.lines[signal.id]?.debounce ?? .zero)
        }
    }

    /// The bounds as text, such as
    /// `siren, the cue of alarm, begins within 210 ms (debounce 30 ms + ramp of the music 120 ms + queue 60 ms)`.
    var lines: [String] {
        cues.map { signal, bound in
            "\(bound.sound), the cue of \(signal), begins within \(bound.total.inMilliseconds) (debounce "
                + "\(bound.debounce.inMilliseconds) + \(Self.parts(bound)))"
        }
            + announcements.map { sounds, bound in
                "an announcement of \(sounds.map(\.rawValue).joined(separator: ", ")) begins within "
                    + "\(bound.total.inMilliseconds) (\(Self.parts(bound)))"
            }
            + amplifiers.map { name, lead in
                "\(name) delays music and sounds that begin in silence by \(lead.inMilliseconds) (Lead=)"
            }
            + checkpoints.map { signal, debounce in
                "\(signal) begins to save the state within \(debounce.inMilliseconds) (debounce); the disk determines how long "
                    + "the save takes"
            }
    }

    private static func parts(_ bound: SoundBound) -> String {
        let cause = bound.lead > bound.ramp ? "amplifier" : "ramp of the music"
        let wait = bound.wait > .zero ? "\(cause) \(bound.wait.inMilliseconds) + " : ""
        return wait + "queue \(bound.queue.inMilliseconds)"
    }

    /// The members of the JSON object.
    var json: [(String, String)] {
        [
            ("cue_bounds", Self.array(cues.map { Self.members($1) + [("signal", JSON.string($0.rawValue))] })),
            (
                "announcement_bounds",
                Self.array(
                    announcements.flatMap { group in
                        group.sounds.map {
                            [("sound", JSON.string($0.rawValue))] + Self.members(group.bound).dropFirst()
                        }
                    })
            ),
            (
                "amplifier_leads",
                Self.array(
                    amplifiers.map {
                        [("output", JSON.string($0.rawValue)), ("lead_usec", $1.inMicroseconds)]
                    })
            ),
            (
                "checkpoint_bounds",
                Self.array(
                    checkpoints.map {
                        [("signal", JSON.string($0.rawValue)), ("debounce_usec", $1.inMicroseconds)]
                    })
            ),
        ]
    }

    private static func members(_ bound: SoundBound) -> [(String, String)] {
        [
            ("sound", JSON.string(bound.sound.rawValue)), ("bound_usec", bound.total.inMicroseconds),
            ("debounce_usec", bound.debounce.inMicroseconds), ("ramp_usec", bound.ramp.inMicroseconds),
            ("lead_usec", bound.lead.inMicroseconds), ("queue_usec", bound.queue.inMicroseconds),
        ]
    }

    private static func array(_ objects: [[(String, String)]]) -> String {
        JSON.list(objects.map(JSON.object))
    }
}

extension SoundBound {
    fileprivate func isAsLong(as other: SoundBound) -> Bool {
        (debounce, ramp, lead, queue) == (other.debounce, other.ramp, other.lead, other.queue)
    }
}

extension Duration {
    /// The time rounded up to a tenth, such as `150 ms` or `0.1 ms`.
    var inMilliseconds: String {
        let tenths = Int((self / .microseconds(100)).rounded(.up))
        return "\(tenths % 10 == 0 ? "\(tenths / 10)" : tenths.decimal(places: 1)) ms"
    }

    fileprivate var inMicroseconds: String { "\(wholeMicroseconds)" }
}

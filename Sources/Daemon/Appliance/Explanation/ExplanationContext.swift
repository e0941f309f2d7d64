import ALSA
import AudioSession
import Playback
import Signals
import Supervisor

/// Everything that the words for people are made of: the state, its causes and what is wrong, at one instant.
struct ExplanationContext {
    var scene: StateSnapshot
    var health = Health()
    /// Where the signals' levels come from, as far as that is known.
    var places: [SignalID: String] = [:]
    /// Signals that have been released, but stay active until their `ReleaseDelay` has elapsed.
    var releases: [SignalID: PendingRelease] = [:]
    /// The lengths of the sounds that have been read.
    var soundLengths: [SoundID: Duration] = [:]
    /// What is wrong with the files of sounds.
    var soundProblems: [SoundID: SoundProblem] = [:]
    /// When the due sound will have been heard to its end; nil if none is due, or if that is unknown.
    var soundEnd: Duration?
    /// On the session's clock.
    var now = Duration.zero
    /// When the sound last changed: by the wall clock, and how long ago.
    var changed: (wallClock: Duration, elapsed: Duration) = (.zero, .zero)
    /// Whether the system is about to sleep.
    var isAsleep = false
    /// The last sleep, when it ended by the wall clock, and how long ago; nil if there was none.
    var lastSleep: (sleep: Sleep, wallClock: Duration, elapsed: Duration)?
    /// The program that holds the lost sound device; nil if none does.
    var holder: DeviceHolder?
    /// How close to what is being heard queued frames can be replaced; nil if they cannot.
    var rewindMargin: Duration?
    /// Whether the plug has been pulled out of the output's jack.
    var isUnplugged = false
    /// How many frames of the recording were lost, and replaced by silence.
    var lostFrames = 0
    /// Whether the recording waits in memory, because it cannot be written.
    var isRecordingWaiting = false

    /// Nil unless nothing is heard because a file that can be played is looked for.
    var skipped: SkippedFiles?

    var session: Session { scene.session }

    /// Nil while something is heard.
    var quietCause: QuietCause? { scene.quietCause ?? (skipped == nil ? nil : .stalled(.storage)) }

    /// What is wrong: with signals, and with the appliance.
    var complaints: [String] {
        let faults = session.faults.filter { $0 != .capture || health[.capture] == nil }
        return faults.map(complaint) + soundComplaints + health.words
    }

    /// A sound whose beginning can be read is not a fault of the session, even if nobody hears it.
    private var soundComplaints: [String] {
        session.policy.sounds.compactMap { sound in
            switch soundProblems[sound.id] {
            case .inaudible(let reason): "the sound \(sound.id) cannot be heard: \(reason)"
            case .partial(let reason): "a part of the sound \(sound.id) cannot be read: \(reason)"
            case .unreadable, nil: nil
            }
        }
    }

    private func complaint(_ fault: Fault) -> String {
        switch fault.subject {
        case .capture: return "the capture device is lost"
        case .output(let output): return "the output \(output) is lost"
        case .signal(let signal): return "\(signal) \(fault.kind.rawValue)"
        case .sound(let sound):
            let problem = soundProblems[sound].map { ": \($0.reason)" } ?? ""
            return "the file of the sound \(sound) cannot be read\(problem)"
        }
    }
}

extension ExplanationContext {
    /// Whether the preferred device is in use: `preferred`, `unplugged` (its jack is empty) or `fallback`.
    var route: String { scene.route != nil ? "fallback" : isUnplugged ? "unplugged" : "preferred" }
}

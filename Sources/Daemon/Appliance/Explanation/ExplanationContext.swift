import ALSA
import AudioSession
import Playback
import Signals
import Supervisor

/// The input for the texts that people read. It contains the state, its causes and the problems at one instant.
struct ExplanationContext {
    var scene: StateSnapshot
    var health = Health()
    /// The sources of the signals' levels, as far as they are known.
    var places: [SignalID: String] = [:]
    /// The signals that have been released but stay active until their `ReleaseDelay` has elapsed.
    var releases: [SignalID: PendingRelease] = [:]
    /// What is known about the inputs and players.
    var reports = HelperReports()
    /// The lengths of the sounds that have been read.
    var soundLengths: [SoundID: Duration] = [:]
    /// The problems with the files of sounds.
    var soundProblems: [SoundID: SoundProblem] = [:]
    /// The time by which the current sound will have been played to its end, or nil if there is none or if the time is
    /// unknown.
    var soundEnd: Duration?
    /// The current time on the session's clock.
    var now = Duration.zero
    /// The time by the wall clock at which the audible state last changed, and the time since then.
    var changed: (wallClock: Duration, elapsed: Duration) = (.zero, .zero)
    /// True if the system is about to sleep.
    var isAsleep = false
    /// The last sleep, its end by the wall clock, and the time since then, or nil if there was none.
    var lastSleep: (sleep: Sleep, wallClock: Duration, elapsed: Duration)?
    /// The program that holds the lost sound device, or nil if none does.
    var holder: DeviceHolder?
    /// The shortest distance between the frame that is being played and a queued frame that can still be replaced, or
    /// nil if queued frames cannot be replaced.
    var rewindMargin: Duration?
    /// True if the plug has been pulled out of the output's jack.
    var isUnplugged = false
    /// The number of frames of the recording that were lost and replaced by silence.
    var lostFrames = 0
    /// True if the recording waits in memory because it cannot be written.
    var isRecordingWaiting = false

    /// The files that the search has skipped, or nil unless it is quiet because of a search for a file that can be
    /// played.
    var skipped: SkippedFiles?

    var session: Session { scene.session }

    /// The cause of silence, or nil while something is playing.
    var quietCause: QuietCause? { scene.quietCause ?? (skipped == nil ? nil : .stalled(.storage)) }

    /// The problems with signals and with the appliance.
    var complaints: [String] {
        let faults = session.faults.filter { $0 != .capture || health[.capture] == nil }
        return faults.map(complaint) + soundComplaints + health.words
    }

    /// The problems with sounds whose beginning can be read. They are not faults of the session, even if the sound is
    /// inaudible.
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
        case .input(let input): return "the input \(input) is lost"
        case .player(let player): return "the player \(player) has not confirmed that it has paused"
        case .output(let output): return "the output \(output) is lost"
        case .playback: return scene.inaudibility ?? "\(scene.device) is \(fault.kind.participle)"
        case .signal(let signal): return "\(signal) is \(fault.kind.participle)"
        case .sound(let sound):
            let problem = soundProblems[sound].map { ": \($0.reason)" } ?? ""
            return "the file of the sound \(sound) cannot be read\(problem)"
        }
    }
}

extension ExplanationContext {
    /// The state of the route, which is `preferred`, `unplugged` if the jack is empty, or `fallback`.
    var route: String { scene.route != nil ? "fallback" : isUnplugged ? "unplugged" : "preferred" }
}

import AudioSession
import Configuration

/// Recording: wanted or not, with its own last word, its own device, and a clock of frames.
extension SessionModel {
    struct Recorder {
        /// Frames per second.
        let rate: Int
        var wanted: Bool
        /// Whether the microphone is connected, also while nothing runs that could notice.
        var isConnected = true
        /// Whether it was when that was last noticed.
        var microphone = true
        /// Whether `record` is the user's last word since the microphone was lost.
        var requestedWhileLost = false
        /// The frames recorded since the boot, up to `since`.
        var frames = 0
        /// The frame of the capture clock from which it records; nil while it does not.
        var since: Int?

        /// nil if the session cannot record: its category does not, or there is no `[Recording]`.
        init?(_ configuration: Configuration) {
            let session = configuration.session
            guard session.category != .playback, let settings = configuration.recording else { return nil }
            (rate, wanted) = (settings.rate, session.recorder?.autoRecord ?? false)
        }

        /// The number of the capture clock's frame that is nearest to now. That clock runs from the scenario's start.
        func frame(at now: Duration) -> Int {
            (Int((now / .milliseconds(1)).rounded()) * rate * 2 + 1_000) / 2_000
        }

        func recorded(by now: Duration) -> Int { frames + (since.map { frame(at: now) - $0 } ?? 0) }

        mutating func cutPower() { (frames, since) = (0, nil) }

        /// A boot that finds the microphone lost is a new loss. One that finds it connected knows of no loss before.
        mutating func boot() { (microphone, requestedWhileLost) = (isConnected, false) }
    }

    var records: Bool { recorder.map { $0.wanted && $0.microphone && episode == nil } ?? false }
    var captureFaults: [String] { recorder?.microphone == false ? ["capture:lost"] : [] }

    /// How long it has recorded since the boot, in nanoseconds, as in a trace.
    var recordedNanoseconds: Int {
        let (rate, frames) = (recorder?.rate ?? 1, recorder?.recorded(by: now) ?? 0)
        return (frames * 2_000_000_000 + rate) / (2 * rate)
    }

    /// `record` or `stopRecording`.
    mutating func record(_ isWanted: Bool) {
        guard let before = recorder else {
            reaction.answer = .commandFailed("")
            return
        }
        recorder?.wanted = isWanted
        recorder?.requestedWhileLost = isWanted && !before.microphone
        episode?.recordingWord = isWanted ? "record" : "stopRecording"
        reaction.answer =
            isWanted ? records ? .success : .deferred : before.wanted ? .success : .noActionableNowPlayingItem
    }

    /// The microphone was connected or disconnected, or may have been. At its return the rule of a reset applies, for
    /// recording's own words.
    mutating func noticeMicrophone() {
        guard let before = recorder, before.microphone != before.isConnected else { return }
        let isRequested = before.requestedWhileLost || episode?.recordingWord == "record"
        recorder?.microphone = before.isConnected
        recorder?.requestedWhileLost = false
        if before.isConnected, !policy.resumesAfterReset, !isRequested { recorder?.wanted = false }
    }

    /// Counts the frames, once the event's consequences are known: nothing is recorded while the system is asleep.
    mutating func settleRecorder() {
        guard let before = recorder else { return }
        let since = records && wakes == nil ? before.frame(at: now) : nil
        recorder?.frames = before.recorded(by: now)
        recorder?.since = since
    }
}

import AudioSession
import Configuration

/// The recording. It has its own intent, last command and device, and a clock that counts frames.
extension SessionModel {
    struct Recorder {
        /// The number of frames per second.
        let rate: Int
        /// True if it does not pause in an episode.
        let ignoresEpisodes: Bool
        var wanted: Bool
        /// True if the microphone is connected, even while nothing is running to notice it.
        var isConnected = true
        /// True if the microphone was connected when its state was last noticed.
        var microphone = true
        /// True if `record` is the user's last command since the microphone was lost.
        var requestedWhileLost = false
        /// The frames recorded since the boot, up to `since`.
        var frames = 0
        /// The frame of the capture clock from which the recorder records, or nil while it does not record.
        var since: Int?

        /// Returns nil if the session cannot record, because its category does not record or because there is no
        /// `[Recording]`.
        init?(_ configuration: Configuration) {
            let session = configuration.session
            guard session.category != .playback, let settings = configuration.recording else { return nil }
            (rate, wanted) = (settings.rate, session.recorder?.autoRecord ?? false)
            ignoresEpisodes = session.recorder?.during == .interruptions
        }

        /// Returns the number of the capture clock's frame that is nearest to now. That clock starts with the scenario.
        func frame(at now: Duration) -> Int {
            (Int((now / .milliseconds(1)).rounded()) * rate * 2 + 1_000) / 2_000
        }

        func recorded(by now: Duration) -> Int { frames + (since.map { frame(at: now) - $0 } ?? 0) }

        mutating func cutPower() { (frames, since) = (0, nil) }

        /// Handles a boot. If it finds the microphone lost, this is a new loss. If it finds the microphone connected,
        /// there was no loss before.
        mutating func boot() { (microphone, requestedWhileLost) = (isConnected, false) }
    }

    var records: Bool {
        guard let recorder else { return false }
        return recorder.wanted && recorder.microphone && (recorder.ignoresEpisodes || episode == nil)
    }
    var captureFaults: [String] { recorder?.microphone == false ? ["capture:lost"] : [] }

    /// The time that it has recorded since the boot, in nanoseconds, as in a trace.
    var recordedNanoseconds: Int {
        let (rate, frames) = (recorder?.rate ?? 1, recorder?.recorded(by: now) ?? 0)
        return (frames * 2_000_000_000 + rate) / (2 * rate)
    }

    /// Handles `record` or `stopRecording`.
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

    /// Handles a change, or a possible change, of the microphone's connection. When the microphone returns, the rule
    /// for a reset applies to the recording's own commands.
    mutating func noticeMicrophone() {
        guard let before = recorder, before.microphone != before.isConnected else { return }
        let isRequested = before.requestedWhileLost || episode?.recordingWord == "record"
        recorder?.microphone = before.isConnected
        recorder?.requestedWhileLost = false
        if before.isConnected, !policy.resumesAfterReset, !isRequested { recorder?.wanted = false }
    }

    /// Counts the frames after the event's consequences are known. Nothing is recorded while the system is asleep.
    mutating func settleRecorder() {
        guard let before = recorder else { return }
        let since = records && wakes == nil ? before.frame(at: now) : nil
        recorder?.frames = before.recorded(by: now)
        recorder?.since = since
    }
}

import AudioSession
import Configuration
import Simulation

/// Recording, from the contract's rules: wanted or not, with its own last word, its own device, and a clock of frames.
extension ReferenceModel {
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
    }

    /// - Returns: nil if the session cannot record: its category does not, or there is no `[Recording]`.
    static func recorder(of configuration: Configuration) -> Recorder? {
        guard configuration.session.category != .playback, let settings = configuration.recording else { return nil }
        return Recorder(rate: settings.rate, wanted: configuration.session.recorder?.autoRecord ?? false)
    }

    // MARK: Derived state

    var records: Bool { recorder.map { $0.wanted && $0.microphone && episode == nil } ?? false }

    /// The number of the capture clock's frame that is nearest to now. That clock runs from the scenario's start.
    private func frame(at rate: Int) -> Int { (now * rate * 2 + 1_000) / 2_000 }

    /// The frames recorded since the boot, up to now.
    var recordedFrames: Int {
        guard let recorder else { return 0 }
        return recorder.frames + (recorder.since.map { frame(at: recorder.rate) - $0 } ?? 0)
    }

    var captureFaults: [String] { recorder?.microphone == false ? ["capture:lost"] : [] }

    /// - Returns: in nanoseconds, as in a trace.
    var recordedNanoseconds: Int {
        let rate = recorder?.rate ?? 1
        return (recordedFrames * 2_000_000_000 + rate) / (2 * rate)
    }

    // MARK: Events

    mutating func record() {
        guard var recorder else {
            answer = .commandFailed("")
            return
        }
        recorder.wanted = true
        recorder.requestedWhileLost = !recorder.microphone
        self.recorder = recorder
        episode?.recordingWord = "record"
        answer = records ? .success : .deferred
    }

    mutating func stopRecording() {
        guard var recorder else {
            answer = .commandFailed("")
            return
        }
        answer = recorder.wanted ? .success : .noActionableNowPlayingItem
        recorder.wanted = false
        recorder.requestedWhileLost = false
        self.recorder = recorder
        episode?.recordingWord = "stopRecording"
    }

    /// The microphone was connected or disconnected, or may have been. At its return the rule of a reset (7) applies, for
    /// recording's own words.
    mutating func noticeMicrophone() {
        guard var recorder, recorder.microphone != recorder.isConnected else { return }
        let isRequested = recorder.requestedWhileLost || episode?.recordingWord == "record"
        recorder.microphone = recorder.isConnected
        recorder.requestedWhileLost = false
        if recorder.microphone, !policy.resumesAfterReset, !isRequested { recorder.wanted = false }
        self.recorder = recorder
    }

    /// The episode has ended: the table of 4, in which “paused” means not wanted.
    mutating func endRecordingEpisode(_ episode: Episode) {
        guard !episode.recommends, policy.hasPlaybackInterface, episode.recordingWord == nil else { return }
        recorder?.wanted = false
    }

    mutating func cutRecorderPower() {
        recorder?.frames = 0
        recorder?.since = nil
    }

    /// A boot that finds the microphone lost is a new loss. One that finds it connected knows of no loss before.
    mutating func bootRecorder() {
        guard var recorder else { return }
        recorder.wanted = saved?.wantsRecording ?? recorder.wanted
        recorder.microphone = recorder.isConnected
        recorder.requestedWhileLost = false
        self.recorder = recorder
    }

    /// Counts the frames, once the event's consequences are known: nothing is recorded while the system is asleep.
    mutating func settleRecorder() {
        guard var recorder else { return }
        recorder.frames = recordedFrames
        recorder.since = records && wakes == nil ? frame(at: recorder.rate) : nil
        self.recorder = recorder
    }
}

/// Recording (see <doc:Semantics#Recording>), which the user controls independently of playback. An episode has the
/// same consequences for recording as for playback, but the last command and the device are separate. With
/// ``RecorderPolicy/During/interruptions``, an episode has no consequences for recording.
extension Session {
    /// True if the user wants to record, whether or not that is possible now.
    public var isRecordingWanted: Bool { policy.canRecord && facts.recording.isWanted }

    /// True if the session is recording from the microphone. While the microphone is muted, silence is recorded.
    public var isRecording: Bool { recordingDirective == .on }

    /// True if the session can record, but its capture device is lost.
    public var isCaptureLost: Bool { policy.canRecord && !facts.recording.hasDevice }

    /// The required state of the recorder at the moment.
    public var recordingDirective: RecordingDirective {
        guard isRecordingWanted else { return .off }
        let isInterrupted = facts.episode != nil && !policy.recordsDuringInterruptions
        return facts.recording.hasDevice && !isInterrupted ? .on : .paused
    }

    mutating func record(_ reaction: inout Reaction) {
        guard canRecord(&reaction) else { return }
        facts.recording.isWanted = true
        facts.recording.wasRequestedWhileLost = !facts.recording.hasDevice
        facts.episode?.recordingWord = .record
        reaction.answer = isRecording ? .success : .deferred
    }

    mutating func stopRecording(_ reaction: inout Reaction) {
        guard canRecord(&reaction) else { return }
        reaction.answer = isRecordingWanted ? .success : .noActionableNowPlayingItem
        facts.recording.isWanted = false
        facts.recording.wasRequestedWhileLost = false
        facts.episode?.recordingWord = .stopRecording
    }

    private func canRecord(_ reaction: inout Reaction) -> Bool {
        if !policy.category.records {
            reaction.answer = .commandFailed(
                "the category \(policy.category.rawValue) does not record: set Category=record or playAndRecord")
        } else if policy.recorder == nil {
            reaction.answer = .commandFailed("no recorder is configured: add a [Recording] section")
        }
        return policy.canRecord
    }

    mutating func loseCapture() {
        guard facts.recording.hasDevice else { return }
        facts.recording.hasDevice = false
        facts.recording.wasRequestedWhileLost = false
    }

    /// Handles the return of the capture device. As with playback, Apple's stricter rule makes recording wait for the
    /// user, unless the user has requested it while the device was lost.
    mutating func returnCapture(_ reaction: inout Reaction) {
        guard !facts.recording.hasDevice else {
            reaction.noOpReasons.append(.captureBackWithoutLoss)
            return
        }
        facts.recording.hasDevice = true
        let isRequested = facts.recording.wasRequestedWhileLost || facts.episode?.recordingWord == .record
        if !policy.resumesAfterReset, !isRequested { facts.recording.isWanted = false }
        facts.recording.wasRequestedWhileLost = false
    }

    /// Applies the end of an episode to recording. As with playback, recording waits for the user if the end does not
    /// recommend resuming and the user has not sent a command about recording during the episode.
    mutating func endRecordingEpisode(_ episode: Episode) {
        guard !policy.recordsDuringInterruptions else { return }
        if !episode.recommendsResuming, episode.recordingWord == nil, policy.hasPlaybackInterface {
            facts.recording.isWanted = false
        }
    }
}

/// The stored facts about recording.
struct RecordingFacts: Hashable, Sendable {
    var isWanted = false
    var hasDevice = true
    /// True if the user's last command since the capture device was lost is record.
    var wasRequestedWhileLost = false
}

/// The required state of the recorder.
public enum RecordingDirective: String, Hashable, Sendable, CaseIterable {
    /// Record nothing. The user does not want a recording, so the file is complete.
    case off
    /// Record nothing until the interruption ends or the device returns. Then the recording continues, in the same file
    /// if possible.
    case paused
    case on
}

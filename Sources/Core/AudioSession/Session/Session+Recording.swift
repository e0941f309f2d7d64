/// Recording (see <doc:Semantics#Recording>): a second thing that the user can want, beside playing. Episodes pause it and
/// end as they do for playback, but its last word and its device are its own.
extension Session {
    /// Whether the user wants to record, whether or not it is possible now.
    public var isRecordingWanted: Bool { policy.canRecord && facts.recording.isWanted }

    /// Whether the microphone is recorded now. While it is muted, silence is recorded.
    public var isRecording: Bool { recordingDirective == .on }

    /// Whether the capture device is lost, although the session can record.
    public var isCaptureLost: Bool { policy.canRecord && !facts.recording.hasDevice }

    /// What should be recorded now.
    public var recordingDirective: RecordingDirective {
        guard isRecordingWanted else { return .off }
        return facts.recording.hasDevice && facts.episode == nil ? .on : .paused
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

    /// As for playback, Apple's stricter rule waits for the user, unless the user has asked for it meanwhile.
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

    /// The episode has ended. Like playback, recording resumes unless the end does not recommend it, and the user has not
    /// asked for it meanwhile.
    mutating func endRecordingEpisode(_ episode: Episode) {
        if !episode.recommendsResuming, episode.recordingWord == nil, policy.hasPlaybackInterface {
            facts.recording.isWanted = false
        }
    }
}

/// What a session remembers about recording.
struct RecordingFacts: Hashable, Sendable {
    var isWanted = false
    var hasDevice = true
    /// Whether the user's last word since the capture device was lost is record.
    var wasRequestedWhileLost = false
}

/// What should be recorded of the microphone.
public enum RecordingDirective: String, Hashable, Sendable, CaseIterable {
    /// Nothing, and the user does not want it: the file is complete.
    case off
    /// Nothing, until the interruption ends or the device returns; then it continues, in the same file if possible.
    case paused
    case on
}

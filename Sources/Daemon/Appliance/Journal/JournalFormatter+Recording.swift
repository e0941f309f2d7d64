import AudioSession
import Recording

/// The entries about recording from the microphone.
extension JournalFormatter {
    func captureLost(in scene: StateSnapshot) -> JournalEntry {
        let device = scene.configuration.recording?.device
        return JournalEntry(
            .captureLost,
            "The capture device is not available\(captureProblem.map { ": \($0)" } ?? ""). Tacet keeps trying, and "
                + "playback is not affected.", priority: .warning
        ).with(.device, device).with(.reason, captureProblem).with(Fault.capture)
            .with(.recording, false)
    }

    func captureReturned(in scene: StateSnapshot) -> JournalEntry {
        let outcome = scene.session.isRecording ? "the microphone is recorded again" : "nothing is recorded"
        // A reload may have removed [Recording].
        let isUsed = scene.configuration.recording != nil
        let state = isUsed ? "is available again" : "is no longer used"
        return JournalEntry(.captureReturned, "The capture device \(state), and \(outcome).")
            .with(.device, scene.configuration.recording?.device).with(Fault.capture)
            .with(.recording, scene.session.isRecording).with(.outcome, outcome)
    }

    /// Returns the entry if recording from the microphone has begun or ended, or nil if neither has happened.
    ///
    /// - Parameter wasRecording: True if Tacet was recording from the microphone before the event.
    func recording(since wasRecording: Bool, in scene: StateSnapshot) -> JournalEntry? {
        let session = scene.session
        guard session.isRecording != wasRecording else { return nil }
        guard !session.isRecording else {
            return JournalEntry(.recordingBegan, "The microphone is recorded.").with(.recording, true)
                .with(.file, scene.recordingFile)
        }
        let blocking = session.blocking
        let (reason, outcome) =
            if !session.isRecordingWanted {
                ("it is no longer wanted", "recording stays off until somebody starts it again")
            } else if session.isCaptureLost {
                ("the capture device is not available", "recording continues when the device returns")
            } else if !blocking.isEmpty {
                (
                    "\(scene.names(of: blocking)) \(blocking.count > 1 ? "are" : "is") asserted",
                    "recording continues afterwards"
                )
            } else {
                ("an interruption has just ended", "recording continues after ResumeDelay=")
            }
        return JournalEntry(.recordingEnded, "The microphone is no longer recorded because \(reason), and \(outcome).")
            .with(.recording, false).with(.reason, reason).with(.outcome, outcome).with(blocking)
            .with(.file, scene.recordingFile)
    }

    /// - Returns: The entry, or nil if the event is not logged.
    func entry(for event: RecorderEvent) -> JournalEntry? {
        switch event {
        case .fileBegan(let path):
            JournalEntry(.recordingFile, "The recording \(path) begins.").with(.file, path)
        case .fileEnded(let path, let frames, .deleted):
            JournalEntry(
                .recordingFile, "The recording \(path) was deleted while it was being written. Another one follows.",
                priority: .warning
            ).with(.file, path).with(.frames, "\(frames)").with(.reason, "\(RecordingEnd.deleted)")
                .with(.outcome, "recording continues in another file")
        case .fileEnded(let path, let frames, let reason):
            JournalEntry(.recordingFile, "The recording \(path) is complete: \(reason).")
                .with(.file, path).with(.frames, "\(frames)").with(.reason, "\(reason)")
        case .removed(let path, isFromFuture: true):
            JournalEntry(
                .recordingFile,
                "The recording \(path), whose name is ahead of the clock, has been deleted (Keep=).",
                priority: .warning
            ).with(.file, path).with(.reason, "Keep=").with(.outcome, "recording continues")
        case .removed(let path, _):
            JournalEntry(.recordingFile, "The oldest recording, \(path), has been deleted (Keep=).")
                .with(.file, path).with(.reason, "Keep=")
        case .notRemoved(let error):
            JournalEntry(.recordingFile, "The recordings exceed Keep=: \(error).", priority: .warning)
                .with(.file, error.path).with(.reason, "\(error)").with(.outcome, "recording continues")
        case .overrun(let frames):
            JournalEntry(
                .recordingOverrun,
                "\(frames) frames of the microphone are missing because its device was read too late or the disk is too "
                    + "slow. Silence of the same length replaces them.", priority: .warning
            ).with(.frames, "\(frames)").with(.outcome, "recording continues")
        case .storageFailed(let error):
            JournalEntry(
                .recordingStorageLost,
                "The recording cannot be written: \(error). It is kept in memory for some seconds.",
                priority: .error
            ).with(.file, error.path).with(.reason, "\(error)").with(.outcome, "recording continues when the disk does")
        case .storageSlow(let time):
            JournalEntry(
                .recordingStorageLost,
                "The disk of the recordings is slow. What is not written yet is kept in memory for some seconds.",
                priority: .warning
            ).with(.reason, "a call has taken \(time)").with(.outcome, "recording continues when the disk does")
        case .storageRecovered:
            JournalEntry(.recordingStorageBack, "The recording is written again.")
                .with(.outcome, "recording continues")
        case .abandoned(let frames):
            JournalEntry(
                .recordingOverrun,
                "The last \(frames) frames of the recording are lost because the disk did not accept them.",
                priority: .warning
            ).with(.frames, "\(frames)").with(.outcome, "the recording has ended")
        case .notRealTime(let reason):
            JournalEntry(
                .notRealTime, "Recordings may have gaps because \(reason).", priority: .warning
            ).with(.reason, reason)
        case .deviceOpened, .deviceLost, .deviceReturned, .recording, .paused, .finished, .asleep, .muted: nil
        }
    }
}

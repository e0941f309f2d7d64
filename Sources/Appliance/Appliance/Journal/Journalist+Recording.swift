import AudioSession

/// What happens to the recording of the microphone.
extension Journalist {
    func captureLost(in scene: Scene) -> JournalEntry {
        let device = scene.configuration.recording?.device
        return JournalEntry(
            .captureLost,
            "The capture device is not available\(captureProblem.map { ": \($0)" } ?? ""). Tacet keeps trying; playback is "
                + "not affected.", priority: .warning
        ).with(.device, device).with(.reason, captureProblem).with(.fault, Fault.capture.description)
            .with(.recording, false)
    }

    func captureReturned(in scene: Scene) -> JournalEntry {
        let outcome = scene.session.isRecording ? "it is recorded again" : "nothing is recorded"
        return JournalEntry(.captureReturned, "The capture device is available again: \(outcome).")
            .with(.device, scene.configuration.recording?.device).with(.fault, Fault.capture.description)
            .with(.recording, scene.session.isRecording).with(.outcome, outcome)
    }

    /// The microphone is recorded from now on, or no longer; nil if neither.
    ///
    /// - Parameter wasRecording: before the event.
    func recording(since wasRecording: Bool, in scene: Scene) -> JournalEntry? {
        let session = scene.session
        guard session.isRecording != wasRecording else { return nil }
        guard !session.isRecording else {
            return JournalEntry(.recordingBegan, "The microphone is recorded.").with(.recording, true)
                .with(.file, scene.recordingFile)
        }
        let blocking = session.blocking
        let (reason, outcome) =
            if !session.isRecordingWanted {
                ("it is not wanted any more", "it stays off until someone records again")
            } else if session.isCaptureLost {
                ("the capture device is not available", "it continues when the device returns")
            } else if !blocking.isEmpty {
                ("\(scene.names(of: blocking)) \(blocking.count > 1 ? "are" : "is") asserted", "it continues afterwards")
            } else {
                ("an interruption has just ended", "it continues after ResumeDelay=")
            }
        return JournalEntry(.recordingEnded, "The microphone is no longer recorded: \(reason); \(outcome).")
            .with(.recording, false).with(.reason, reason).with(.outcome, outcome).with(blocking)
            .with(.file, scene.recordingFile)
    }
}

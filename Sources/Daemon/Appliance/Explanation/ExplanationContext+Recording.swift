import AudioSession

/// The texts about recording from the microphone.
extension ExplanationContext {
    /// Returns a clause such as `the microphone is recorded to FILE` or
    /// `nothing is recorded because phone-call is asserted`, or nil if recording is not wanted.
    func recordingClause(_ detail: Detail) -> String? {
        guard session.isRecordingWanted else { return nil }
        if session.isRecording {
            guard detail == .full else { return "recording" }
            if isRecordingWaiting {
                let problem = health[.recording].map { " (\($0))" } ?? ""
                return "the recording is kept in memory for some seconds\(problem)"
            }
            let file = scene.recordingFile.map { " to \($0)" } ?? ""
            let lost = lostFrames > 0 ? " (\(lostFrames) frames were lost and are silent)" : ""
            let during = session.isInterrupted ? ", also during interruptions (During=)" : ""
            return session.isMicrophoneMuted
                ? "silence is recorded\(file) because the microphone is muted"
                : "the microphone is recorded\(file)\(during)\(lost)"
        }
        if session.isCaptureLost { return "nothing is recorded because there is no capture device" }
        let blocking = session.blocking
        let cause = blocking.isEmpty ? "an interruption has just ended" : state(of: blocking, detail)
        return "nothing is recorded because \(cause)"
    }
}

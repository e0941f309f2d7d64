import AudioSession
import Recording
import Supervisor

/// The recorder's reports and their consequences for the session, the journal and the health.
extension Installation {
    func followRecorder() {
        recording.onEvents = { [unowned self] in
            pass()
            takeRecorderEvents()
            settle()
        }
        takeRecorderEvents()
    }

    /// Stops following the recorder so that a successor can follow it.
    func leaveRecorder() { recording.onEvents = {} }

    func takeRecorderEvents() {
        guard isAwake else { return }
        health.set(.capture, recording.captureProblem.map { "nothing is recorded: \($0)" })
        health.set(.recording, recording.storageProblem)
        for event in recording.takeEvents() { take(event) }
        openGate()
    }

    private func take(_ event: RecorderEvent) {
        switch event {
        case .deviceLost(let error):
            formatter.captureProblem = "\(error)"
            handle(.event(.captureLost))
        case .deviceReturned:
            handle(.event(.captureReturned))
            formatter.captureProblem = nil
        case .notRealTime(let reason): health.set(.realTime, reason)
        case .deviceOpened, .recording, .paused, .finished, .asleep, .muted, .fileBegan, .fileEnded, .removed,
            .notRemoved, .overrun, .abandoned, .storageFailed, .storageSlow, .storageRecovered:
            break
        }
        if let entry = formatter.entry(for: event) { log(entry) }
    }

    /// Applies the settings to the recorder. Other settings may name another device, which has not been lost yet.
    func useRecorder() {
        let wasAvailable = recording.isDeviceAvailable
        recording.use(configuration)
        guard !wasAvailable, recording.isDeviceAvailable else { return }
        formatter.captureProblem = nil
        handle(.event(.captureReturned))
    }
}

import AudioSession
import Recording
import Supervisor

/// What the recorder reports, and its consequences for session, journal and health.
extension Installation {
    func followRecorder() {
        recording.onEvents = { [unowned self] in
            pass()
            takeRecorderEvents()
            settle()
        }
        takeRecorderEvents()
    }

    /// Stops following it, for a successor to do so.
    func leaveRecorder() { recording.onEvents = {} }

    func takeRecorderEvents() {
        guard ending == nil, sleeping == nil else { return }
        for event in recording.takeEvents() { take(event) }
        openGate()
    }

    private func take(_ event: RecorderEvent) {
        switch event {
        case .deviceLost(let error):
            journalist.captureProblem = "\(error)"
            health.set(.capture, "nothing is recorded: \(error)")
            supervisor.captureLost()
        case .deviceReturned:
            health.set(.capture, nil)
            supervisor.captureReturned()
            journalist.captureProblem = nil
        case .storageFailed(let error): health.set(.recording, "\(error)")
        case .storageSlow(let time):
            health.set(.recording, "the disk of the recordings is slow: one call has taken \(time.wholeTenths) s")
        case .storageRecovered: health.set(.recording, nil)
        case .notRealTime(let reason): health.set(.realTime, reason)
        case .deviceOpened, .recording, .paused, .finished, .asleep, .muted, .fileBegan, .fileEnded, .removed, .notRemoved,
            .overrun, .abandoned:
            break
        }
        if let entry = journalist.entry(for: event) { tell(entry) }
    }

    /// Reports to followers, as soon as what was recorded is on the disk.
    func inform(_ report: Report, _ scene: Scene) {
        for (report, scene) in gate.pass(report, scene, isComplete: recording.isComplete, at: world.now) {
            onReport(report, scene)
        }
    }

    func openGate() {
        for (report, scene) in gate.open(isComplete: recording.isComplete || ending != nil, at: world.now) {
            onReport(report, scene)
        }
    }

    /// Whether followers do not know of the present state yet.
    var holdsFollowers: Bool { gate.isClosed }
}

extension Duration {
    /// In seconds, with one decimal.
    fileprivate var wholeTenths: String {
        let tenths = components.seconds * 10 + components.attoseconds / 100_000_000_000_000_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}

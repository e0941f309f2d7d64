/// What outlives a device.
struct CaptureState {
    /// Whether recording is wanted, the microphone is muted, the system sleeps, and the recorder is to stop.
    private(set) var isWanted = false
    private(set) var isMuted = false
    private(set) var isAsleep = false
    private(set) var quits = false
    /// Whether frames go into the ring.
    var isRecording = false
    /// The frame of the capture clock that is dealt with next.
    var frame = 0
    /// Frames that were to be recorded and are lost since the last mark.
    var gap = 0
    private var status = CaptureStatus()

    /// Carries out an order.
    /// - Returns: the mark that tells of it, without its place; `note` if recording neither ends nor changes.
    @_noLocks @_noAllocation
    mutating func carryOut(_ order: CaptureOrder) -> CaptureMark {
        switch order.kind {
        case .record:
            isWanted = true
            return CaptureMark(.note, order: order.number)
        case .pause:
            isWanted = false
            return CaptureMark(.pause, order: order.number)
        case .finish:
            isWanted = false
            return CaptureMark(.finish, order: order.number, value: order.reason)
        case .mute:
            isMuted = true
            return CaptureMark(.mute, order: order.number, value: 1)
        case .unmute:
            isMuted = false
            return CaptureMark(.mute, order: order.number)
        case .sleep:
            isAsleep = true
            return CaptureMark(.sleep, order: order.number)
        case .wake:
            isAsleep = false
            return CaptureMark(.note, order: order.number)
        case .quit:
            quits = true
            return CaptureMark(.quit, order: order.number)
        }
    }

    @_noLocks @_noAllocation
    mutating func lose(_ frames: Int) {
        gap += frames
        status.lost += frames
    }

    /// Counts a turn, and posts what control and the watchdog see.
    @_noLocks @_noAllocation
    mutating func post(to lines: CaptureLines) {
        status.turns += 1
        status.isRecording = isRecording ? 1 : 0
        lines.status.post(&status)
    }
}

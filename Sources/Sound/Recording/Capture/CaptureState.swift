/// The state of the capturing thread that outlives a device.
struct CaptureState {
    /// True if recording is wanted, if the microphone is muted, if the system sleeps, and if the recorder must stop,
    /// respectively.
    private(set) var isWanted = false
    private(set) var isMuted = false
    private(set) var isAsleep = false
    private(set) var quits = false
    /// True if frames are written to the ring.
    var isRecording = false
    /// The frame of the capture clock that is processed next.
    var frame = 0
    /// The number of frames that should have been recorded but have been lost since the last mark.
    var gap = 0
    private var status = CaptureStatus()

    /// Executes an order.
    /// - Returns: the mark that reports the order, without its position. It is `note` if recording neither ends nor
    ///   changes.
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

    /// Counts a turn and posts the state that control and the watchdog read.
    @_noLocks @_noAllocation
    mutating func post(to lines: CaptureLines) {
        status.turns += 1
        status.isRecording = isRecording ? 1 : 0
        lines.status.post(&status)
    }
}

/// An order from control to the capturing thread. The order takes effect at the frame that was captured at the time
/// `time`.
struct CaptureOrder {
    enum Kind: Int {
        case record, pause, finish, mute, unmute, sleep, wake, quit
    }

    var kind: Kind
    /// The number of the order, from 1.
    var number = 0
    /// The time at which the order was given, in nanoseconds of CLOCK_MONOTONIC. It is never earlier than the time of
    /// the previous order.
    var time = 0
    /// The reason why the file ends (`RecordingEnd`).
    var reason = 0
}

/// Information for the storage thread about the frames in the ring.
struct CaptureMark {
    enum Kind: Int {
        /// The frames that follow have the format `value` (`PackedFormat`).
        case format
        /// Recording begins with frame `frame` of the capture clock.
        case begin
        /// The mark contains the frame that follows and the time at which it was captured.
        case time
        /// `value` frames were lost, up to `frame`.
        case gap
        /// Recording ends before `frame`, because it is paused, because it is finished for the reason `value`, because
        /// the device is lost, or because the system is about to sleep.
        case pause, finish, lost, sleep
        /// From here on, the microphone is muted if `value` is 1, otherwise not.
        case mute
        /// An order was executed that does not change anything at this position.
        case note
        case quit
    }

    var kind: Kind
    /// The index in the ring at which the mark applies.
    var index: Int
    /// The number of the order that caused the mark, or 0 if no order caused it.
    var order: Int
    /// The frame of the capture clock. When the device is reopened, the numbering continues, and the time in between is
    /// not counted.
    var frame: Int
    /// The time at which that frame was captured, in nanoseconds of CLOCK_MONOTONIC.
    var time: Int
    var value: Int

    @_noLocks @_noAllocation
    init(_ kind: Kind, index: Int = 0, order: Int = 0, frame: Int = 0, time: Int = 0, value: Int = 0) {
        self.kind = kind
        self.index = index
        self.order = order
        self.frame = frame
        self.time = time
        self.value = value
    }
}

/// A format that is packed into a word.
enum PackedFormat {
    static func pack(_ format: RecordedFormat) -> Int {
        format.stream.rate << 16 | format.stream.channels << 8 | format.bits
    }

    static func unpack(_ word: Int) -> RecordedFormat {
        RecordedFormat(.init(rate: word >> 16, channels: word >> 8 & 0xff), bits: word & 0xff)
    }
}

/// The state of the capturing thread that control and the watchdog read. The structure consists of words only, so that
/// a `Seqlock` can carry it.
struct CaptureStatus {
    /// The number of turns of the thread.
    var turns = 0
    /// The number of frames that should have been recorded but are lost.
    var lost = 0
    /// 1 while frames are recorded.
    var isRecording = 0

    static let words = MemoryLayout<CaptureStatus>.size / MemoryLayout<Int>.size
}

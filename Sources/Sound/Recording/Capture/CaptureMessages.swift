/// An order of control to the capturing thread. It takes effect at the frame that was captured at its time.
struct CaptureOrder {
    enum Kind: Int {
        case record, pause, finish, mute, unmute, sleep, wake, quit
    }

    var kind: Kind
    /// Counts the orders, from 1.
    var number = 0
    /// When it was given: nanoseconds of CLOCK_MONOTONIC. Never earlier than that of the order before.
    var time = 0
    /// Why the file ends (`RecordingEnd`).
    var reason = 0
}

/// What the storage thread must know about the frames in the ring.
struct CaptureMark {
    enum Kind: Int {
        /// The frames that follow are `value` (`PackedFormat`).
        case format
        /// Recording begins, and frame `frame` of the capture clock follows.
        case begin
        /// The frame that follows, and when it was captured.
        case time
        /// `value` frames were lost, up to `frame`.
        case gap
        /// Recording ends before `frame`: paused; finished, for the reason `value`; because the device is lost; for a sleep.
        case pause, finish, lost, sleep
        /// The microphone is muted (`value` 1) or not from here on.
        case mute
        /// An order that changes nothing here.
        case note
        case quit
    }

    var kind: Kind
    /// The ring's index at which it applies.
    var index: Int
    /// The order that caused it; 0 for none.
    var order: Int
    /// Frames of the capture clock, which runs on, without its gaps, when the device is opened again.
    var frame: Int
    /// When that frame was captured: nanoseconds of CLOCK_MONOTONIC.
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

/// A format in a word.
enum PackedFormat {
    static func pack(_ format: RecordedFormat) -> Int {
        format.stream.rate << 16 | format.stream.channels << 8 | format.bits
    }

    static func unpack(_ word: Int) -> RecordedFormat {
        RecordedFormat(.init(rate: word >> 16, channels: word >> 8 & 0xff), bits: word & 0xff)
    }
}

/// What control and the watchdog see of the capturing thread. Consists of words only, so that a `Seqlock` can carry it.
struct CaptureStatus {
    /// Counts the thread's turns.
    var turns = 0
    /// Frames that were to be recorded and are lost.
    var lost = 0
    /// 1 while frames are recorded.
    var isRecording = 0

    static let words = MemoryLayout<CaptureStatus>.size / MemoryLayout<Int>.size
}

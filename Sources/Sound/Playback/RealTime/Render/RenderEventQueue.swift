import Threads

/// A queue of events from the render thread to control. If 256 events are pending, the queue drops further events,
/// because control is too far behind to use them.
struct RenderEventQueue {
    private let events: UnsafeMutablePointer<RenderEvent>
    private let reading: SharedCounter
    private let writing: SharedCounter

    static var capacity: Int {
        @_noLocks @_noAllocation get { 256 }
    }
    static let counters = 2

    /// - Parameters:
    ///   - events: memory for `capacity` events, which must outlive this value.
    ///   - counters: `RenderEventQueue.counters` words, which are initially zero and must outlive this value.
    init(events: UnsafeMutablePointer<RenderEvent>, counters: UnsafeMutablePointer<Int>) {
        self.events = events
        reading = SharedCounter(counters)
        writing = SharedCounter(counters + 1)
    }

    @_noLocks @_noAllocation
    func push(_ event: RenderEvent) {
        let index = writing.value
        guard index - reading.value < Self.capacity else { return }
        events[index % Self.capacity] = event
        writing.value = index + 1
    }

    func pop() -> RenderEvent? {
        let index = reading.value
        guard index < writing.value else { return nil }
        defer { reading.value = index + 1 }
        return events[index % Self.capacity]
    }
}

/// An event that the render thread reports to control.
struct RenderEvent {
    enum Kind: Int {
        /// A playback order with the given `number` takes effect. Its first changed frame is `frame` of the device,
        /// which is heard at `time`.
        case effect
        /// The output has become silent, as ordered.
        case faded
        /// The boundary that is set in the slot has been heard.
        case boundary
        /// The device has run dry, or was stopped and restarted. From now on, the queue is `number` milliseconds long.
        case underrun
        /// From now on, a rewind leaves the frames of `number` microseconds in the device. This margin was measured
        /// when the device was opened, or was changed because a rewind came too late.
        case rewindMargin, rewoundTooLate
        /// The first frame of the sound with the given `number` is `frame` of the device, which is heard at `time`. The
        /// other cases report that the last frame has been heard, or the last frame that could be read in time.
        case soundHeard, soundEnded, soundBroken
        /// The ring has run dry, or has been filled again.
        case starving, fed
        /// The `code` of the device's `DeviceAudibility` is now `number`.
        case audibility
    }

    var kind: Kind
    var number: Int
    var frame: Int
    var time: Int

    @_noLocks @_noAllocation
    init(kind: Kind, number: Int = 0, frame: Int = 0, time: Int = 0) {
        self.kind = kind
        self.number = number
        self.frame = frame
        self.time = time
    }
}

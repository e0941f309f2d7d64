import Threads

/// A queue of notes from the render thread to control. It drops a note that does not fit: control is then 256 notes
/// behind, and has worse problems.
struct RenderEventQueue {
    private let notes: UnsafeMutablePointer<Note>
    private let reading: SharedCounter
    private let writing: SharedCounter

    static var capacity: Int {
        @_noLocks @_noAllocation get { 256 }
    }
    static let counters = 2

    /// - Parameters:
    ///   - notes: memory for `capacity` notes; must outlive this value.
    ///   - counters: `RenderEventQueue.counters` words, initially zero; must outlive this value.
    init(notes: UnsafeMutablePointer<Note>, counters: UnsafeMutablePointer<Int>) {
        self.notes = notes
        reading = SharedCounter(counters)
        writing = SharedCounter(counters + 1)
    }

    @_noLocks @_noAllocation
    func push(_ note: Note) {
        let index = writing.value
        guard index - reading.value < Self.capacity else { return }
        notes[index % Self.capacity] = note
        writing.value = index + 1
    }

    func pop() -> Note? {
        let index = reading.value
        guard index < writing.value else { return nil }
        defer { reading.value = index + 1 }
        return notes[index % Self.capacity]
    }
}

/// A notification from the render thread to control.
struct Note {
    enum Kind: Int {
        /// A directive (`number`) takes effect: its first changed frame is `frame` of the device, heard at `time`.
        case effect
        /// The output has become silent, as ordered.
        case faded
        /// The boundary of the slot has been heard.
        case boundary
        /// The device has run dry, or was stopped and restarted; from now on, `number` milliseconds are queued.
        case underrun
        /// A rewind of the device leaves the frames of `number` microseconds: measured when it was opened, or changed because
        /// one came too late.
        case rewindMargin, rewoundTooLate
        /// The first frame of a sound (`number`) is `frame` of the device, heard at `time`; or its last one has been heard,
        /// or the last one that could be read in time.
        case soundHeard, soundEnded, soundBroken
        /// The ring has run dry, or has been filled again.
        case starving, fed
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

/// Notes on their way from one thread to another. A note that does not fit is dropped: control is 256 notes
/// behind then, and has other worries.
struct NoteRing {
    private let notes: UnsafeMutablePointer<Note>
    private let reading: SharedCounter
    private let writing: SharedCounter

    static var capacity: Int {
        @_noLocks @_noAllocation get { 256 }
    }
    static let counters = 2

    /// - Parameters:
    ///   - notes: `capacity` of them.
    ///   - counters: zero at first. Both outlive this.
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

/// What the render thread has to tell control.
struct Note {
    enum Kind: Int {
        /// The first frame changed by a directive (`number`): `frame` of the device, which is heard at `time`.
        case effect
        /// Silence has been reached.
        case faded
        /// The boundary of the slot has been heard.
        case boundary
        /// The device has run dry, or was stopped and started anew; `number` milliseconds are queued from now on.
        case underrun
        /// The ring has run dry; it has been filled again.
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

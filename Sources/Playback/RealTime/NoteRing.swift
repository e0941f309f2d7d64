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

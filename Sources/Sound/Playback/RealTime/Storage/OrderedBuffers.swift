/// The decks that the render thread plays, or can still be using.
struct OrderedBuffers {
    /// The deck in the orders.
    private var present: LoadedBuffer?
    /// Earlier ones.
    private(set) var retired: [LoadedBuffer] = []

    /// Whether another deck may be read: decks that wait for the render thread to release them take memory.
    var hasRoom: Bool { retired.count < 2 }

    mutating func order(_ buffer: LoadedBuffer?) {
        if let present { retired.append(present) }
        present = buffer
    }

    /// Frees the earlier decks, which the render thread no longer uses.
    mutating func freeRetired() { retired = [] }
}

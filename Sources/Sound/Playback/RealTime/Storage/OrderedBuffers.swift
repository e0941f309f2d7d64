/// The buffers that the render thread plays or may still be using.
struct OrderedBuffers {
    /// The buffer in the orders.
    private var present: LoadedBuffer?
    /// The earlier buffers.
    private(set) var retired: [LoadedBuffer] = []

    /// True if another buffer may be read. This is limited because buffers that wait for the render thread to release
    /// them take memory.
    var hasRoom: Bool { retired.count < 2 }

    mutating func order(_ buffer: LoadedBuffer?) {
        if let present { retired.append(present) }
        present = buffer
    }

    /// Frees the earlier buffers, which the render thread no longer uses.
    mutating func freeRetired() { retired = [] }
}

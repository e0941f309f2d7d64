/// The buffers that the render thread plays or may still be using.
struct OrderedBuffers {
    /// The buffer in the orders.
    private var present: LoadedBuffer?
    /// The earlier buffers, which the render thread may still be using.
    private(set) var retired: [LoadedBuffer] = []

    /// True if another buffer may be loaded. The number is limited because buffers take memory until the render thread
    /// releases them.
    var hasRoom: Bool { retired.count < 2 }

    mutating func order(_ buffer: LoadedBuffer?) {
        if let present { retired.append(present) }
        present = buffer
    }

    /// Frees the earlier buffers. Call this when the render thread no longer uses them.
    mutating func freeRetired() { retired = [] }
}

/// What connects the render thread with the others: pointers and descriptors, which outlive it.
struct RenderLines {
    let orders: Bulletin
    let status: Bulletin
    let notes: NoteRing
    let phase: SharedPhase
    /// Descriptors: what wakes the render thread, control, and the storage thread.
    let wakeUp: Int32
    let control: Int32
    let storage: Int32
}

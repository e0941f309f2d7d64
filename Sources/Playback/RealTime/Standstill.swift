/// A device that control has given up because it accepted nothing for too long, in the hands of the render thread.
// Not nested in the loop, and without a payload: see `RenderState`.
enum Standstill: Sendable {
    /// None: the device is fed.
    case none
    /// It is not fed, and is asked from time to time whether it has continued.
    case waiting
    /// It has continued, and plays what it holds.
    case draining
    /// It has played that, and what is on its way to the ear is given the time.
    case drained

    var isFed: Bool {
        @_noLocks @_noAllocation get { if case .none = self { true } else { false } }
    }
}

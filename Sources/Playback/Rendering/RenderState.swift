/// What a `RenderCore` is doing.
// Not nested in it, and without a payload: Swift 6.0 fails on both within a type that cannot be copied.
public enum RenderState: Sendable, Hashable {
    case stopped
    case playing
    /// Fading out; the programme will continue at the core's `resumeIndex`.
    case stopping

    // Without optimisation, the `==` of every `RawRepresentable` or `Equatable` is called through its type's metadata,
    // which the render thread must not allocate. Matching a pattern needs none.
    var isStopped: Bool {
        @_noLocks @_noAllocation get { if case .stopped = self { true } else { false } }
    }

    var isPlaying: Bool {
        @_noLocks @_noAllocation get { if case .playing = self { true } else { false } }
    }

    var isStopping: Bool {
        @_noLocks @_noAllocation get { if case .stopping = self { true } else { false } }
    }
}

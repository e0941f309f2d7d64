/// What a `RenderCore` is doing.
// Not nested in it, and without a payload: Swift 6.0 fails on both within a type that cannot be copied.
public enum RenderState: Sendable, Hashable {
    case stopped
    case playing
    /// Fading out; the programme will go on at the core's `resumeIndex`.
    case stopping
}

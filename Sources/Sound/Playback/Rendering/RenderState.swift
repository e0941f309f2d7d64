/// The state of a `RenderCore`.
// Neither nested nor with a payload: Swift 6.0 cannot compile either in a noncopyable type.
public enum RenderState: Sendable, Hashable {
    case stopped
    case playing
    /// Fading out; the programme will continue at the core's `resumeIndex`.
    case stopping

    // Pattern matching instead of `==`: in unoptimised code, `==` may allocate the type's metadata, which the render
    // thread must not do.
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

/// Everything that `RenderCore.render` changes, to undo rendering when frames could not be written to the device.
public struct RenderCheckpoint: Sendable {
    let state: RenderState
    let resumeIndex: Int
    let level: GainRamp
    let entry: GainRamp
    let gate: GainRamp
    let isStarving: Bool
    let starvedFrames: Int
    let tailPosition: Int
    let fadedWhenTailEnds: Bool
    /// The ring index of the next frame to read.
    let readIndex: Int
    let voice: SoundVoiceCheckpoint
    let limiter: Limiter
    let hold: Int

    @_noLocks @_noAllocation
    init(
        state: RenderState, resumeIndex: Int, level: GainRamp, entry: GainRamp, gate: GainRamp, isStarving: Bool,
        starvedFrames: Int, tailPosition: Int, fadedWhenTailEnds: Bool, readIndex: Int, voice: SoundVoiceCheckpoint,
        limiter: Limiter, hold: Int
    ) {
        self.state = state
        self.resumeIndex = resumeIndex
        self.level = level
        self.entry = entry
        self.gate = gate
        self.isStarving = isStarving
        self.starvedFrames = starvedFrames
        self.tailPosition = tailPosition
        self.fadedWhenTailEnds = fadedWhenTailEnds
        self.readIndex = readIndex
        self.voice = voice
        self.limiter = limiter
        self.hold = hold
    }
}

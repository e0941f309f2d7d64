/// The state of a `RenderCore`.
// This type is not nested and does not have a payload, because Swift 6.0 cannot compile such types in a noncopyable
// type.
public enum RenderState: Sendable, Hashable {
    case stopped
    case playing
    /// Playback is fading out. The music will continue at the core's `resumeIndex`.
    case stopping

    // Use pattern matching instead of `==`. In unoptimised code, `==` may allocate the type's metadata, which the
    // render thread must not do.
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

/// The music in a `RenderCore` and the limiter. Rendering changes this value as well as the ring, the tail and the
/// sound.
struct RenderProgress: Sendable {
    var state = RenderState.stopped
    /// The ring index at which the fade-out began, if the state is `stopping`.
    var resumeIndex = 0
    var gains = PlaybackGain(level: GainRamp())
    /// True if the gate is closed or closing.
    var isStarving = false
    var starvedFrames = 0
    /// True if a requested silence is waiting for the tail to end.
    var fadedWhenTailEnds = false
    /// True if the end of the fade-out is not reported, because an input replaces the music.
    var fadesQuietly = false
    var hold = 0
    var limiter: Limiter
}

/// The gain of music, which is the product of three ramps.
struct PlaybackGain: Sendable {
    /// The requested gain.
    var level: GainRamp
    /// The fade-in of music after a jump.
    var entry: GainRamp
    /// The gate, which closes before the ring runs dry and opens when the ring has been filled again.
    var gate: GainRamp

    @_noLocks @_noAllocation
    init(level: GainRamp) {
        self.level = level
        entry = GainRamp(gain: 1)
        gate = GainRamp(gain: 1)
    }

    /// The gain of the last frame.
    var gain: Float { @_noLocks @_noAllocation get { level.gain * entry.gain * gate.gain } }

    var isAtRest: Bool { @_noLocks @_noAllocation get { level.isAtRest && entry.isAtRest && gate.isAtRest } }

    /// Returns the gain of the next frame.
    @_noLocks @_noAllocation
    mutating func next() -> Float { level.next() * entry.next() * gate.next() }
}

/// Everything that `RenderCore.render` changes. It is used to undo rendering when frames could not be written to the
/// device.
public struct RenderCheckpoint: Sendable {
    let progress: RenderProgress
    let tailPosition: Int
    /// The ring index of the next frame to read.
    let readIndex: Int
    let voice: SoundVoiceCheckpoint
    let live: LiveCheckpoint
    let page: LiveCheckpoint

    @_noLocks @_noAllocation
    init(
        progress: RenderProgress, tailPosition: Int, readIndex: Int, voice: SoundVoiceCheckpoint, live: LiveCheckpoint,
        page: LiveCheckpoint
    ) {
        self.progress = progress
        self.tailPosition = tailPosition
        self.readIndex = readIndex
        self.voice = voice
        self.live = live
        self.page = page
    }
}

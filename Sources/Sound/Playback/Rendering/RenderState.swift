import CRealTime

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

/// All that `RenderCore.render` changes, to take frames back that could not be written to the device.
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
    /// Ring index of the frame that was to be read next.
    let readIndex: Int

    @_noLocks @_noAllocation
    init(
        state: RenderState, resumeIndex: Int, level: GainRamp, entry: GainRamp, gate: GainRamp, isStarving: Bool,
        starvedFrames: Int, tailPosition: Int, fadedWhenTailEnds: Bool, readIndex: Int
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
    }
}

/// A number that one thread writes and others read, without a lock. Whoever sees it sees all that was written before.
struct SharedCounter {
    private let cell: UnsafeMutablePointer<Int>

    /// - Parameter cell: outlives this.
    @_noLocks @_noAllocation
    init(_ cell: UnsafeMutablePointer<Int>) {
        self.cell = cell
    }

    var value: Int {
        @_noLocks @_noAllocation get { realtime_load(cell) }
        @_noLocks @_noAllocation nonmutating set { realtime_store(cell, newValue) }
    }
}

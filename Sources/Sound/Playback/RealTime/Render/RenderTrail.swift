/// Where the render thread was before each of the last blocks that it wrote: from there, frames that the device has not
/// played yet can be rendered anew. Of a fixed size; for the render thread alone.
struct RenderTrail: ~Copyable {
    /// All that a block changes, before it did.
    struct Step {
        let core: RenderCheckpoint
        let written: Int
        let runFrame: Int
        let runIndex: Int
        let isRunBroken: Bool
        let silentFrames: Int

        // The implicit one is an unmarked call, unless it is inlined.
        @_noLocks @_noAllocation
        init(
            core: RenderCheckpoint, written: Int, runFrame: Int, runIndex: Int, isRunBroken: Bool, silentFrames: Int
        ) {
            self.core = core
            self.written = written
            self.runFrame = runFrame
            self.runIndex = runIndex
            self.isRunBroken = isRunBroken
            self.silentFrames = silentFrames
        }
    }

    /// More than are in the device at once: the oldest give way.
    // Not a stored property, which debug builds initialise behind a lock.
    private static var capacity: Int { @_noLocks @_noAllocation get { 64 } }
    private let steps: UnsafeMutablePointer<Step>
    private var first = 0
    private var count = 0

    init() {
        steps = .allocate(capacity: Self.capacity)
    }

    deinit {
        // `Step` is trivial: there is nothing to deinitialise.
        steps.deallocate()
    }

    /// The earliest frame of the device that can be gone back to; nil where none can.
    var earliest: Int? {
        @_noLocks @_noAllocation get { count > 0 ? steps[first].written : nil }
    }

    @_noLocks @_noAllocation
    mutating func append(_ step: Step) {
        if count == RenderTrail.capacity {
            first = (first + 1) % RenderTrail.capacity
            count -= 1
        }
        (steps + (first + count) % RenderTrail.capacity).initialize(to: step)
        count += 1
    }

    /// What comes next cannot be undone.
    @_noLocks @_noAllocation
    mutating func forget() {
        count = 0
    }

    /// The last step at `frame` or before; it and those after it are forgotten.
    @_noLocks @_noAllocation
    mutating func takeLast(at frame: Int) -> Step? {
        while count > 0 {
            count -= 1
            let step = steps[(first + count) % RenderTrail.capacity]
            if step.written <= frame { return step }
        }
        return nil
    }
}

/// The state of the render thread before each of the last blocks that it wrote. The thread uses it to render frames
/// again that the device has not played yet. The history has a fixed size. Use it from the render thread only.
struct RenderHistory: ~Copyable {
    /// The state before a block, which contains everything that rendering and writing the block changes.
    struct Step {
        let core: RenderCheckpoint
        let output: OutputPosition

        // Declare this initializer because the compiler rejects the implicit one, which lacks these attributes, unless
        // it is inlined.
        @_noLocks @_noAllocation
        init(core: RenderCheckpoint, output: OutputPosition) {
            self.core = core
            self.output = output
        }
    }

    /// The number of steps. It is greater than the number of blocks that the device holds at once. A new step replaces
    /// the oldest one.
    // This is not a stored property because debug builds initialise stored properties behind a lock.
    private static var capacity: Int { @_noLocks @_noAllocation get { 64 } }
    private let steps: UnsafeMutablePointer<Step>
    private var first = 0
    private var count = 0

    init() {
        steps = .allocate(capacity: Self.capacity)
    }

    deinit {
        // `Step` is trivial, so it need not be deinitialised.
        steps.deallocate()
    }

    /// The earliest frame of the device that can be rendered again, or nil if there is none.
    var earliest: Int? {
        @_noLocks @_noAllocation get { count > 0 ? steps[first].output.written : nil }
    }

    @_noLocks @_noAllocation
    mutating func append(_ step: Step) {
        if count == RenderHistory.capacity {
            first = (first + 1) % RenderHistory.capacity
            count -= 1
        }
        (steps + (first + count) % RenderHistory.capacity).initialize(to: step)
        count += 1
    }

    /// Removes all steps, so that nothing written so far is rendered again.
    @_noLocks @_noAllocation
    mutating func forget() {
        count = 0
    }

    /// Removes all steps after `frame`.
    /// - Returns: true if a step is left.
    @_noLocks @_noAllocation
    mutating func removeSteps(after frame: Int) -> Bool {
        while count > 0, steps[(first + count - 1) % RenderHistory.capacity].output.written > frame { count -= 1 }
        return count > 0
    }

    /// Removes the last step.
    /// - Precondition: there is a step.
    // The result is not optional, because Swift 6.0's debug builds cannot compile an optional of this size here.
    @_noLocks @_noAllocation
    mutating func takeLast() -> Step {
        count -= 1
        return steps[(first + count) % RenderHistory.capacity]
    }
}

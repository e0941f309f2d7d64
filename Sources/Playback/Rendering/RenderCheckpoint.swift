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

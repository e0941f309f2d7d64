import ALSA

extension RenderLoop {
    /// - Returns: whether something has changed by them.
    @_noLocks @_noAllocation
    mutating func takeOrders() -> Bool {
        var newest = Orders()
        // Whoever is posting rings the bell when it is done.
        guard lines.orders.read(into: &newest) else { return false }
        let old = orders
        orders = newest
        if newest.losses != losses, standstill.isFed { giveUp() }
        guard standstill.isFed else {
            // Lets go of the programme, and obeys nothing: the next device will.
            if newest.slotNumber != old.slotNumber { change(to: newest) }
            return false
        }
        let isAudible =
            newest.directive != old.directive || newest.slotNumber != old.slotNumber
        if isAudible {
            takeBack()
            // What is ordered now is not to be undone.
            trail.forget()
        }
        // What falls silent fades out before it is jumped away from; what plays plays the new programme.
        if newest.plays == 0 { obey(newest, after: old) }
        if newest.slotNumber != old.slotNumber { change(to: newest) }
        if newest.plays != 0 { obey(newest, after: old) }
        if newest.openings != old.openings { silentFrames = 0 }
        return isAudible
    }

    @_noLocks @_noAllocation
    private mutating func obey(_ newest: Orders, after old: Orders) {
        // What is to be played may have been without a programme so far.
        guard newest.directive != old.directive || (newest.plays != 0 && isStopped) else { return }
        let rate = configuration.format.rate
        let ramp = newest.ramp / 1000 * rate / 1_000_000
        status.directive = newest.directive
        if newest.plays == 0 {
            if core.silence(over: ramp) { tell(.faded, newest.directive) }
        } else if slot(of: newest) != nil {
            core.play(gain: Float(bitPattern: UInt32(truncatingIfNeeded: newest.gain)), over: ramp)
        } else {
            return
        }
        unheardDirective = newest.directive
    }

    var isStopped: Bool {
        @_noLocks @_noAllocation get { core.state.isStopped }
    }

    @_noLocks @_noAllocation
    private mutating func change(to newest: Orders) {
        hasChanged = true
        status.slotNumber = newest.slotNumber
        notifiedBoundary = Int.max
        isStorageAwake = false
        status.hasSlot = 0
        if let slot = slot(of: newest) {
            status.hasSlot = 1
            if core.jump(to: slot.pointee.reader) { tell(.faded, newest.directive) }
        } else {
            if core.jump(to: empty) { tell(.faded, newest.directive) }
            core.finish()
        }
        beginRun()
    }

    /// The slot ordered, if it is one for this device.
    @_noLocks @_noAllocation
    func slot(of orders: Orders) -> UnsafePointer<DeckSlot>? {
        guard orders.losses == losses, let slot = UnsafePointer<DeckSlot>(bitPattern: orders.slot),
            slot.pointee.format.rate == configuration.format.rate,
            slot.pointee.format.channels == configuration.format.channels
        else { return nil }
        return slot
    }
}

import ALSA
import CRealTime

extension RenderLoop {
    /// Carries out the newest orders.
    /// - Returns: whether they changed what is heard.
    @_noLocks @_noAllocation
    mutating func takeOrders() -> Bool {
        var newest = Orders()
        // If control is just posting, it wakes this thread when it is done.
        guard lines.orders.read(into: &newest) else { return false }
        let old = orders
        orders = newest
        if newest.losses != losses, standstill.isFed { giveUp() }
        guard standstill.isFed else {
            // Release the programme and the sound, and leave the rest of the orders to the next device.
            if newest.slotNumber != old.slotNumber { change(to: newest) }
            if newest.soundNumber != old.soundNumber {
                core.clearSound()
                status.soundNumber = newest.soundNumber
            }
            return false
        }
        let hasNewSound = newest.soundNumber != old.soundNumber
        let isAudible =
            newest.directive != old.directive || newest.slotNumber != old.slotNumber || hasNewSound
        if isAudible {
            rewind()
            // Nothing before these orders can be rendered again.
            trail.forget()
            queue.restart()
        }
        // Silence before the jump, so that the old programme fades out; but play after it, so that the new one plays.
        if newest.plays == 0 { obey(newest, after: old) }
        if newest.slotNumber != old.slotNumber { change(to: newest) }
        if newest.plays != 0 { obey(newest, after: old) }
        if hasNewSound { changeSound(newest) }
        if newest.openings != old.openings { silentFrames = 0 }
        return isAudible
    }

    @_noLocks @_noAllocation
    private mutating func obey(_ newest: Orders, after old: Orders) {
        // An order to play that came without a programme takes effect once there is one.
        guard newest.directive != old.directive || (newest.plays != 0 && isStopped) else { return }
        let rate = configuration.format.rate
        let ramp = newest.ramp / 1000 * rate / 1_000_000
        let begins = isStopped
        status.directive = newest.directive
        if newest.plays == 0 {
            if core.silence(over: ramp) { notify(.faded, newest.directive) }
        } else if slot(of: newest) != nil {
            core.play(
                gain: Float(bitPattern: UInt32(truncatingIfNeeded: newest.gain)), over: ramp,
                after: wait(until: newest.notBefore))
        } else {
            return
        }
        unheardDirective = newest.directive
        // Another order during the wait takes effect at once: nothing is heard yet.
        isEffectWaiting = begins && core.hold > 0
    }

    /// Frames until this time. The next frame written is heard later, by what the device holds: so nothing is too early.
    @_noLocks @_noAllocation
    private func wait(until time: Int) -> Int {
        // Limited like a ramp.
        let nanoseconds = min(max(0, time - Int(realtime_now())), 3_600_000_000_000)
        return (nanoseconds + 999) / 1000 * configuration.format.rate / 1_000_000
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
            if core.jump(to: slot.pointee.reader) { notify(.faded, newest.directive) }
        } else {
            if core.jump(to: empty) { notify(.faded, newest.directive) }
            core.finish()
        }
        beginRun()
    }

    @_noLocks @_noAllocation
    private mutating func changeSound(_ newest: Orders) {
        hasChanged = true
        status.soundNumber = newest.soundNumber
        unheardSound = 0
        unfinishedSound = 0
        guard let sound = UnsafePointer<SoundSlot>(bitPattern: newest.sound), newest.losses == losses,
            sound.pointee.format.rate == configuration.format.rate,
            sound.pointee.format.channels == configuration.format.channels
        else {
            core.stopSound()
            return
        }
        unheardSound = sound.pointee.number
        unfinishedSound = sound.pointee.number
        // As for a ramp, so that both end with the same frame.
        core.playSound(sound.pointee.reader, from: -(newest.soundWait / 1000 * configuration.format.rate / 1_000_000))
    }

    /// The slot in the orders, if it was made for this device.
    @_noLocks @_noAllocation
    func slot(of orders: Orders) -> UnsafePointer<DeckSlot>? {
        guard orders.losses == losses, let slot = UnsafePointer<DeckSlot>(bitPattern: orders.slot),
            slot.pointee.format.rate == configuration.format.rate,
            slot.pointee.format.channels == configuration.format.channels
        else { return nil }
        return slot
    }
}

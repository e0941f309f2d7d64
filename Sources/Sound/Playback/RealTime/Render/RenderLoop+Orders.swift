import ALSA
import CRealTime

extension RenderLoop {
    /// Executes the newest orders.
    /// - Returns: true if they changed the output.
    @_noLocks @_noAllocation
    mutating func takeOrders() -> Bool {
        var newest = orders
        // If control is posting at the moment, it wakes this thread when it has finished.
        guard lines.orders.read(into: &newest) else { return false }
        let old = orders
        orders = newest
        if newest.device.losses != losses, standstill.isFed { giveUp() }
        guard standstill.isFed else {
            // Release the music and the sound, and leave the other orders to the next device.
            if newest.buffer.number != old.buffer.number { change(to: newest) }
            status.done.source = newest.source.number
            if newest.sound.number != old.sound.number {
                core.clearSound()
                status.done.sound = newest.sound.number
            }
            status.done.page = newest.page.number
            return false
        }
        let hasNewSound = newest.sound.number != old.sound.number
        let hasNewSource = newest.source.number != old.source.number
        let hasNewPage = newest.page.number != old.page.number
        let hasNewLevel = newest.sound.levels != old.sound.levels
        let isAudible =
            newest.playback.number != old.playback.number || newest.buffer.number != old.buffer.number || hasNewSound
            || hasNewSource || hasNewPage || hasNewLevel
        if isAudible {
            rewind()
            // Frames before these orders can no longer be rendered again.
            history.forget()
            queue.restart()
        }
        if hasNewSource { changeSource(newest) }
        // Execute an order to be silent before the jump, so that the old music fades out. Execute an order to play
        // after the jump, so that the new music plays.
        if newest.playback.plays == 0 { execute(newest, after: old) }
        if newest.buffer.number != old.buffer.number { change(to: newest) }
        if newest.playback.plays != 0 { execute(newest, after: old) }
        if hasNewSound {
            changeSound(newest)
        } else if hasNewLevel {
            core.setSoundLevel(
                to: gain(newest.sound.level), over: newest.sound.ramp / 1000 * configuration.format.rate / 1_000_000)
        }
        if hasNewPage { changePage(newest) }
        if newest.device.openings != old.device.openings { status.output.silentFrames = 0 }
        return isAudible
    }

    @_noLocks @_noAllocation
    private mutating func changeSource(_ newest: Orders) {
        reports.hasChanged = true
        status.done.source = newest.source.number
        let fade = newest.source.fadeOut / 1000 * configuration.format.rate / 1_000_000
        if newest.source.isInput == 0 {
            core.selectLibrary(over: fade)
        } else if let slot = input(at: newest.source.slot) {
            core.select(slot.pointee.reader, over: fade)
        } else {
            core.selectNothing(over: fade)
        }
    }

    @_noLocks @_noAllocation
    private mutating func changePage(_ newest: Orders) {
        reports.hasChanged = true
        status.done.page = newest.page.number
        guard newest.device.losses == losses, let slot = input(at: newest.page.slot) else { return core.stopPage() }
        // Calculate the wait in the same way as that of a sound.
        core.playPage(slot.pointee.reader, after: newest.page.wait / 1000 * configuration.format.rate / 1_000_000)
    }

    /// Returns the live input with this address, or nil if there is none or it was made for another device.
    @_noLocks @_noAllocation
    private func input(at address: Int) -> UnsafePointer<LiveSlot>? {
        guard let slot = UnsafePointer<LiveSlot>(bitPattern: address),
            slot.pointee.format.rate == configuration.format.rate,
            slot.pointee.format.channels == configuration.format.channels
        else { return nil }
        return slot
    }

    @_noLocks @_noAllocation
    private mutating func execute(_ newest: Orders, after old: Orders) {
        let order = newest.playback
        // An order to play without any music takes effect once there is music.
        guard order.number != old.playback.number || (order.plays != 0 && isStopped) else { return }
        let rate = configuration.format.rate
        let ramp = order.ramp / 1000 * rate / 1_000_000
        let begins = isStopped
        status.done.playback = order.number
        if order.plays == 0 {
            if core.silence(over: ramp) { reports.faded = order.number }
        } else if core.live.isSelected ? core.live.selected.hasInput : slot(of: newest) != nil {
            core.play(
                gain: gain(order.gain), over: ramp,
                after: wait(until: order.notBefore))
        } else {
            return
        }
        unheard.playback = order.number
        // If another order arrives during the wait, it takes effect at once, because nothing is heard yet.
        unheard.isWaiting = begins && core.hold > 0
        guard begins else { return }
        // A track of which nothing is left ends again, but only after the wait.
        status.output.wait(leadIn + core.hold)
        reports.boundary = Int.max
    }

    /// Returns the number of frames until this time. The next frame written is heard later than now, because the device
    /// plays its queued frames first. Therefore, no frame is heard too early.
    @_noLocks @_noAllocation
    private func wait(until time: Int) -> Int {
        // Limit the wait in the same way as a ramp.
        let nanoseconds = min(max(0, time - Int(realtime_now())), 3_600_000_000_000)
        return (nanoseconds + 999) / 1000 * configuration.format.rate / 1_000_000
    }

    var isStopped: Bool {
        @_noLocks @_noAllocation get { core.sourceState.isStopped }
    }

    @_noLocks @_noAllocation
    private mutating func change(to newest: Orders) {
        reports.hasChanged = true
        status.done.buffer = newest.buffer.number
        reports.boundary = Int.max
        reports.isStorageAwake = false
        status.hasSlot = 0
        if let slot = slot(of: newest) {
            status.hasSlot = 1
            if core.jump(to: slot.pointee.reader) { reports.faded = newest.playback.number }
        } else {
            if core.jump(to: empty) { reports.faded = newest.playback.number }
            core.finish()
        }
        status.output.beginRun(at: core.ring.readIndex)
    }

    @_noLocks @_noAllocation
    private mutating func changeSound(_ newest: Orders) {
        reports.hasChanged = true
        status.done.sound = newest.sound.number
        unheard.soundStart = 0
        unheard.soundEnd = 0
        guard let sound = UnsafePointer<SoundSlot>(bitPattern: newest.sound.slot), newest.device.losses == losses,
            sound.pointee.format.rate == configuration.format.rate,
            sound.pointee.format.channels == configuration.format.channels
        else {
            core.stopSound()
            return
        }
        unheard.soundStart = sound.pointee.call
        unheard.soundEnd = sound.pointee.call
        // Calculate the wait in the same way as a ramp, so that both end with the same frame.
        core.playSound(
            sound.pointee.reader, from: -(newest.sound.wait / 1000 * configuration.format.rate / 1_000_000),
            level: GainRamp(gain: gain(newest.sound.level)))
    }

    /// Returns the gain with this bit pattern.
    @_noLocks @_noAllocation
    private func gain(_ pattern: Int) -> Float { Float(bitPattern: UInt32(truncatingIfNeeded: pattern)) }

    /// Returns the slot in the orders, or nil if it was made for another device.
    @_noLocks @_noAllocation
    func slot(of orders: Orders) -> UnsafePointer<BufferSlot>? {
        guard orders.device.losses == losses, let slot = UnsafePointer<BufferSlot>(bitPattern: orders.buffer.slot),
            slot.pointee.format.rate == configuration.format.rate,
            slot.pointee.format.channels == configuration.format.channels
        else { return nil }
        return slot
    }
}

import ALSA
import CRealTime

extension RenderLoop {
    @_noLocks @_noAllocation
    func notify(_ kind: Note.Kind, _ number: Int) {
        lines.notes.push(Note(kind: kind, number: number))
        realtime_wake(lines.control)
    }

    /// Reports when the directive is heard: its first changed frame is the first one of the block just written.
    @_noLocks @_noAllocation
    mutating func notifyEffect() {
        guard unheardDirective != 0 else { return }
        let time = status.time + status.delay * 1_000_000_000 / configuration.format.rate
        lines.notes.push(Note(kind: .effect, number: unheardDirective, frame: status.written, time: time))
        realtime_wake(lines.control)
        unheardDirective = 0
    }

    /// Reports when the sound's first frame is heard, if it is among those just written.
    /// - Parameter position: the sound's position before them.
    @_noLocks @_noAllocation
    mutating func notifySound(from position: Int) {
        guard unheardSound != 0, core.voice.position > 0 else { return }
        let offset = max(0, -position)
        let time = status.time + (status.delay + offset) * 1_000_000_000 / configuration.format.rate
        lines.notes.push(Note(kind: .soundHeard, number: unheardSound, frame: status.written + offset, time: time))
        realtime_wake(lines.control)
        unheardSound = 0
    }

    /// Reports when the sound's last frame has been heard.
    @_noLocks @_noAllocation
    mutating func notifySoundEnd() {
        guard unfinishedSound != 0, let end = core.voice.end, core.voice.position - status.delay >= end else { return }
        notify(.soundEnded, unfinishedSound)
        unfinishedSound = 0
    }

    @_noLocks @_noAllocation
    mutating func notifyBoundary() {
        guard let slot = slot(of: orders) else { return }
        let boundary = slot.pointee.boundary.value
        guard status.heardIndex(at: status.time, rate: configuration.format.rate) >= boundary else {
            // A boundary heard during a fade-out lies ahead again afterwards, and is reported once more.
            notifiedBoundary = Int.max
            return
        }
        guard boundary != notifiedBoundary else { return }
        notifiedBoundary = boundary
        notify(.boundary, 0)
    }

    @_noLocks @_noAllocation
    mutating func wakeStorage() {
        guard let slot = slot(of: orders), core.ring.endIndex == nil else { return }
        let isLow = core.ring.readableFrames < slot.pointee.lowWater
        if isLow, !isStorageAwake { realtime_wake(lines.storage) }
        isStorageAwake = isLow
    }
}

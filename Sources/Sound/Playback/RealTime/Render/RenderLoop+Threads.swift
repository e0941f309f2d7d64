import ALSA
import CRealTime

extension RenderLoop {
    @_noLocks @_noAllocation
    func tell(_ kind: Note.Kind, _ number: Int) {
        lines.notes.push(Note(kind: kind, number: number))
        realtime_wake(lines.control)
    }

    /// The first frame of the block written last is the first that a directive changed.
    @_noLocks @_noAllocation
    mutating func tellEffect() {
        guard unheardDirective != 0 else { return }
        let time = status.time + status.delay * 1_000_000_000 / configuration.format.rate
        lines.notes.push(Note(kind: .effect, number: unheardDirective, frame: status.written, time: time))
        realtime_wake(lines.control)
        unheardDirective = 0
    }

    @_noLocks @_noAllocation
    mutating func tellBoundary() {
        guard let slot = slot(of: orders) else { return }
        let boundary = slot.pointee.boundary.value
        guard status.heardIndex(at: status.time, rate: configuration.format.rate) >= boundary else {
            // It may have been heard in a fade-out, and come once more.
            notifiedBoundary = Int.max
            return
        }
        guard boundary != notifiedBoundary else { return }
        notifiedBoundary = boundary
        tell(.boundary, 0)
    }

    @_noLocks @_noAllocation
    mutating func wakeStorage() {
        guard let slot = slot(of: orders), core.ring.endIndex == nil else { return }
        let isLow = core.ring.readableFrames < slot.pointee.lowWater
        if isLow, !isStorageAwake { realtime_wake(lines.storage) }
        isStorageAwake = isLow
    }
}

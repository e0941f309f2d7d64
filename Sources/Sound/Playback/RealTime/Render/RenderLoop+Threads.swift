import ALSA
import CRealTime

extension RenderLoop {
    @_noLocks @_noAllocation
    func notify(_ kind: RenderEvent.Kind, _ number: Int) {
        lines.events.push(RenderEvent(kind: kind, number: number))
        realtime_wake(lines.control)
    }

    /// Reports the time at which the playback order is heard. The first frame that it changes is the first frame of the
    /// block just written.
    @_noLocks @_noAllocation
    mutating func notifyEffect() {
        guard unheard.isEffectDue else { return }
        let time = status.time + status.delay * 1_000_000_000 / configuration.format.rate
        lines.events.push(
            RenderEvent(kind: .effect, number: unheard.playback, frame: status.output.written, time: time))
        realtime_wake(lines.control)
        unheard.playback = 0
    }

    /// Reports the time at which the sound's first frame is heard, if this frame is one of the frames just written.
    /// - Parameter position: the sound's position before these frames.
    @_noLocks @_noAllocation
    mutating func notifySound(from position: Int) {
        guard unheard.soundStart != 0, core.voice.position > 0 else { return }
        let offset = max(0, -position)
        let time = status.time + (status.delay + offset) * 1_000_000_000 / configuration.format.rate
        let frame = status.output.written + offset
        lines.events.push(RenderEvent(kind: .soundHeard, number: unheard.soundStart, frame: frame, time: time))
        realtime_wake(lines.control)
        unheard.soundStart = 0
    }

    /// Reports when the sound's last frame has been heard.
    @_noLocks @_noAllocation
    mutating func notifySoundEnd() {
        guard unheard.soundEnd != 0, let end = core.voice.end, core.voice.position - status.delay >= end else { return }
        notify(core.voice.isBroken ? .soundBroken : .soundEnded, unheard.soundEnd)
        unheard.soundEnd = 0
    }

    @_noLocks @_noAllocation
    mutating func notifyAudibility() {
        device.serve(hasSound: orders.hasSound, insists: orders.hasCue)
        let audibility = device.audibility
        guard audibility != reports.audibility else { return }
        reports.audibility = audibility
        notify(.audibility, audibility)
    }

    @_noLocks @_noAllocation
    mutating func notifyBoundary() {
        guard let slot = slot(of: orders) else { return }
        let boundary = slot.pointee.boundary.value
        let rate = configuration.format.rate
        let index = status.heardIndex(at: status.time, rate: rate)
        guard index > boundary || index == boundary && status.hasWaited(at: status.time, rate: rate) else {
            // If a boundary is heard during a fade-out, playback passes it again later, so the boundary must be
            // reported once more.
            reports.boundary = Int.max
            return
        }
        guard boundary != reports.boundary else { return }
        reports.boundary = boundary
        notify(.boundary, 0)
    }

    /// The number of frames until the next event that has to be reported or until the device has to be closed, or nil
    /// if neither is pending.
    var framesUntilReport: Int? {
        @_noLocks @_noAllocation get {
            var frames = Int.max
            if let slot = slot(of: orders), slot.pointee.boundary.value != reports.boundary {
                frames = framesUntilHeard(slot.pointee.boundary.value)
            }
            if unheard.soundEnd != 0, let end = core.voice.end {
                frames = min(frames, end - (core.voice.position - status.delay))
            }
            if orders.playback.plays == 0, status.output.silentFrames > 0 {
                let isLeaving = orders.quits != 0 || orders.device.moves != moves
                let idleTime = orders.device.releases == 0 && !isLeaving ? idleFrames : 0
                frames = min(frames, idleTime + status.delay - status.output.silentFrames)
            }
            return frames < Int.max / 2 ? max(0, frames) : nil
        }
    }

    /// Returns the number of frames until the music's frame with this ring index is heard, or `Int.max` if it has not
    /// been written.
    @_noLocks @_noAllocation
    private func framesUntilHeard(_ index: Int) -> Int {
        guard status.isRunning != 0, index <= status.continueIndex else { return Int.max }
        let frame = max(status.output.runFrame + index - status.output.runIndex, status.output.waitEnd)
        return frame - (status.output.written - status.delay)
    }

    @_noLocks @_noAllocation
    mutating func wakeStorage() {
        guard let slot = slot(of: orders), core.ring.endIndex == nil else { return }
        let isLow = core.ring.readableFrames < slot.pointee.lowWater
        if isLow, !reports.isStorageAwake { realtime_wake(lines.storage) }
        reports.isStorageAwake = isLow
    }
}

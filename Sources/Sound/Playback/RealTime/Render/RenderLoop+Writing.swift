import ALSA
import CRealTime

extension RenderLoop {
    /// Fills the device's queue up to the target if the queue has become too short.
    @_noLocks @_noAllocation
    mutating func fillUp() throws(PCMFault) {
        let start = Int(realtime_now())
        let room = try device.available()
        let now = Int(realtime_now())
        let isFed = queue.frames > 0
        delay.observe(room: room, at: now)
        let late = now - status.time > queue.frames * 1_000_000_000 / configuration.format.rate
        queue.frames = max(0, configuration.bufferFrames - room)
        // A sound server neither stops nor returns an error when it runs dry.
        if queue.frames == 0, isFed, late { underrun() }
        observePosition(filled: queue.frames, from: start, at: now)
        if delay.isDue(isUrgent: unheard.isEffectDue, at: now) { queryDelay(now) }
        status.delay = queue.frames + delay.frames
        status.time = now
        queue.look(at: now)
        if queue.wantsFrames { try fill(at: now) }
        eraseStaleFrames()
    }

    @_noLocks @_noAllocation
    private mutating func fill(at now: Int) throws(PCMFault) {
        queue.isHeldBack = false
        while queue.frames < queue.target {
            // On a slow processor, rendering a ramp takes time, but rendering a block must not take longer than the
            // queue lasts.
            let limit = queue.hasRewound ? min(max(queue.frames, shortestBlock), blockFrames) : blockFrames
            var frames = min(queue.target - queue.frames, limit)
            if queue.frames >= queue.short.target {
                frames = min(frames, core.framesAhead)
                queue.isHeldBack = frames < min(shortestBlock, queue.target - queue.frames)
                if queue.isHeldBack { return }
            }
            let count = leadIn > 0 ? try writeLeadIn(min(frames, leadIn)) : try write(frames)
            queue.frames += count
            status.delay += count
            acceptsFrames(at: now)
            acceptance.recoveries = 0
        }
        queue.advance()
    }

    /// Queries the delay that is added to the queue before the next frame written is heard.
    @_noLocks @_noAllocation
    private mutating func queryDelay(_ now: Int) {
        // A sound server can report its delay only after it has played something. Until then, the loop soon queries it
        // again. If the query fails for another reason, the next write also fails and handles the error.
        do throws(PCMFault) {
            delay.update(try device.delay(), queued: queue.frames, at: now)
        } catch {}
    }

    /// Renders and writes one block.
    /// - Returns: the number of frames that the device accepted.
    @_noLocks @_noAllocation
    mutating func write(_ frames: Int) throws(PCMFault) -> Int {
        // A block belongs either entirely to the wait or entirely to the music, so that frames can be mapped to
        // positions.
        let isWaiting = core.hold > 0
        let frames = isWaiting ? min(frames, core.hold) : frames
        if core.prepareSound(frames: frames) { history.forget() }
        if core.setLiveTime(delay: status.delay, at: status.time) { history.forget() }
        let step = currentStep
        let isPlaying = !core.isSilent || orders.playback.plays != 0
        var hasFaded = render(frames)
        let count: Int
        do throws(PCMFault) {
            count = try device.write(encoded, frames: frames)
        } catch {
            core.restore(step.core)
            throw error
        }
        if count < frames {
            // Render again, but only the frames that the device accepted.
            core.restore(step.core)
            hasFaded = render(count)
        }
        if !isWaiting { unheard.isWaiting = false }
        notifyEffect()
        notifySound(from: step.core.voice.position)
        if hasFaded { reports.faded = status.done.playback }
        queue.pass(count)
        account(for: count, since: step.core.readIndex, isPlaying: isPlaying)
        // Music that waits for the amplifier is treated as advancing.
        if isWaiting { advance(by: count) }
        // Clear the history after a fade has ended, because this has been reported and must remain valid. Also clear it
        // after the ring has run dry, because the ring may have been filled since, and rendering again would produce
        // different frames.
        if hasFaded || core.isStarving || core.isLiveStarving {
            history.forget()
        } else {
            history.append(step)
        }
        return count
    }

    @_noLocks @_noAllocation
    private mutating func writeLeadIn(_ frames: Int) throws(PCMFault) -> Int {
        encodeSilence(frames)
        let count = try device.write(encoded, frames: frames)
        leadIn -= count
        status.output.passLeadIn(count)
        return count
    }

    @_noLocks @_noAllocation
    func encodeSilence(_ frames: Int) {
        // Silence is zero in every format because all formats are signed.
        encoded.assumingMemoryBound(to: UInt8.self).update(repeating: 0, count: frames * configuration.bytesPerFrame)
    }

    @_noLocks @_noAllocation
    mutating func render(_ frames: Int) -> Bool {
        let hasFaded = core.render(into: mixed, frames: frames)
        configuration.sampleFormat.encode(mixed, to: encoded, count: frames * configuration.format.channels)
        return hasFaded
    }

    /// Maps the device's frames to the frames of the music.
    /// - Parameter isPlaying: true if these frames are audible or an order to play is in effect.
    @_noLocks @_noAllocation
    mutating func account(for count: Int, since readIndex: Int, isPlaying: Bool) {
        let taken = core.ring.readIndex - readIndex
        // An input counts as advancing even if nothing arrives, because that is not a fault of the device.
        if taken > 0 || !core.live.isSilent { advance(by: count) }
        status.output.pass(count, taken: taken, from: readIndex, isPlaying: isPlaying)
        if core.isStarving != reports.isStarving {
            reports.isStarving = core.isStarving
            notify(core.isStarving ? .starving : .fed, 0)
        }
    }

    /// Records that music is heard until the device has played `count` more frames.
    @_noLocks @_noAllocation
    private mutating func advance(by count: Int) {
        let nanoseconds = (status.delay + count) * 1_000_000_000 / configuration.format.rate
        status.advancesUntil = status.time + nanoseconds + 300_000_000
    }

    @_noLocks @_noAllocation
    mutating func acceptsFrames(at now: Int) {
        status.signs.acceptedAt = now
        // A short queue is refilled often, so the alarm is not postponed each time. Control then finds that the device
        // has accepted frames since.
        guard now - acceptance.postponedAt >= stallTimeout / 8 else { return }
        acceptance.postponedAt = now
        lines.deviceAlarm.set(after: stallTimeout)
    }
}

import ALSA
import CRealTime

extension RenderLoop {
    /// Fills the device's queue up to the mark, if it has fallen low.
    @_noLocks @_noAllocation
    mutating func fillUp() throws(PCMFault) {
        let room = try device.available()
        let now = Int(realtime_now())
        let isFed = queued > 0
        if room != lastRoom { movedAt = now }
        lastRoom = room
        let late = now - status.time > queued * 1_000_000_000 / configuration.format.rate
        queued = max(0, configuration.bufferFrames - room)
        // A sound server neither stops nor reports an error when it runs dry.
        if queued == 0, isFed, late { underrun() }
        observeStep(at: now)
        // Calls are the most expensive part of a sound server's plug-in, so do not query the delay every time. Nor
        // query it while nothing moves: it has not changed, and a server that has stopped does not answer.
        let isEffectDue = unheardDirective != 0 && !isEffectWaiting
        if now - movedAt < 50_000_000, isEffectDue || now - delayQueriedAt > 100_000_000 { queryDelay(now) }
        status.delay = queued + delayBeyondQueue
        status.time = now
        if queue.isShort, queued < queue.target || now >= dueAt {
            dueAt = now + queue.pause(isEarly: queued >= queue.target)
        }
        // A long queue consists of few long blocks, so that the trail covers all of them.
        if queued <= queue.low || hasRewound || isHeldBack || queue.isShort { try fill(at: now) }
        hasRewound = false
    }

    @_noLocks @_noAllocation
    private mutating func fill(at now: Int) throws(PCMFault) {
        isHeldBack = false
        while queued < queue.target {
            // On a slow processor a ramp takes time: rendering a block must not take longer than the queue lasts.
            let limit = hasRewound ? min(max(queued, shortestBlock), blockFrames) : blockFrames
            var frames = min(queue.target - queued, limit)
            if queued >= queue.short.target {
                frames = min(frames, core.framesAhead)
                isHeldBack = frames < min(shortestBlock, queue.target - queued)
                if isHeldBack { return }
            }
            let count = leadIn > 0 ? try writeLeadIn(min(frames, leadIn)) : try write(frames)
            queued += count
            status.delay += count
            acceptsFrames(at: now)
            recoveries = 0
        }
        queue.advance()
    }

    /// Queries how long the next frame written will take to be heard, in addition to the queue.
    @_noLocks @_noAllocation
    private mutating func queryDelay(_ now: Int) {
        // A sound server does not know its delay before it has played something: then the loop soon queries it again.
        // If the query fails for another reason, the next write fails, too, and handles it.
        do throws(PCMFault) {
            delayBeyondQueue = max(0, try device.delay() - queued)
            delayQueriedAt = now
        } catch {}
    }

    /// Renders and writes one block.
    /// - Returns: the number of frames that the device took.
    @_noLocks @_noAllocation
    mutating func write(_ frames: Int) throws(PCMFault) -> Int {
        // A block is either all wait or all programme, so that frames map to positions.
        let isWaiting = core.hold > 0
        let frames = isWaiting ? min(frames, core.hold) : frames
        if core.prepareSound(frames: frames) { trail.forget() }
        let step = currentStep
        let isPlaying = !core.isSilent || orders.plays != 0
        var hasFaded = render(frames)
        let count: Int
        do throws(PCMFault) {
            count = try device.write(encoded, frames: frames)
        } catch {
            core.restore(step.core)
            throw error
        }
        if count < frames {
            // Render again, only the frames that the device took.
            core.restore(step.core)
            hasFaded = render(count)
        }
        if !isWaiting { isEffectWaiting = false }
        if !isEffectWaiting { notifyEffect() }
        notifySound(from: step.core.voice.position)
        if hasFaded { notify(.faded, status.directive) }
        queue.pass(count)
        account(for: count, since: step.core.readIndex, isPlaying: isPlaying)
        // A programme that waits for the amplifier has not stalled.
        if isWaiting { advance(by: count) }
        // A reported end of a fade must stay true; and a ring that ran dry can have been filled since, so that the same
        // frames would not be rendered again.
        if hasFaded || core.isStarving {
            trail.forget()
        } else {
            trail.append(step)
        }
        return count
    }

    @_noLocks @_noAllocation
    private mutating func writeLeadIn(_ frames: Int) throws(PCMFault) -> Int {
        encodeSilence(frames)
        let count = try device.write(encoded, frames: frames)
        leadIn -= count
        status.written += count
        status.runFrame = status.written
        return count
    }

    @_noLocks @_noAllocation
    func encodeSilence(_ frames: Int) {
        // Silence is zero in every format, as all are signed.
        encoded.assumingMemoryBound(to: UInt8.self).update(repeating: 0, count: frames * configuration.bytesPerFrame)
    }

    @_noLocks @_noAllocation
    mutating func render(_ frames: Int) -> Bool {
        let hasFaded = core.render(into: mixed, frames: frames)
        configuration.sampleFormat.encode(mixed, to: encoded, count: frames * configuration.format.channels)
        return hasFaded
    }

    /// Notes that the programme continues with the next frame written.
    @_noLocks @_noAllocation
    mutating func beginRun() {
        status.runFrame = status.written
        status.runIndex = core.ring.readIndex
        isRunBroken = false
    }

    /// Maps the device's frames to the programme's.
    /// - Parameter isPlaying: whether these frames are audible, or playing was ordered.
    @_noLocks @_noAllocation
    mutating func account(for count: Int, since readIndex: Int, isPlaying: Bool) {
        silentFrames = isPlaying ? 0 : silentFrames + count
        let taken = core.ring.readIndex - readIndex
        if taken > 0 { advance(by: count) }
        if isRunBroken, taken > 0 {
            status.runFrame = status.written
            status.runIndex = readIndex
        }
        // The previous run is still being heard, so the next one begins only with the programme's next frame.
        isRunBroken = taken != count
        status.written += count
        if core.isStarving != wasStarving {
            wasStarving = core.isStarving
            notify(wasStarving ? .starving : .fed, 0)
        }
    }

    /// Notes that the programme is heard until the device has played `count` more frames.
    @_noLocks @_noAllocation
    private mutating func advance(by count: Int) {
        let nanoseconds = (status.delay + count) * 1_000_000_000 / configuration.format.rate
        status.advancesUntil = status.time + nanoseconds + 300_000_000
    }

    @_noLocks @_noAllocation
    mutating func acceptsFrames(at now: Int) {
        writtenAt = now
        status.acceptedAt = now
    }
}

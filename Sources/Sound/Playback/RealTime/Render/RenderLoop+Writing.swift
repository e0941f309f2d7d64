import ALSA
import CRealTime

extension RenderLoop {
    /// Fills the device's queue up to the mark.
    @_noLocks @_noAllocation
    mutating func fillUp() throws(PCMFault) {
        let room = try device.available()
        let now = Int(realtime_now())
        let isFed = queued > 0
        if room != lastRoom { movedAt = now }
        lastRoom = room
        let late = now - status.time > queued * 1_000_000_000 / configuration.format.rate
        queued = max(0, configuration.bufferFrames - room)
        // Sound servers do not stop when they run dry, and do not tell.
        if queued == 0, isFed, late { underrun() }
        // Its own calls are what a sound server's plug-in costs most: what it adds to the queue is not asked every time.
        // While nothing moves there is nothing to learn, and a server that has stopped does not answer.
        if now - movedAt < 50_000_000, unheardDirective != 0 || now - delayAskedAt > 100_000_000 { askDelay(now) }
        status.delay = queued + beyond
        status.time = now
        while queued < queue.target {
            // A slow processor takes a while for a ramp: it must not take longer than what is left lasts.
            let frames = min(queue.target - queued, isShort ? max(queued, shortestBlock) : blockFrames)
            let count = leadIn > 0 ? try writeLeadIn(min(frames, leadIn)) : try write(frames)
            queued += count
            status.delay += count
            acceptsFrames(at: now)
            recoveries = 0
        }
        isShort = false
    }

    /// How long the next frame written will take to be heard, beside the queue.
    @_noLocks @_noAllocation
    private mutating func askDelay(_ now: Int) {
        // Sound servers do not know it before they have played something: then it is asked again soon. If it is for
        // another reason that it cannot be had, the next write will tell.
        do throws(PCMFault) {
            beyond = max(0, try device.delay() - queued)
            delayAskedAt = now
        } catch {}
    }

    /// Renders and writes one block.
    /// - Returns: the frames that the device took.
    @_noLocks @_noAllocation
    mutating func write(_ frames: Int) throws(PCMFault) -> Int {
        let step = here
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
            // Rendered once more, as far as it was taken.
            core.restore(step.core)
            hasFaded = render(count)
        }
        tellEffect()
        if hasFaded { tell(.faded, status.directive) }
        queue.pass(count)
        account(for: count, since: step.core.readIndex, isPlaying: isPlaying)
        // What has been told stays true; and a ring that runs dry may have been filled meanwhile.
        if hasFaded || core.isStarving { trail.forget() } else { trail.append(step) }
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
        // In every format, as all are signed.
        encoded.assumingMemoryBound(to: UInt8.self).update(repeating: 0, count: frames * configuration.bytesPerFrame)
    }

    @_noLocks @_noAllocation
    mutating func render(_ frames: Int) -> Bool {
        let hasFaded = core.render(into: mixed, frames: frames)
        configuration.sampleFormat.encode(mixed, to: encoded, count: frames * configuration.format.channels)
        return hasFaded
    }

    /// The programme goes on with the next frame written.
    @_noLocks @_noAllocation
    mutating func beginRun() {
        status.runFrame = status.written
        status.runIndex = core.ring.readIndex
        isRunBroken = false
    }

    /// Keeps the relation between the device's frames and the programme's.
    /// - Parameter isPlaying: whether these frames are more than silence, or are to be.
    @_noLocks @_noAllocation
    mutating func account(for count: Int, since readIndex: Int, isPlaying: Bool) {
        silentFrames = isPlaying ? 0 : silentFrames + count
        let taken = core.ring.readIndex - readIndex
        if taken > 0 { status.advancedAt = Int(realtime_now()) }
        if isRunBroken, taken > 0 {
            status.runFrame = status.written
            status.runIndex = readIndex
        }
        // What it was is still being heard: another run begins with the next frame of the programme only.
        isRunBroken = taken != count
        status.written += count
        if core.isStarving != wasStarving {
            wasStarving = core.isStarving
            tell(wasStarving ? .starving : .fed, 0)
        }
    }

    @_noLocks @_noAllocation
    mutating func acceptsFrames(at now: Int) {
        writtenAt = now
        status.acceptedAt = now
    }
}

import ALSA
import CRealTime

extension RenderLoop {
    /// Rewinds as many frames as possible that the device has not played yet, so that a new order takes effect sooner.
    @_noLocks @_noAllocation
    mutating func rewind() {
        guard configuration.canRewind, let earliest = history.earliest else { return }
        let start = Int(realtime_now())
        do throws(PCMFault) {
            let filled = try framesInDevice()
            observePosition(filled: filled, from: start, at: Int(realtime_now()))
            let reserved = margin.frames(played: status.output.written - filled, at: Int(realtime_now()))
            let most = min(filled - reserved, status.output.written - earliest)
            guard most > 0 else { return }
            // Encode the silence first, so that the time between rewinding and erasing is short.
            encodeSilence(min(most, blockFrames))
            let count = try withdraw(most, of: filled)
            guard count > 0 else { return }
            let end = status.output.written
            // A card plays the new frames next, so erase only as many now, and the rest later. A server must not have
            // silence behind the new frames, because it would play it instead of reporting that it has run dry.
            let erased = device.isCard ? min(count, queue.first) : count
            let missed = erase(erased)
            let now = Int(realtime_now())
            margin.took(now - start)
            queue.frames = filled - count + missed
            status.time = now
            status.delay = queue.frames + delay.frames
            rerender(from: status.output.written - count)
            if missed > 0 {
                rewoundTooLate()
                status.output.passGap(missed)
            }
            let heardUntil = now + status.delay * 1_000_000_000 / configuration.format.rate
            status.advancesUntil = min(status.advancesUntil, heardUntil + 300_000_000)
            queue.hasRewound = true
            queue.staleUntil = erased < count ? end : end - count
        } catch {
            // The next write fails with the same error and handles it.
        }
    }

    @_noLocks @_noAllocation
    private func framesInDevice() throws(PCMFault) -> Int {
        configuration.bufferFrames - (try device.available())
    }

    /// Withdraws `frames` of the `filled` frames in the device.
    /// - Returns: the number of frames that the device has really withdrawn, according to its own position.
    @_noLocks @_noAllocation
    private mutating func withdraw(_ frames: Int, of filled: Int) throws(PCMFault) -> Int {
        let count = try device.rewind(frames)
        do throws(PCMFault) {
            // In the meantime, the device may have played some frames, but it cannot have gained any.
            let excess = try framesInDevice() - (filled - count)
            guard excess > 0 else { return count }
            rewoundTooLate()
            return max(0, count - excess)
        } catch {
            // The device has run dry. The frames are rendered again nevertheless, because the device may have played
            // only a few of them.
            return count
        }
    }

    /// Overwrites rewound frames with silence. These frames are still in the device's memory. If the next frames came
    /// too late, the device would play the old frames, and they would be heard twice. A gap is better.
    /// - Precondition: `encoded` begins with silence for up to one block.
    /// - Returns: the number of silent frames that the device has begun to play in the meantime.
    @_noLocks @_noAllocation
    private mutating func erase(_ frames: Int) -> Int {
        var left = 0
        do throws(PCMFault) {
            while left < frames { left += try device.write(encoded, frames: min(frames - left, blockFrames)) }
            left -= try withdraw(left, of: try framesInDevice())
        } catch {
            // The next write fails with the same error and handles it.
            left = 0
        }
        return left
    }

    /// Overwrites the rewound frames that new ones have not replaced yet. A card would play them after a stall. This
    /// takes a while, so call it after the first new frames have been written.
    @_noLocks @_noAllocation
    mutating func eraseStaleFrames() {
        guard queue.hasRewound else { return }
        queue.hasRewound = false
        let count = queue.staleUntil - status.output.written
        guard count > 0 else { return }
        encodeSilence(min(count, blockFrames))
        let missed = erase(count)
        guard missed > 0 else { return }
        queue.frames += missed
        status.delay += missed
        status.output.passGap(missed)
    }

    /// Reports that the device had begun to play frames that were to be replaced. From now on, a rewind leaves more
    /// frames in the device.
    @_noLocks @_noAllocation
    mutating func rewoundTooLate() {
        margin.grow(at: Int(realtime_now()))
        status.lateRewinds += 1
        notify(.rewoundTooLate, margin.microseconds)
    }

    /// True if the step of the device's position is being measured.
    var isMeasuring: Bool {
        @_noLocks @_noAllocation get { configuration.canRewind && !queue.isShort && !margin.isKnown }
    }

    /// Measures the step of the device's position while it begins to play, and its lag whenever it is queried.
    /// - Parameters:
    ///   - filled: the number of frames in the device.
    ///   - start: the time before the device was queried.
    ///   - now: the time after the device was queried.
    @_noLocks @_noAllocation
    mutating func observePosition(filled: Int, from start: Int, at now: Int) {
        guard configuration.canRewind, !queue.isShort, filled > 0 else { return }
        let played = status.output.written - filled
        guard margin.observe(played: played, from: start, at: now) else { return }
        // A sound server has taken frames that are heard later, so they cannot be replaced either.
        notify(.rewindMargin, margin.microseconds + delay.frames * 1_000_000 / configuration.format.rate)
    }

    /// Restores the state at a frame of the device that the history covers, so that rendering continues from there.
    @_noLocks @_noAllocation
    mutating func rerender(from frame: Int) {
        guard history.removeSteps(after: frame) else { return }
        let step = history.takeLast()
        core.restore(step.core)
        status.output = step.output
        // Skip the frames of the block that stay in the device.
        let count = frame - step.output.written
        guard count > 0 else { return }
        let isPlaying = !core.isSilent
        _ = render(count)
        account(for: count, since: step.core.readIndex, isPlaying: isPlaying)
    }

    var currentStep: RenderHistory.Step {
        @_noLocks @_noAllocation get { RenderHistory.Step(core: core.checkpoint, output: status.output) }
    }
}

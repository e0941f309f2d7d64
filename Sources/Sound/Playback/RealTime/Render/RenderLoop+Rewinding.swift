import ALSA
import CRealTime

extension RenderLoop {
    /// Rewinds the frames that the device has not played yet, as far as it can, so that a new order is heard sooner.
    @_noLocks @_noAllocation
    mutating func rewind() {
        guard configuration.canRewind, let earliest = trail.earliest else { return }
        do throws(PCMFault) {
            let filled = configuration.bufferFrames - (try device.available())
            let most = min(filled - queue.keptByRewind, status.written - earliest)
            guard most > 0 else { return }
            // Encode first, so that no time passes between rewinding and erasing.
            encodeSilence(most)
            let count = try device.rewind(most)
            guard count > 0 else { return }
            let missed = erase(count)
            queued = filled - count + missed
            status.time = Int(realtime_now())
            status.delay = queued + delayBeyondQueue
            rerender(from: status.written - count)
            if missed > 0 {
                status.written += missed
                isRunBroken = true
            }
            hasRewound = true
        } catch {
            // The next write fails with the same error, and handles it.
        }
    }

    /// Overwrites rewound frames with silence. They are still in the device's memory: if the next frames came too late,
    /// the device would play the old ones, and the listener would hear them twice. A gap is better.
    /// - Precondition: `encoded` begins with this many frames of silence.
    /// - Returns: the number of silent frames that the device has begun to play meanwhile.
    @_noLocks @_noAllocation
    private func erase(_ frames: Int) -> Int {
        var missed = 0
        do throws(PCMFault) {
            missed = try device.write(encoded, frames: frames)
            missed -= try device.rewind(missed)
        } catch {
            // The next write fails with the same error, and handles it.
        }
        return missed
    }

    /// Restores the state at a frame of the device that the trail covers, so that rendering continues from there.
    @_noLocks @_noAllocation
    mutating func rerender(from frame: Int) {
        guard let step = trail.takeLast(at: frame) else { return }
        core.restore(step.core)
        status.written = step.written
        status.runFrame = step.runFrame
        status.runIndex = step.runIndex
        isRunBroken = step.isRunBroken
        silentFrames = step.silentFrames
        // Skip the frames of the block that stay in the device.
        let count = frame - step.written
        guard count > 0 else { return }
        let isPlaying = !core.isSilent
        _ = render(count)
        account(for: count, since: step.core.readIndex, isPlaying: isPlaying)
    }

    var currentStep: RenderTrail.Step {
        @_noLocks @_noAllocation get {
            RenderTrail.Step(
                core: core.checkpoint, written: status.written, runFrame: status.runFrame, runIndex: status.runIndex,
                isRunBroken: isRunBroken, silentFrames: silentFrames)
        }
    }
}

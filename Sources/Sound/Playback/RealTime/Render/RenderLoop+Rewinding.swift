import ALSA
import CRealTime

extension RenderLoop {
    /// Takes back what the device has not played yet, as far as it can, for an order to be heard before it.
    @_noLocks @_noAllocation
    mutating func takeBack() {
        guard configuration.canRewind, let earliest = trail.earliest else { return }
        do throws(PCMFault) {
            let filled = configuration.bufferFrames - (try device.available())
            let most = min(filled - queue.kept, status.written - earliest)
            guard most > 0 else { return }
            // Before, as no time is to pass between taking back and erasing.
            encodeSilence(most)
            let count = try device.rewind(most)
            guard count > 0 else { return }
            let missed = erase(count)
            queued = filled - count + missed
            status.time = Int(realtime_now())
            status.delay = queued + beyond
            goBack(to: status.written - count)
            if missed > 0 {
                status.written += missed
                isRunBroken = true
            }
            isShort = true
        } catch {
            // Whatever is wrong with it, the next write will tell.
        }
    }

    /// What has been taken back is still in the device's memory: if the next frames come too late, that is heard, and
    /// then heard once more. It shall be a gap.
    /// - Precondition: as much silence is encoded.
    /// - Returns: frames of it that the device has begun to play meanwhile.
    @_noLocks @_noAllocation
    private func erase(_ frames: Int) -> Int {
        var missed = 0
        do throws(PCMFault) {
            missed = try device.write(encoded, frames: frames)
            missed -= try device.rewind(missed)
        } catch {
            // Whatever is wrong with it, the next write will tell.
        }
        return missed
    }

    /// Renders anew, from a frame of the device that the trail leads to.
    @_noLocks @_noAllocation
    mutating func goBack(to frame: Int) {
        guard let step = trail.takeLast(at: frame) else { return }
        core.restore(step.core)
        status.written = step.written
        status.runFrame = step.runFrame
        status.runIndex = step.runIndex
        isRunBroken = step.isRunBroken
        silentFrames = step.silentFrames
        // Those of the block that stay in the device are passed over.
        let count = frame - step.written
        guard count > 0 else { return }
        let isPlaying = !core.isSilent
        _ = render(count)
        account(for: count, since: step.core.readIndex, isPlaying: isPlaying)
    }

    var here: RenderTrail.Step {
        @_noLocks @_noAllocation get {
            RenderTrail.Step(
                core: core.checkpoint, written: status.written, runFrame: status.runFrame, runIndex: status.runIndex,
                isRunBroken: isRunBroken, silentFrames: silentFrames)
        }
    }
}

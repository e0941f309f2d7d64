import ALSA
import CRealTime
import Glibc

extension RenderLoop {
    /// Stops writing frames to the device and reporting its progress, because control has declared it lost.
    @_noLocks @_noAllocation
    mutating func giveUp() {
        core.noteSoundPlace(unheard: status.delay)
        standstill.begin(status, at: Int(realtime_now()))
        status.isRunning = 0
    }

    /// Polls a stalled device.
    /// - Returns: the playback that was eventually heard, once the device can be closed, or nil until then.
    /// - Throws: the device's error, or ETIMEDOUT if it stalls for too long.
    @_noLocks @_noAllocation
    mutating func waitOutStandstill() throws(PCMFault) -> HeardPlayback? {
        let now = Int(realtime_now())
        let rate = configuration.format.rate
        if standstill.phase.isDrained {
            let isOver = standstill.isOver(delay: delay.frames * 1_000_000_000 / rate, at: now)
            return isOver ? standstill.heard(rate: rate) : nil
        }
        let left = try framesLeft()
        guard standstill.observe(left: left, limit: standstillLimit, at: now) else {
            throw PCMFault(.play, code: ETIMEDOUT)
        }
        return nil
    }

    /// The number of frames that the device still holds.
    @_noLocks @_noAllocation
    private func framesLeft() throws(PCMFault) -> Int {
        do throws(PCMFault) {
            return max(0, configuration.bufferFrames - (try device.available()))
        } catch {
            switch PCMRemedy(for: error.code, in: device.state) {
            case .tryAgain, .wait, .resume: return standstill.framesHeld
            case .prepare: return 0
            case .reopen: throw error
            }
        }
    }
}

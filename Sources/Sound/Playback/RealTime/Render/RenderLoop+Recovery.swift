import ALSA
import CRealTime
import Glibc

extension RenderLoop {
    /// - Returns: false where only opening the device anew may help.
    @_noLocks @_noAllocation
    mutating func recover(from fault: PCMFault) -> Bool {
        let state = device.state
        let remedy = PCMRemedy(for: fault.code, in: state)
        switch remedy {
        case .tryAgain, .wait:
            // If it answers so for ever, it accepts nothing, and control gives it up.
            return true
        case .reopen:
            return false
        case .resume:
            if isAwake() { return true }
        case .prepare: break
        }
        recoveries += 1
        guard recoveries <= 10 else { return false }
        do throws(PCMFault) {
            // What was queued and has not been heard is lost with it, and is played again. After an underrun all of it
            // has been heard, whatever the clock says.
            if state != .underrun {
                core.goBack(to: status.heardIndex(at: Int(realtime_now()), rate: configuration.format.rate))
            }
            try device.prepare()
            trail.forget()
            if fault.code == EPIPE { underrun() }
            queued = 0
            delayAskedAt = 0
            status.delay = 0
            beginRun()
            return true
        } catch {
            return error.code == EAGAIN || error.code == EINTR
        }
    }

    /// - Returns: whether it has resumed with all that was queued, or is still about to; false where it cannot.
    @_noLocks @_noAllocation
    private func isAwake() -> Bool {
        do throws(PCMFault) {
            try device.resume()
            return true
        } catch {
            // ALSA's documentation: try until it is no longer EAGAIN; any other code means to prepare.
            return error.code == EAGAIN
        }
    }

    @_noLocks @_noAllocation
    mutating func underrun() {
        // No queue would have lasted through a standstill longer than the buffer.
        let dryFor = Int(realtime_now()) - writtenAt
        if dryFor < configuration.bufferFrames * 1_000_000_000 / configuration.format.rate { queue.grow() }
        status.underruns += 1
        tell(.underrun, queue.milliseconds)
    }
}

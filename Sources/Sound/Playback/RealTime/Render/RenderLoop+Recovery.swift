import ALSA
import CRealTime

extension RenderLoop {
    /// Recovers the device after a failed call.
    /// - Returns: false if only reopening the device can help.
    @_noLocks @_noAllocation
    mutating func recover(from fault: PCMFault) -> Bool {
        let state = device.state
        let remedy = PCMRemedy(for: fault.code, in: state)
        switch remedy {
        case .tryAgain, .wait:
            // If the device keeps answering this, it accepts no frames, and control gives it up.
            return true
        case .reopen:
            return false
        case .resume:
            if resume() { return true }
        case .prepare: break
        }
        recoveries += 1
        guard recoveries <= 10 else { return false }
        do throws(PCMFault) {
            // Play the frames again that were queued but not heard, as preparing the device discards them. After an
            // underrun all of them have been heard, whatever the clock says.
            if state != .underrun {
                let now = Int(realtime_now())
                let rate = configuration.format.rate
                core.rewind(to: status.heardIndex(at: now, rate: rate))
                core.rewindSound(by: status.output.written - status.heardFrame(at: now, rate: rate))
            }
            try device.prepare()
            history.forget()
            if fault.code == EPIPE { underrun() }
            queue.frames = 0
            delay.expire()
            status.delay = 0
            status.output.beginRun(at: core.ring.readIndex)
            return true
        } catch {
            return error.code == EAGAIN || error.code == EINTR
        }
    }

    /// Resumes the device after a suspend, with all queued frames.
    /// - Returns: whether it has resumed or will still do so; false if the hardware does not support this.
    @_noLocks @_noAllocation
    private func resume() -> Bool {
        do throws(PCMFault) {
            try device.resume()
            return true
        } catch {
            // ALSA's documentation: repeat the call as long as it returns EAGAIN; on any other error, prepare.
            return error.code == EAGAIN
        }
    }

    @_noLocks @_noAllocation
    mutating func underrun() {
        if queue.hasRewound {
            rewoundTooLate()
        } else {
            queue.underrun(at: Int(realtime_now()), written: status.signs.acceptedAt)
        }
        status.underruns += 1
        notify(.underrun, queue.milliseconds)
    }
}

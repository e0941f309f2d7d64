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
            // If the device keeps returning this error, it does not accept frames, and control declares it lost.
            return true
        case .reopen:
            return false
        case .resume:
            if resume() { return true }
        case .prepare: break
        }
        acceptance.recoveries += 1
        guard acceptance.recoveries <= 10 else { return false }
        do throws(PCMFault) {
            // Preparing the device discards the queued frames, so render the frames that were not heard again. After an
            // underrun, all of them have been heard, even if the clock indicates otherwise.
            if state != .underrun {
                let now = Int(realtime_now())
                let rate = configuration.format.rate
                core.rewind(to: status.heardIndex(at: now, rate: rate))
                core.rewindSound(by: status.output.written - status.heardFrame(at: now, rate: rate))
            }
            try device.prepare()
            history.forget()
            core.loseLiveTime()
            if fault.code == EPIPE { underrun() }
            queue.frames = 0
            delay.expire()
            margin.forgetLag()
            status.delay = 0
            status.output.beginRun(at: core.ring.readIndex)
            return true
        } catch {
            return error.code == EAGAIN || error.code == EINTR
        }
    }

    /// Resumes the device after a suspend, with all queued frames.
    /// - Returns: true if it has resumed or will still do so, or false if the hardware does not support this.
    @_noLocks @_noAllocation
    private func resume() -> Bool {
        do throws(PCMFault) {
            try device.resume()
            return true
        } catch {
            // According to ALSA's documentation, the call must be repeated as long as it returns EAGAIN. On any other
            // error, the device must be prepared.
            return error.code == EAGAIN
        }
    }

    @_noLocks @_noAllocation
    mutating func underrun() {
        // The frames that were missing have passed unheard.
        core.loseLiveTime()
        if queue.hasRewound {
            rewoundTooLate()
        } else {
            queue.underrun(at: Int(realtime_now()), written: status.signs.acceptedAt)
        }
        status.underruns += 1
        notify(.underrun, queue.milliseconds)
    }
}

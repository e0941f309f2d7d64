import ALSA
import CRealTime
import Glibc

extension RenderLoop {
    /// Stops feeding the device, as control has given it up, and stops reporting its progress.
    @_noLocks @_noAllocation
    mutating func giveUp() {
        enter(.waiting, at: Int(realtime_now()))
        statusWhenGivenUp = status
        framesHeld = Int.max
        status.isRunning = 0
    }

    @_noLocks @_noAllocation
    private mutating func enter(_ state: Standstill, at now: Int) {
        standstill = state
        standstillAt = now
    }

    /// Determines how many of the frames held by a stalled device were heard in the end. A server that was only
    /// suspended plays all of them when it continues.
    /// - Returns: what was heard, once the device can be closed; nil until then.
    /// - Throws: the device's error; ETIMEDOUT if it stalls for too long.
    @_noLocks @_noAllocation
    mutating func waitOutStandstill() throws(PCMFault) -> HeardProgramme? {
        let now = Int(realtime_now())
        switch standstill {
        case .none: break
        case .waiting, .draining:
            let left = try framesLeft()
            if framesHeld == Int.max { framesHeld = left }
            if left == 0 {
                enter(.drained, at: now)
            } else if left < framesHeld {
                enter(.draining, at: now)
            } else if case .draining = standstill, now - standstillAt > 100_000_000 {
                enter(.drained, at: now)
            } else if case .waiting = standstill, now - standstillAt > standstillLimit {
                throw PCMFault(.play, code: ETIMEDOUT)
            }
            framesHeld = left
        case .drained:
            if now - standstillAt > delayBeyondQueue * 1_000_000_000 / configuration.format.rate {
                return heardInTheEnd
            }
        }
        return nil
    }

    /// The number of frames that the device still holds.
    @_noLocks @_noAllocation
    private mutating func framesLeft() throws(PCMFault) -> Int {
        do throws(PCMFault) {
            return max(0, configuration.bufferFrames - (try device.available()))
        } catch {
            switch PCMRemedy(for: error.code, in: device.state) {
            case .tryAgain, .wait, .resume: return framesHeld
            case .prepare: return 0
            case .reopen: throw error
            }
        }
    }

    private var heardInTheEnd: HeardProgramme {
        @_noLocks @_noAllocation get {
            var status = statusWhenGivenUp
            status.delay = framesHeld
            let index = status.heardIndex(at: status.time, rate: configuration.format.rate)
            return HeardProgramme(slotNumber: status.hasSlot == 0 ? 0 : status.slotNumber, index: index)
        }
    }
}

import ALSA
import CRealTime
import Glibc

extension RenderLoop {
    /// Control has given the device up: it is given no more, and nothing is told of it any more.
    @_noLocks @_noAllocation
    mutating func giveUp() {
        enter(.waiting, at: Int(realtime_now()))
        givenUp = status
        held = Int.max
        status.isRunning = 0
    }

    @_noLocks @_noAllocation
    private mutating func enter(_ state: Standstill, at now: Int) {
        standstill = state
        standstillAt = now
    }

    /// Finds out how much of what a device held when it stood still was heard in the end: a server that only slept
    /// plays all of it, once it is awake.
    /// - Returns: that, when the device may be closed; nil for now.
    /// - Throws: the device's error; ETIMEDOUT if it stands still for too long.
    @_noLocks @_noAllocation
    mutating func waitOutStandstill() throws(PCMFault) -> HeardProgramme? {
        let now = Int(realtime_now())
        switch standstill {
        case .none: break
        case .waiting, .draining:
            let left = try framesLeft()
            if held == Int.max { held = left }
            if left == 0 {
                enter(.drained, at: now)
            } else if left < held {
                enter(.draining, at: now)
            } else if case .draining = standstill, now - standstillAt > 100_000_000 {
                enter(.drained, at: now)
            } else if case .waiting = standstill, now - standstillAt > standstillLimit {
                throw PCMFault(.play, code: ETIMEDOUT)
            }
            held = left
        case .drained:
            if now - standstillAt > beyond * 1_000_000_000 / configuration.format.rate { return heardInTheEnd }
        }
        return nil
    }

    /// Frames that the device still holds.
    @_noLocks @_noAllocation
    private mutating func framesLeft() throws(PCMFault) -> Int {
        do throws(PCMFault) {
            return max(0, configuration.bufferFrames - (try device.available()))
        } catch {
            switch PCMRemedy(for: error.code, in: device.state) {
            case .tryAgain, .wait, .resume: return held
            case .prepare: return 0
            case .reopen: throw error
            }
        }
    }

    private var heardInTheEnd: HeardProgramme {
        @_noLocks @_noAllocation get {
            var status = givenUp
            status.delay = held
            let index = status.heardIndex(at: status.time, rate: configuration.format.rate)
            return HeardProgramme(slotNumber: status.hasSlot == 0 ? 0 : status.slotNumber, index: index)
        }
    }
}

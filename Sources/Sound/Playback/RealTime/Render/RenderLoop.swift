import ALSA
import CRealTime

/// The render thread while the device runs: keeps a short queue in it, and carries out orders at the next frame.
///
/// Everything in here is checked by the compiler to neither allocate nor lock, and waits for nothing but the time at
/// which the device needs more, or an order.
struct RenderLoop: ~Copyable {
    private let device: RenderDevice
    private let configuration: PCMConfiguration
    private let lines: RenderLines
    private let empty: RingReader
    private let losses: Int
    private let idleFrames: Int
    private let standstillLimit: Int
    private let mixed: UnsafeMutablePointer<Float>
    private let encoded: UnsafeMutableRawPointer
    private let blockFrames: Int
    private let shortestBlock: Int

    private var core: RenderCore
    private var queue: DeviceQueue
    private var trail = RenderTrail()
    private var orders: Orders
    private var status: RenderStatus
    /// Silent frames to come before anything else: what a device swallows while it starts.
    private var leadIn: Int
    /// Frames rendered since all was silent.
    private var silentFrames = 0
    /// A directive whose first frame has not been written yet; 0 for none.
    private var unheardDirective = 0
    /// Frames in the device after the last turn.
    private var queued = 0
    /// Whether some of them have just been taken back.
    private var isShort = false
    /// Frames further on, between the device's queue and the ear, and when it was asked for them.
    private var beyond = 0
    private var delayAskedAt = 0
    /// Room in the device when it was last asked for, and when that last changed.
    private var lastRoom = 0
    private var movedAt = 0
    /// When it last took any.
    private var writtenAt = 0
    private var standstill = Standstill.none
    /// The status when the device was given up, and what it still held when it was last asked.
    private var givenUp = RenderStatus()
    private var held = 0
    /// When the standstill reached its present state, or the device last played some of what it holds.
    private var standstillAt = 0
    /// Recoveries since it last took any.
    private var recoveries = 0
    private var notifiedBoundary = Int.max
    /// Whether the slot is another than control has been told of.
    private var hasChanged = false
    private var isStorageAwake = false
    private var wasStarving = false
    /// Whether the device's frames have gone on without the programme's since the run of `status`.
    private var isRunBroken = false

    /// - Parameters:
    ///   - device: just opened.
    ///   - isFirst: whether none has been opened before.
    ///   - orders: those in force; none of them has been carried out on this device.
    ///   - status: goes on counting.
    ///   - losses: how often the device has been lost.
    ///   - lines: to the other threads.
    ///   - empty: a programme of the device's channels that has ended, for when there is none; outlives this.
    init(
        _ device: consuming RenderDevice, isFirst: Bool, settings: EngineSettings, orders: Orders, status: RenderStatus,
        losses: Int, lines: RenderLines, empty: RingReader
    ) {
        configuration = device.configuration
        self.device = device
        let rate = configuration.format.rate
        self.lines = lines
        idleFrames = settings.closeAfter.map { $0.frames(atRate: rate) } ?? Int.max / 2
        standstillLimit = settings.standstillLimit.wholeNanoseconds
        blockFrames = configuration.bufferFrames
        shortestBlock = min(rate / 500, blockFrames)
        mixed = .allocate(capacity: blockFrames * configuration.format.channels)
        mixed.initialize(repeating: 0, count: blockFrames * configuration.format.channels)
        encoded = .allocate(byteCount: blockFrames * configuration.bytesPerFrame, alignment: 16)
        encoded.initializeMemory(as: UInt8.self, repeating: 0, count: blockFrames * configuration.bytesPerFrame)
        self.empty = empty
        self.losses = losses
        core = RenderCore(ring: empty, jumpFade: settings.jumpFade.frames(atRate: rate))
        queue = DeviceQueue(settings.queue, for: configuration, isStarting: isFirst)
        leadIn = queue.target
        self.orders = orders
        // Whatever is in force has to be carried out on this device from the start.
        self.orders.slotNumber = -1
        self.orders.directive = -1
        self.status = status
        self.status.runFrame = 0
        self.status.runIndex = 0
        self.status.written = 0
        self.status.delay = 0
        self.status.slotNumber = 0
        self.status.hasSlot = 0
    }

    deinit {
        mixed.deallocate()
        encoded.deallocate()
    }

    /// What it knew last.
    var lastStatus: RenderStatus { status }
    var lastOrders: Orders { orders }

    /// Plays until the device is gone, not needed any more, or all is over.
    @_noLocks @_noAllocation
    mutating func run() -> RenderEnd {
        status.isRunning = 1
        acceptsFrames(at: Int(realtime_now()))
        lines.status.post(&status)
        lines.phase.set(.open)
        let end = play()
        status.isRunning = 0
        post()
        return end
    }

    /// Closes the device, which may take as long as it pleases.
    consuming func close() {}

    @_noLocks @_noAllocation
    private mutating func play() -> RenderEnd {
        while true {
            // Where a fade-out begins is known before it is rendered, and may be asked for meanwhile.
            if takeOrders() { post() }
            let isFed = standstill.isFed
            // What falls silent is heard to its end.
            if orders.quits != 0, !isFed || orders.plays != 0 || silentFrames >= status.delay { return .quit }
            do throws(PCMFault) {
                if isFed { try fillUp() } else if let heard = try waitOutStandstill() { return .resumed(heard) }
            } catch {
                if !isFed || !recover(from: error) { return .fault(error) }
            }
            if isFed, orders.plays == 0, silentFrames > 0, silentFrames - idleFrames >= status.delay { return .idle }
            post()
            // A server that wakes up plays what it holds within milliseconds.
            _ = realtime_wait(lines.wakeUp, isFed ? Int64(queue.pause(queued: queued)) : 5_000_000)
        }
    }

    @_noLocks @_noAllocation
    private mutating func post() {
        status.continueIndex = core.continueIndex
        status.isStopped = isStopped ? 1 : 0
        status.turns += 1
        status.turnedAt = Int(realtime_now())
        lines.status.post(&status)
        // Control lets go of the programme before, and may be waiting for that.
        if hasChanged { realtime_wake(lines.control) }
        hasChanged = false
        tellBoundary()
        wakeStorage()
    }

    // MARK: Orders

    /// - Returns: whether something has changed by them.
    @_noLocks @_noAllocation
    private mutating func takeOrders() -> Bool {
        var newest = Orders()
        // Whoever is posting rings the bell when it is done.
        guard lines.orders.read(into: &newest) else { return false }
        let old = orders
        orders = newest
        if newest.losses != losses, standstill.isFed { giveUp() }
        guard standstill.isFed else {
            // Lets go of the programme, and obeys nothing: the next device will.
            if newest.slotNumber != old.slotNumber { change(to: newest) }
            return false
        }
        let isAudible =
            newest.directive != old.directive || newest.slotNumber != old.slotNumber
        if isAudible {
            takeBack()
            // What is ordered now is not to be undone.
            trail.forget()
        }
        // What falls silent fades out before it is jumped away from; what plays plays the new programme.
        if newest.plays == 0 { obey(newest, after: old) }
        if newest.slotNumber != old.slotNumber { change(to: newest) }
        if newest.plays != 0 { obey(newest, after: old) }
        if newest.openings != old.openings { silentFrames = 0 }
        return isAudible
    }

    @_noLocks @_noAllocation
    private mutating func obey(_ newest: Orders, after old: Orders) {
        // What is to be played may have been without a programme so far.
        guard newest.directive != old.directive || (newest.plays != 0 && isStopped) else { return }
        let rate = configuration.format.rate
        let ramp = newest.ramp / 1000 * rate / 1_000_000
        status.directive = newest.directive
        if newest.plays == 0 {
            if core.silence(over: ramp) { tell(.faded, newest.directive) }
        } else if slot(of: newest) != nil {
            core.play(gain: Float(bitPattern: UInt32(truncatingIfNeeded: newest.gain)), over: ramp)
        } else {
            return
        }
        unheardDirective = newest.directive
    }

    private var isStopped: Bool {
        @_noLocks @_noAllocation get { core.state.isStopped }
    }

    @_noLocks @_noAllocation
    private mutating func change(to newest: Orders) {
        hasChanged = true
        status.slotNumber = newest.slotNumber
        notifiedBoundary = Int.max
        isStorageAwake = false
        status.hasSlot = 0
        if let slot = slot(of: newest) {
            status.hasSlot = 1
            if core.jump(to: slot.pointee.reader) { tell(.faded, newest.directive) }
        } else {
            if core.jump(to: empty) { tell(.faded, newest.directive) }
            core.finish()
        }
        beginRun()
    }

    /// The slot ordered, if it is one for this device.
    @_noLocks @_noAllocation
    private func slot(of orders: Orders) -> UnsafePointer<DeckSlot>? {
        guard orders.losses == losses, let slot = UnsafePointer<DeckSlot>(bitPattern: orders.slot),
            slot.pointee.format.rate == configuration.format.rate,
            slot.pointee.format.channels == configuration.format.channels
        else { return nil }
        return slot
    }

    // MARK: Taking back

    /// Takes back what the device has not played yet, as far as it can, for an order to be heard before it.
    @_noLocks @_noAllocation
    private mutating func takeBack() {
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
    private mutating func goBack(to frame: Int) {
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

    private var here: RenderTrail.Step {
        @_noLocks @_noAllocation get {
            RenderTrail.Step(
                core: core.checkpoint, written: status.written, runFrame: status.runFrame, runIndex: status.runIndex,
                isRunBroken: isRunBroken, silentFrames: silentFrames)
        }
    }

    // MARK: The device

    /// Fills the device's queue up to the mark.
    @_noLocks @_noAllocation
    private mutating func fillUp() throws(PCMFault) {
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
    private mutating func write(_ frames: Int) throws(PCMFault) -> Int {
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
    private func encodeSilence(_ frames: Int) {
        // In every format, as all are signed.
        encoded.assumingMemoryBound(to: UInt8.self).update(repeating: 0, count: frames * configuration.bytesPerFrame)
    }

    @_noLocks @_noAllocation
    private mutating func render(_ frames: Int) -> Bool {
        let hasFaded = core.render(into: mixed, frames: frames)
        configuration.sampleFormat.encode(mixed, to: encoded, count: frames * configuration.format.channels)
        return hasFaded
    }

    /// The programme goes on with the next frame written.
    @_noLocks @_noAllocation
    private mutating func beginRun() {
        status.runFrame = status.written
        status.runIndex = core.ring.readIndex
        isRunBroken = false
    }

    /// Keeps the relation between the device's frames and the programme's.
    /// - Parameter isPlaying: whether these frames are more than silence, or are to be.
    @_noLocks @_noAllocation
    private mutating func account(for count: Int, since readIndex: Int, isPlaying: Bool) {
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
    private mutating func acceptsFrames(at now: Int) {
        writtenAt = now
        status.acceptedAt = now
    }

    // MARK: A device that stands still

    /// Control has given the device up: it is given no more, and nothing is told of it any more.
    @_noLocks @_noAllocation
    private mutating func giveUp() {
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
    private mutating func waitOutStandstill() throws(PCMFault) -> HeardProgramme? {
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

    /// - Returns: false where only opening the device anew may help.
    @_noLocks @_noAllocation
    private mutating func recover(from fault: PCMFault) -> Bool {
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
    private mutating func underrun() {
        // No queue would have lasted through a standstill longer than the buffer.
        let dryFor = Int(realtime_now()) - writtenAt
        if dryFor < configuration.bufferFrames * 1_000_000_000 / configuration.format.rate { queue.grow() }
        status.underruns += 1
        tell(.underrun, queue.milliseconds)
    }

    // MARK: The other threads

    @_noLocks @_noAllocation
    private func tell(_ kind: Note.Kind, _ number: Int) {
        lines.notes.push(Note(kind: kind, number: number))
        realtime_wake(lines.control)
    }

    /// The first frame of the block written last is the first that a directive changed.
    @_noLocks @_noAllocation
    private mutating func tellEffect() {
        guard unheardDirective != 0 else { return }
        let time = status.time + status.delay * 1_000_000_000 / configuration.format.rate
        lines.notes.push(Note(kind: .effect, number: unheardDirective, frame: status.written, time: time))
        realtime_wake(lines.control)
        unheardDirective = 0
    }

    @_noLocks @_noAllocation
    private mutating func tellBoundary() {
        guard let slot = slot(of: orders) else { return }
        let boundary = slot.pointee.boundary.value
        guard status.heardIndex(at: status.time, rate: configuration.format.rate) >= boundary else {
            // It may have been heard in a fade-out, and come once more.
            notifiedBoundary = Int.max
            return
        }
        guard boundary != notifiedBoundary else { return }
        notifiedBoundary = boundary
        tell(.boundary, 0)
    }

    @_noLocks @_noAllocation
    private mutating func wakeStorage() {
        guard let slot = slot(of: orders), core.ring.endIndex == nil else { return }
        let isLow = core.ring.readableFrames < slot.pointee.lowWater
        if isLow, !isStorageAwake { realtime_wake(lines.storage) }
        isStorageAwake = isLow
    }
}

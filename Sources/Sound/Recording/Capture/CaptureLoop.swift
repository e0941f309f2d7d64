import ALSA
import CRealTime
import Time

/// The reason why a `CaptureLoop` ended.
enum CaptureEnd: Hashable {
    /// The recorder is stopping.
    case quit
    /// Nothing has been recorded for `DeviceHandling.closeAfter`.
    case idle
    /// The system is about to sleep.
    case released
    /// The device is lost.
    case fault(PCMFault)
}

/// The capturing thread while the device is open. It reads frames from the device and passes on the ones that are to be
/// recorded.
///
/// The compiler checks that nothing in this type allocates or locks. The loop waits only for orders and for the device
/// to capture another period.
///
/// **Orders are exact.** Each order contains the time at which it was given. Because `delay` reports the frame that is
/// being captured now, this time corresponds to a frame of the capture clock, and the order takes effect there. Frames
/// stay in `staged` for 20 ms, so that an order arrives before its frame is processed.
struct CaptureLoop: ~Copyable {
    let device: CaptureDevice
    let configuration: PCMConfiguration
    let lines: CaptureLines
    var state: CaptureState
    private let rate: Int
    private let channels: Int
    private let idleTime: Int
    private let stallTime: Int
    /// The number of frames that are held back until orders for them have arrived.
    private let heldFrames: Int
    /// The maximum number of frames that are read at once.
    private let blockFrames: Int
    private let wakeSamples: Int
    private let raw: UnsafeMutableRawPointer
    private let staged: UnsafeMutablePointer<Int32>
    /// The number of frames in `staged` that have not been processed. The first one is `state.frame`.
    private var stagedFrames = 0
    /// The number of frames at the start of `staged` that have been processed and can be overwritten.
    private var passedFrames = 0
    private var clock: CaptureClock
    /// The frame of the first order in the queue, or -1 if it is not known yet.
    private var orderFrame = -1
    /// The time at which the device last delivered frames, and the time at which frames were last wanted, in
    /// nanoseconds.
    private var deliveredAt: Int
    private var wantedAt: Int
    /// The number of recoveries since the device last delivered frames.
    private var recoveries = 0
    /// The ring's index when the storage thread was last woken.
    private var wokenAt = 0
    /// The time at which the capture time was last passed to the storage thread.
    private var timedAt = 0

    init(_ device: consuming CaptureDevice, settings: RecorderSettings, lines: CaptureLines, state: CaptureState) {
        configuration = device.configuration
        self.device = device
        self.lines = lines
        self.state = state
        rate = configuration.format.rate
        channels = configuration.format.channels
        idleTime = settings.handling.closeAfter.map { $0.wholeNanoseconds } ?? Int.max
        stallTime = settings.handling.stallTimeout.wholeNanoseconds
        heldFrames = rate / 50
        blockFrames = max(configuration.bufferFrames, rate / 10)
        wakeSamples = min(settings.interval / 8, .milliseconds(250)).frames(atRate: rate) * channels
        raw = .allocate(byteCount: blockFrames * configuration.bytesPerFrame, alignment: 16)
        raw.initializeMemory(as: UInt8.self, repeating: 0, count: blockFrames * configuration.bytesPerFrame)
        staged = .allocate(capacity: (heldFrames + 2 * blockFrames) * channels)
        staged.initialize(repeating: 0, count: (heldFrames + 2 * blockFrames) * channels)
        let now = Int(realtime_now())
        clock = CaptureClock(frame: state.frame, at: now, rate: rate)
        deliveredAt = now
        wantedAt = now
        wokenAt = lines.ring.writeIndex
    }

    deinit {
        raw.deallocate()
        staged.deallocate()
    }

    /// The state in which the loop ended.
    var lastState: CaptureState { state }

    /// Closes the device. A sound server can block this call indefinitely.
    consuming func close() {}

    /// Captures until the device is lost or no longer needed, or the recorder stops.
    @_noLocks @_noAllocation
    mutating func run() -> CaptureEnd {
        lines.enter(.open)
        if state.isWanted { begin(order: 0) }
        let end = capture()
        // Record the frames that the device has delivered.
        process(until: state.frame + stagedFrames, isGap: false)
        if state.isRecording { endStretch(CaptureMark(.lost)) }
        state.post(to: lines)
        return end
    }

    @_noLocks @_noAllocation
    private mutating func capture() -> CaptureEnd {
        while true {
            do throws(PCMFault) {
                try readFrames()
            } catch {
                if !recover(from: error) { return .fault(error) }
            }
            process(until: heldUntil, isGap: false)
            if state.quits { return .quit }
            if state.isAsleep { return .released }
            let now = Int(realtime_now())
            if state.isWanted { wantedAt = now }
            if now - wantedAt >= idleTime { return .idle }
            if now - deliveredAt >= stallTime || lines.isGivenUp.value != 0 {
                return .fault(PCMFault(.capture, code: ETIMEDOUT))
            }
            state.post(to: lines)
            _ = realtime_wait(lines.wakeUp, pause)
        }
    }

    /// The frame up to which all orders have arrived.
    private var heldUntil: Int {
        @_noLocks @_noAllocation get {
            let end = state.frame + stagedFrames
            // If frames arrive long before their time according to the clock, there is no room to hold them back until
            // then.
            return min(max(clock.frame(at: Int(realtime_now())) - heldFrames, end - heldFrames - blockFrames / 2), end)
        }
    }

    /// The time until the device has captured another period, in nanoseconds.
    private var pause: Int64 {
        @_noLocks @_noAllocation get { Int64(min(configuration.periodFrames, rate / 20) * 1_000_000_000 / rate) }
    }

    @_noLocks @_noAllocation
    private mutating func readFrames() throws(PCMFault) {
        while true {
            let available = try device.readable()
            guard available > 0 else { break }
            let delay = try device.delay()
            clock.locate(
                after: state.frame + stagedFrames, delay: delay, available: available, at: Int(realtime_now()))
            let count = try device.read(raw, frames: min(available, blockFrames))
            configuration.sampleFormat.decode(
                raw, to: staged + stagedFrames * channels, count: count * channels)
            stagedFrames += count
            recoveries = 0
            deliveredAt = Int(realtime_now())
            if lines.hasDelivered.value == 0, lines.isGivenUp.value == 0 {
                lines.hasDelivered.value = 1
                realtime_wake(lines.control)
            }
            if count >= available || stagedFrames > heldFrames + blockFrames { break }
        }
    }

    // MARK: Frames and orders

    /// Processes frames up to a limit or up to the next order, and executes that order.
    /// - Parameter isGap: true if the frames are lost.
    @_noLocks @_noAllocation
    private mutating func process(until limit: Int, isGap: Bool) {
        let end = isGap ? limit : state.frame + stagedFrames
        while true {
            let hasOrder = !lines.orders.isEmpty
            if hasOrder, orderFrame < 0 { orderFrame = max(clock.frame(at: lines.orders.first.time), state.frame) }
            // Orders are sorted by time, so no other order takes effect before this one.
            let next = hasOrder ? min(orderFrame, end) : min(limit, end)
            if next > state.frame { pass(next - state.frame, isGap: isGap) }
            guard hasOrder, state.frame >= orderFrame else { break }
            orderFrame = -1
            let order = lines.orders.first
            lines.orders.drop()
            carryOut(order)
        }
        if !isGap { keepRest() }
    }

    @_noLocks @_noAllocation
    private mutating func pass(_ frames: Int, isGap: Bool) {
        if state.isRecording {
            if isGap { state.lose(frames) } else { record(staged + passedFrames * channels, frames) }
        }
        if !isGap {
            passedFrames += frames
            stagedFrames -= frames
        }
        state.frame += frames
    }

    /// Moves the remaining frames to the start of `staged`.
    @_noLocks @_noAllocation
    private mutating func keepRest() {
        guard passedFrames > 0 else { return }
        let (offset, count) = (passedFrames * channels, stagedFrames * channels)
        for index in 0..<count { staged[index] = staged[offset + index] }
        passedFrames = 0
    }

    @_noLocks @_noAllocation
    private mutating func record(_ samples: UnsafePointer<Int32>, _ frames: Int) {
        let count = frames * channels
        guard lines.ring.room >= count, state.gap == 0 || lines.marks.hasRoom else {
            state.lose(frames)
            if state.gap == frames { realtime_wake(lines.control) }
            return
        }
        markGap()
        let now = Int(realtime_now())
        if now - timedAt > 60_000_000_000, lines.marks.hasRoom {
            timedAt = now
            mark(.time, order: 0)
        }
        lines.ring.write(samples, count: count, isSilent: state.isMuted)
        if lines.ring.writeIndex - wokenAt >= wakeSamples { wakeStorage() }
    }

    @_noLocks @_noAllocation
    private mutating func markGap() {
        guard state.gap > 0 else { return }
        mark(.gap, order: 0, value: state.gap)
        state.gap = 0
    }

    /// Adds a mark at the current frame.
    @_noLocks @_noAllocation
    private mutating func mark(_ kind: CaptureMark.Kind, order: Int, value: Int = 0) {
        lines.marks.push(
            CaptureMark(
                kind, index: lines.ring.writeIndex, order: order, frame: state.frame, time: clock.time(of: state.frame),
                value: value))
    }

    @_noLocks @_noAllocation
    private mutating func wakeStorage() {
        wokenAt = lines.ring.writeIndex
        realtime_wake(lines.storage)
    }

    @_noLocks @_noAllocation
    private mutating func begin(order: Int) {
        state.isRecording = true
        timedAt = Int(realtime_now())
        mark(.begin, order: order)
    }

    /// - Parameter reason: the mark whose kind, order and value are used.
    @_noLocks @_noAllocation
    private mutating func endStretch(_ reason: CaptureMark) {
        markGap()
        state.isRecording = false
        mark(reason.kind, order: reason.order, value: reason.value)
        wakeStorage()
    }

    @_noLocks @_noAllocation
    private mutating func carryOut(_ order: CaptureOrder) {
        let change = state.carryOut(order)
        switch change.kind {
        case .note:
            // The device may have stayed open during a sleep.
            if state.isWanted, !state.isRecording {
                begin(order: order.number)
            } else {
                mark(.note, order: order.number)
            }
        case .mute:
            markGap()
            mark(.mute, order: order.number, value: change.value)
        default: endStretch(change)
        }
        wakeStorage()
    }

    // MARK: Recovery

    /// Recovers the device after a failed call. The frames that it has captured in the meantime are lost and are
    /// replaced with silence.
    /// - Returns: false if only reopening the device can help.
    @_noLocks @_noAllocation
    private mutating func recover(from fault: PCMFault) -> Bool {
        switch PCMRemedy(for: fault.code, in: device.state) {
        case .tryAgain, .wait: return true
        case .reopen: return false
        case .resume, .prepare: break
        }
        recoveries += 1
        guard recoveries <= 10 else { return false }
        do throws(PCMFault) {
            try device.restart()
        } catch {
            return error.code == EAGAIN || error.code == EINTR
        }
        process(until: state.frame + stagedFrames, isGap: false)
        let now = Int(realtime_now())
        let present = clock.restart(from: state.frame, at: now)
        if present > state.frame { process(until: present, isGap: true) }
        return true
    }
}

import ALSA
import CRealTime
import Time

/// The render thread while the device is open. It keeps the device's queue filled and executes orders at the next
/// frame. If the device can rewind, this frame replaces a queued one.
///
/// The compiler checks that nothing in this type allocates or locks. The loop waits only for orders and until the
/// device needs more frames.
struct RenderLoop: ~Copyable {
    let device: RenderDevice
    let configuration: PCMConfiguration
    let lines: RenderLines
    let empty: RingReader
    let losses: Int
    /// The value of `DeviceOrder.moves` when the device was opened.
    let moves: Int
    let idleFrames: Int
    let standstillLimit: Int
    /// The time within which the device has to accept frames, in nanoseconds.
    let stallTimeout: Int
    let mixed: UnsafeMutablePointer<Float>
    let encoded: UnsafeMutableRawPointer
    let blockFrames: Int
    let shortestBlock: Int

    var core: RenderCore
    var queue: DeviceQueue
    var delay = DelayEstimate()
    var margin: RewindMargin
    var history = RenderHistory()
    var orders: Orders
    var status: RenderStatus
    /// The number of silent frames to write before anything else, because a device swallows frames while it starts.
    var leadIn: Int
    var unheard = UnheardOrders()
    var reports = LastReports()
    var standstill = Standstill()
    var acceptance = Acceptance()

    /// What follows from the device's accepting frames.
    struct Acceptance {
        /// The time at which the alarm for the device was last postponed.
        var postponedAt = 0
        /// The number of recoveries since the device last accepted frames.
        var recoveries = 0
    }

    /// - Parameters:
    ///   - device: the device, which has just been opened.
    ///   - isFirst: true if no device has been opened before.
    ///   - orders: the newest orders. None of these orders has been executed on this device.
    ///   - status: the previous status, whose counters continue.
    ///   - losses: the number of times that the device has been lost.
    ///   - lines: the connections to the other threads.
    ///   - empty: an empty, ended ring with the device's channels, to play while there is no music. It must outlive the
    ///     loop.
    init(
        _ device: consuming RenderDevice, isFirst: Bool, settings: EngineSettings, orders: Orders, status: RenderStatus,
        losses: Int, lines: RenderLines, empty: RingReader
    ) {
        configuration = device.configuration
        self.device = device
        let rate = configuration.format.rate
        self.lines = lines
        idleFrames = settings.handling.closeAfter.map { $0.frames(atRate: rate) } ?? Int.max / 2
        // Do not wait for a stalled device if another one can replace it.
        standstillLimit = settings.fallbacks.devices.isEmpty ? settings.standstillLimit.wholeNanoseconds : 0
        stallTimeout = settings.handling.stallTimeout.wholeNanoseconds
        blockFrames = min(configuration.bufferFrames, rate / 20)
        shortestBlock = min(rate / 500, blockFrames)
        mixed = .allocate(capacity: blockFrames * configuration.format.channels)
        mixed.initialize(repeating: 0, count: blockFrames * configuration.format.channels)
        encoded = .allocate(byteCount: blockFrames * configuration.bytesPerFrame, alignment: 16)
        encoded.initializeMemory(as: UInt8.self, repeating: 0, count: blockFrames * configuration.bytesPerFrame)
        self.empty = empty
        self.losses = losses
        moves = orders.device.moves
        core = RenderCore(ring: empty, jumpFade: settings.jumpFade.frames(atRate: rate), rate: rate)
        queue = DeviceQueue(
            settings.queue, longest: settings.longestQueue, for: configuration, isStarting: isFirst)
        margin = RewindMargin(rate: rate)
        leadIn = min(settings.queue.frames(atRate: rate) * (isFirst ? 2 : 1), queue.short.target)
        self.orders = orders
        // The current orders must be executed again because this device has not received them.
        self.orders.buffer.number = -1
        self.orders.playback.number = -1
        self.orders.sound.number = -1
        self.orders.source.number = -1
        self.orders.page.number = -1
        self.status = status
        self.status.output = OutputPosition()
        self.status.delay = 0
        self.status.done.buffer = 0
        self.status.done.source = -1
        self.status.done.page = -1
        self.status.hasSlot = 0
    }

    deinit {
        mixed.deallocate()
        encoded.deallocate()
    }

    /// The state in which the loop ended.
    var lastStatus: RenderStatus { status }
    var lastOrders: Orders { orders }

    /// Plays until the device is lost or no longer needed, or the engine stops.
    @_noLocks @_noAllocation
    mutating func run() -> RenderEnd {
        status.isRunning = 1
        acceptsFrames(at: Int(realtime_now()))
        lines.status.post(&status)
        lines.phase.set(.open)
        let end = play()
        // When a card vanishes, the wait ends immediately, so the card has played until now. A sound server may have
        // stopped earlier.
        if case .fault = end, status.isRunning != 0 {
            if configuration.canRewind { noteHeard(at: Int(realtime_now())) }
            core.noteSoundPlace(unheard: status.delay)
        }
        status.isRunning = 0
        post()
        return end
    }

    /// Closes the device. A sound server can block this call indefinitely.
    consuming func close() {}

    @_noLocks @_noAllocation
    mutating func play() -> RenderEnd {
        // True if an event of the device may end a wait. After the device has failed, this is false because its
        // descriptors would report the failure continuously.
        var listens = false
        while true {
            // Publish the position at which a fade-out begins before rendering it, because control can query the
            // position in the meantime.
            if takeOrders() { post() }
            let isFed = standstill.isFed
            // Quit only after a fade-out has been heard completely.
            let isHeard = status.output.silentFrames >= status.delay
            if orders.quits != 0, !isFed || orders.playback.plays != 0 || isHeard { return .quit }
            do throws(PCMFault) {
                if isFed { try fillUp() } else if let heard = try waitOutStandstill() { return .resumed(heard) }
                listens = isFed
            } catch {
                if !isFed || !recover(from: error) { return .fault(error) }
                listens = false
            }
            if isFed, orders.playback.plays == 0, status.output.silentFrames > 0 {
                // Close the device only after a fade-out has been heard completely.
                let silence = status.output.silentFrames - status.delay
                if orders.device.moves != moves, silence >= 0 { return .moved }
                if silence >= (orders.device.releases == 0 ? idleFrames : 0) { return .idle }
            }
            post()
            // While the device is stalled, poll often, because a server that continues plays all its frames within
            // milliseconds.
            device.wait(isFed ? pause : 5_000_000, listens: listens && configuration.canRewind)
        }
    }

    /// The time until the loop has to act even if no order arrives, in nanoseconds.
    private var pause: Int {
        @_noLocks @_noAllocation get {
            let untilLow = queue.pause(at: Int(realtime_now()))
            if isMeasuring { return min(untilLow, RewindMargin.interval) }
            guard let frames = framesUntilReport else { return untilLow }
            return min(untilLow, max(frames * 1_000_000_000 / configuration.format.rate, 1_000_000))
        }
    }

    /// Records the frames that the device has played by now, assuming that it has not stopped. The device itself can no
    /// longer be queried.
    @_noLocks @_noAllocation
    private mutating func noteHeard(at now: Int) {
        status.delay = status.output.written - status.heardFrame(at: now, rate: configuration.format.rate)
        status.time = now
    }

    @_noLocks @_noAllocation
    private mutating func post() {
        status.continueIndex = core.continueIndex
        status.isStopped = isStopped ? 1 : 0
        core.postLiveTime(delay: status.delay, at: status.time)
        status.signs.turns += 1
        status.signs.turnedAt = Int(realtime_now())
        lines.status.post(&status)
        // Control may be waiting for this to release the previous music.
        if reports.hasChanged { realtime_wake(lines.control) }
        reports.hasChanged = false
        // Control saves the position when it receives this event, so the status must contain that position.
        if let faded = reports.faded { notify(.faded, faded) }
        reports.faded = nil
        notifyBoundary()
        notifySoundEnd()
        notifyAudibility()
        wakeStorage()
    }
}

import ALSA
import CRealTime

/// The render thread while the device runs: keeps a short queue in it, and carries out orders at the next frame.
///
/// Everything in here is checked by the compiler to neither allocate nor lock, and waits for nothing but the time at
/// which the device needs more, or an order.
struct RenderLoop: ~Copyable {
    let device: RenderDevice
    let configuration: PCMConfiguration
    let lines: RenderLines
    let empty: RingReader
    let losses: Int
    private let idleFrames: Int
    let standstillLimit: Int
    let mixed: UnsafeMutablePointer<Float>
    let encoded: UnsafeMutableRawPointer
    let blockFrames: Int
    let shortestBlock: Int

    var core: RenderCore
    var queue: DeviceQueue
    var trail = RenderTrail()
    var orders: Orders
    var status: RenderStatus
    /// Silent frames to come before anything else: what a device swallows while it starts.
    var leadIn: Int
    /// Frames rendered since all was silent.
    var silentFrames = 0
    /// A directive whose first frame has not been written yet; 0 for none.
    var unheardDirective = 0
    /// Frames in the device after the last turn.
    var queued = 0
    /// Whether some of them have just been taken back.
    var isShort = false
    /// Frames further on, between the device's queue and the ear, and when it was asked for them.
    var beyond = 0
    var delayAskedAt = 0
    /// Room in the device when it was last asked for, and when that last changed.
    var lastRoom = 0
    var movedAt = 0
    /// When it last took any.
    var writtenAt = 0
    var standstill = Standstill.none
    /// The status when the device was given up, and what it still held when it was last asked.
    var givenUp = RenderStatus()
    var held = 0
    /// When the standstill reached its present state, or the device last played some of what it holds.
    var standstillAt = 0
    /// Recoveries since it last took any.
    var recoveries = 0
    var notifiedBoundary = Int.max
    /// Whether the slot is another than control has been told of.
    var hasChanged = false
    var isStorageAwake = false
    var wasStarving = false
    /// Whether the device's frames have gone on without the programme's since the run of `status`.
    var isRunBroken = false

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
    mutating func play() -> RenderEnd {
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
}

import ALSA
import CRealTime
import Files
import Glibc
import PulseAudio
import Threads

/// The thread that owns the device. It opens the device when it is needed, and runs the `RenderLoop` while the device
/// is open. After a loss, it retries until it can open a device again.
///
/// Unlike the loop, this class may allocate and wait, because it does so only while no device is open.
final class RenderThread {
    private let settings: EngineSettings
    private let exchange: RenderExchange
    private let inbox: EngineInbox
    private let watch: ReturnWatch
    private var status = RenderStatus()
    private var losses = 0
    /// True if a device has been opened before.
    private var hasRun = false
    private var isLost = false
    /// The index, in the order of preference, of the device that was opened last.
    private var current: Int?
    /// True if control has been informed that no device can be opened.
    private var hasReportedAbsence = false
    /// The music that the loop plays while there is nothing to play.
    private var empty = PlaybackRing(capacity: 1, history: 0, channels: 1)
    private var retry: Backoff
    /// The value of `DeviceOrder.openings` when the device was last opened.
    private var openings = 0

    init(_ settings: EngineSettings, exchange: RenderExchange, inbox: EngineInbox) {
        self.settings = settings
        self.exchange = exchange
        self.inbox = inbox
        watch = ReturnWatch(settings.handling.watchedFolders)
        retry = settings.handling.retry
    }

    func run() {
        becomeRealTime()
        while true {
            let orders = exchange.readOrders()
            acknowledge(orders)
            if orders.quits != 0 { return }
            adoptLoss(orders)
            // After a loss, wait until control has received the report before reopening the device.
            let isWanted = isLost || orders.wantsSound || orders.device.openings != openings
            guard isWanted, orders.device.releases == 0, orders.device.losses == losses else {
                exchange.renderBell.wait(nil)
                continue
            }
            openings = orders.device.openings
            let start = ContinuousClock.now
            let end: RenderEnd
            do throws(PCMError) {
                // If the result is nil, control has to receive the report of the loss first.
                guard let result = try play(orders) else { continue }
                end = result
            } catch {
                lose(error)
                reportAbsence(error)
                waitForReturn()
                continue
            }
            hasReportedAbsence = false
            switch end {
            case .quit: return
            case .idle: inbox.post(.closed)
            case .moved: leave()
            case .resumed(let heard): inbox.post(.heard(heard))
            case .fault:
                // If the device was lost at once, do not shorten the pause, so that this does not become a busy loop.
                let hasLasted = ContinuousClock.now - start > .seconds(1)
                if hasLasted { retry.restart() }
                // Do not wait if another device can replace it at once.
                if !hasLasted || settings.fallbacks.devices.isEmpty { waitForReturn() }
            }
        }
    }

    /// Confirms the slot in the orders, because without a device nothing uses an old slot.
    private func acknowledge(_ orders: Orders) {
        if status.done.buffer != orders.buffer.number {
            status.done.buffer = orders.buffer.number
            status.forgetPlayback()
            exchange.controlBell.ring()
        }
        status.done.sound = orders.sound.number
        status.done.source = orders.source.number
        status.done.page = orders.page.number
        status.signs.turns += 1
        exchange.lines.status.post(&status)
    }

    /// Adopts a loss that control has detected, which can happen while this thread waits for the device.
    private func adoptLoss(_ orders: Orders) {
        guard orders.device.losses > losses else { return }
        losses = orders.device.losses
        isLost = true
    }

    private func lose(_ error: PCMError) {
        adoptLoss(exchange.readOrders())
        guard !isLost else { return }
        isLost = true
        losses += 1
        inbox.post(.lost(error, losses: losses))
    }

    /// Reports that no device can replace the lost one, once for each loss.
    private func reportAbsence(_ error: PCMError) {
        guard !hasReportedAbsence else { return }
        hasReportedAbsence = true
        inbox.post(.unavailable(error, losses: losses))
    }

    /// Reports that the device is closed. As after a loss, no other device is opened before control has received the
    /// report.
    private func leave() {
        adoptLoss(exchange.readOrders())
        guard !isLost else { return }
        isLost = true
        losses += 1
        inbox.post(.left(losses: losses))
    }

    /// Enters a phase and restarts the time limit of the device for it.
    private func begin(_ phase: DevicePhase) {
        status.signs.acceptedAt = Int(realtime_now())
        exchange.lines.status.post(&status)
        exchange.lines.phase.set(phase)
        let handling = settings.handling
        exchange.deviceAlarm.set(
            after: (phase == .opening ? handling.openTimeout : handling.stallTimeout).wholeNanoseconds)
    }

    private func waitForReturn() {
        watch.wait(exchange.renderBell, &retry) {
            let orders = exchange.readOrders()
            acknowledge(orders)
            return orders.quits != 0 || orders.device.openings != openings
        }
        // Something may have changed that does not take effect at once, such as a program that closes the device.
        if exchange.readOrders().device.openings != openings { retry.restart() }
    }

    /// Opens the first available device and plays until the loop ends.
    /// - Returns: nil if the device that was last in use is lost, and another one can replace it.
    /// - Throws: the error of the most preferred device, if no device can be opened.
    private func play(_ orders: Orders) throws(PCMError) -> RenderEnd? {
        watch.forget()
        defer {
            exchange.lines.phase.set(.closed)
            exchange.deviceAlarm.set(after: nil)
        }
        let devices = settings.devices
        let target = min(orders.device.target, devices.count - 1)
        var failures: [(index: Int, error: PCMError)] = []
        for index in Array(target..<devices.count) + Array(0..<target) {
            do throws(PCMError) {
                // The time limit for opening applies to each device separately.
                begin(.opening)
                let device = try open(index, quietly: isLost || !failures.isEmpty)
                return run(device, index, after: failures.filter { $0.index < index }.map(\.error).first, orders)
            } catch {
                if index == current, !isLost, devices.count > 1 {
                    lose(error)
                    return nil
                }
                failures.append((index, error))
            }
        }
        throw failures.min { $0.index < $1.index }?.error
            ?? .system(ENODEV, operation: "open", device: settings.address.name)
    }

    private func open(_ index: Int, quietly: Bool) throws(PCMError) -> RenderDevice {
        let address = settings.devices[index]
        guard !exchange.readOrders().device.withholds(index) else {
            throw .system(EBUSY, operation: "open", device: address.name)
        }
        if index == current { waitAfterSleep(index) }
        if let server = PulseAddress(address) {
            do throws(PCMError) {
                let stream = try PulseStream.open(
                    server, settings.preferredFormat, program: settings.program, bell: exchange.lines.wakeUp)
                return RenderDevice(stream, phase: exchange.lines.phase)
            } catch {
                guard server.hasOtherWay else { throw error }
            }
        }
        return try RenderDevice(
            try PCM.open(address, blocks: false, quietly: quietly), requesting: request,
            phase: exchange.lines.phase, bell: exchange.lines.wakeUp)
    }

    /// Waits for the device that was in use before a sleep, because a card on USB may take a moment to reappear.
    private func waitAfterSleep(_ index: Int) {
        let deadline = ContinuousClock.now + settings.fallbacks.reopeningTime
        while case let orders = exchange.readOrders(), orders.quits == 0, orders.device.reopens != 0,
            orders.device.releases == 0, settings.devices.count > 1, ContinuousClock.now < deadline,
            !settings.isAvailable(index)
        {
            acknowledge(orders)
            _ = watch.wait(exchange.renderBell, .milliseconds(100))
        }
    }

    /// - Parameter reason: the reason why a preferred device could not be opened.
    private func run(
        _ device: consuming RenderDevice, _ index: Int, after reason: PCMError?, _ orders: Orders
    ) -> RenderEnd {
        adoptLoss(exchange.readOrders())
        inbox.post(
            .opened(device.configuration, device: index, reason: reason, afterLoss: isLost, losses: losses))
        isLost = false
        current = index
        // Create an empty ring that has already ended.
        empty = PlaybackRing(capacity: 1, history: 0, channels: device.configuration.format.channels)
        empty.end()
        var loop = RenderLoop(
            device, isFirst: !hasRun, settings: settings, orders: orders, status: status, losses: losses,
            lines: exchange.lines, empty: empty.reader)
        hasRun = true
        let end = loop.run()
        status = loop.lastStatus
        openings = loop.lastOrders.device.openings
        // Report the loss before closing the device, because a sound server that hangs can block the call that closes
        // it.
        if case .fault(let fault) = end { lose(PCMError(fault, device: settings.devices[index].name)) }
        begin(.closing)
        loop.close()
        return end
    }

    private var request: PCMRequest {
        let rate = settings.preferredFormat.rate
        // A sound server wakes its client and takes a period at a time. The frames that it has taken are played even if
        // a new order arrives. According to the benchmark, a period of 16 ms and a queue of 24 ms are the longest
        // values with which orders take effect within 40 ms. The buffer has room for a longer queue.
        var request = PCMRequest(settings.preferredFormat, periodFrames: rate * 16 / 1000, bufferFrames: rate / 5)
        request.isPaced = true
        // Some cards report their position only with the resolution of a period. The length of a period then limits how
        // far such a card can be rewound.
        let frames = settings.longestQueue.frames(atRate: rate)
        if frames > 0 { request.rewindable = .init(periodFrames: rate / 50, bufferFrames: frames + rate / 50) }
        return request
    }

    private func becomeRealTime() {
        if let reason = NativeThread.becomeRealTime(priority: settings.handling.priority) {
            inbox.post(.notRealTime(reason))
        }
        guard settings.locksMemory else { return }
        let error = realtime_lock_memory()
        if error != 0 {
            inbox.post(.notRealTime("memory is not locked (\(String(errno: error))), so raise LimitMEMLOCK="))
        }
    }
}

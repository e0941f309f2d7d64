import ALSA
import CRealTime
import Threads

/// The thread that owns the device. It opens the device while recording is wanted and runs the `CaptureLoop` while the
/// device is open. After a loss, it retries until it can open the device again, even if recording is no longer wanted,
/// because the return of the device is reported.
///
/// Unlike the loop, this class may allocate and wait, because nothing is recorded while it does so.
final class CaptureThread {
    private let settings: RecorderSettings
    private let exchange: CaptureExchange
    private let inbox: RecorderInbox
    private let watch: ReturnWatch
    private var state = CaptureState()
    private var retry: Backoff
    private var retries = 0

    init(_ settings: RecorderSettings, exchange: CaptureExchange, inbox: RecorderInbox) {
        self.settings = settings
        self.exchange = exchange
        self.inbox = inbox
        watch = ReturnWatch(settings.handling.watchedFolders)
        retry = settings.handling.retry
    }

    func run() {
        becomeRealTime()
        while true {
            takeOrders()
            if state.quits { return }
            guard needsDevice else {
                exchange.captureBell.wait(nil)
                continue
            }
            let start = ContinuousClock.now
            do throws(PCMError) {
                let end = try capture()
                guard case .fault = end else { continue }
            } catch {
                inbox.lose(error)
            }
            // If the device was lost at once, do not shorten the pause, so that this does not become a busy loop.
            if ContinuousClock.now - start > .seconds(1) { retry.restart() }
            waitForReturn()
        }
    }

    private var needsDevice: Bool { (state.isWanted || inbox.isLost) && !state.isAsleep }

    private func capture() throws(PCMError) -> CaptureEnd {
        watch.forget()
        defer { exchange.lines.enter(.closed) }
        exchange.lines.enter(.opening)
        let device = try CaptureDevice(settings, lines: exchange.lines, quietly: inbox.isLost)
        let format = RecordedFormat(
            device.configuration.format, bits: device.configuration.sampleFormat.bits)
        // The device is available now, even if control has declared it lost in the meantime.
        exchange.lines.isGivenUp.value = 0
        exchange.lines.hasDelivered.value = 0
        inbox.post(.deviceOpened(format))
        exchange.lines.marks.push(
            CaptureMark(.format, index: exchange.lines.ring.writeIndex, value: PackedFormat.pack(format)))
        var loop = CaptureLoop(device, settings: settings, lines: exchange.lines, state: state)
        let end = loop.run()
        state = loop.lastState
        // Report the loss before closing the device, because a sound server that hangs can block the call that closes
        // it.
        if case .fault(let fault) = end {
            exchange.lines.hasDelivered.value = 0
            inbox.lose(PCMError(fault, device: settings.device.name))
        }
        exchange.lines.enter(.closing)
        loop.close()
        return end
    }

    /// Executes orders while no device is open. They take effect at once.
    private func takeOrders() {
        let lines = exchange.lines
        while !lines.orders.isEmpty {
            let order = lines.orders.first
            lines.orders.drop()
            // A recording begins with the device's first frame.
            var mark = state.carryOut(order)
            mark.index = lines.ring.writeIndex
            mark.frame = state.frame
            lines.marks.push(mark)
            realtime_wake(lines.storage)
        }
        state.post(to: lines)
    }

    private func waitForReturn() {
        watch.wait(exchange.captureBell, &retry) {
            takeOrders()
            return state.quits || !needsDevice || exchange.lines.retries.value != retries
        }
        guard exchange.lines.retries.value != retries else { return }
        retries = exchange.lines.retries.value
        retry.restart()
    }

    private func becomeRealTime() {
        if let reason = NativeThread.becomeRealTime(priority: settings.handling.priority) {
            inbox.post(.notRealTime(reason))
        }
    }
}

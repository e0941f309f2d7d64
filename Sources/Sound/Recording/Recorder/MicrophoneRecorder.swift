import ALSA
import CRealTime
import Files
import Threads
import Time

/// Records from a device to files. A thread with real-time priority (`capture`) reads the device into a ring of about
/// ten seconds. Another thread (`recording`) writes the files, so that the disk never delays the device.
///
/// **Threading.** Call all functions from one thread, which is called *control*. Only `stop` waits. `descriptor`
/// becomes readable when `takeEvents` should be called.
///
/// **Orders are exact to the frame.** An order takes effect at the frame that was being captured when it was given,
/// according to the delay that the driver reports. `record` begins with this frame, `pause` and `finish` end with the
/// frame before it, and `mute` records silence from this frame on. Each order has a number, counted from 1, and the
/// event that it causes contains this number.
///
/// **The device** is opened when recording is wanted. While recording is paused, the device stays open and its frames
/// are discarded, so that the next `record` begins with the next frame. After `closeAfter`, it is closed. The next
/// `record` then begins with the first frame that the reopened device delivers, a few milliseconds later. If a device
/// is lost, the recording is paused and the file is flushed. When the device returns, the recording continues without
/// silence, or in a new file if the device has another format. Until the device returns, the recorder tries repeatedly
/// to open it, even while recording is paused.
///
/// **Files** are written by a `RecordingWriter`. If frames are lost because of an overrun, silence of the same length
/// replaces them.
// The conformance is unchecked because this class has variables. This is safe because only control uses them.
public final class MicrophoneRecorder: @unchecked Sendable {
    private let settings: RecorderSettings
    private let exchange: CaptureExchange
    private let inbox: RecorderInbox
    private let alarm: WakeupTimer
    private let captureThread: NativeThread?
    private let recordingThread: NativeThread?
    private var orders = 0
    private var lastTime = 0
    /// The orders that wait for room in the queue.
    private var backlog: [CaptureOrder] = []
    private var isWanted = false

    /// Starts both threads. The first `record` opens the device.
    /// - Parameters:
    ///   - calls: the calls to the disk, which tests replace.
    ///   - wallClock: returns the time since 1970, for the names of files. It is called on the storage thread.
    public init(
        _ settings: RecorderSettings, calls: any FileCalls = SystemFileCalls(),
        wallClock: @escaping @Sendable () -> Duration
    ) {
        let settings = settings.limited
        self.settings = settings
        let exchange = CaptureExchange(settings)
        self.exchange = exchange
        alarm = WakeupTimer(exchange.controlBell)
        let inbox = RecorderInbox(bell: exchange.controlBell)
        self.inbox = inbox
        let program = settings.program.lowercased()
        captureThread = NativeThread("\(program)-capture") {
            CaptureThread(settings, exchange: exchange, inbox: inbox).run()
        }
        recordingThread = NativeThread("\(program)-recording") {
            RecordingThread(settings, exchange: exchange, inbox: inbox, calls: calls, wallClock: wallClock).run()
        }
    }

    deinit {
        send(.finish, reason: .shutdown)
        send(.quit)
    }

    // MARK: Orders

    /// Begins or continues to record. Unless recording is already in progress, the event `recording` follows.
    /// - Returns: the order's number.
    @discardableResult
    public func record() -> Int {
        isWanted = true
        return send(.record)
    }

    /// Pauses the recording. The event `paused` follows when everything that was recorded is on the disk. The file
    /// stays open.
    /// - Returns: the order's number.
    @discardableResult
    public func pause() -> Int {
        isWanted = false
        return send(.pause)
    }

    /// Ends the recording and its file. The event `finished` follows when the file is complete on the disk.
    /// - Returns: the order's number.
    @discardableResult
    public func finish(_ reason: RecordingEnd = .stopped) -> Int {
        isWanted = false
        return send(.finish, reason: reason)
    }

    /// Ends the recording and its file like `finish`, closes the device and ends both threads, without waiting for
    /// them. No further order is executed.
    /// - Returns: the order's number.
    @discardableResult
    public func retire(_ reason: RecordingEnd) -> Int {
        let order = finish(reason)
        send(.quit)
        return order
    }

    /// True if both threads have ended and the device is closed.
    public var hasEnded: Bool {
        (captureThread?.join(within: .zero) ?? true) && (recordingThread?.join(within: .zero) ?? true)
    }

    /// Starts or stops replacing the sound of the microphone with silence. The event `muted` follows.
    /// - Returns: the order's number.
    @discardableResult
    public func mute(_ isMuted: Bool) -> Int {
        return send(isMuted ? .mute : .unmute)
    }

    /// Pauses the recording and closes the device because the system is about to sleep. The event `asleep` follows.
    /// Later orders wait for `wake`.
    /// - Returns: the order's number.
    @discardableResult
    public func sleep() -> Int {
        return send(.sleep)
    }

    /// Ends the pause after a sleep. Recording continues if it is wanted.
    public func wake() {
        send(.wake)
    }

    /// Tries at once to open a lost device.
    public func retryDevice() {
        exchange.lines.retries.value += 1
        exchange.captureBell.ring()
    }

    /// Completes the file, ends both threads and waits for them. The events report how much was completed.
    /// - Returns: true if both have ended in time. Otherwise, the device or the disk does not answer. The thread that
    ///   waits for it ends when it answers, and everything up to the last flush is on the disk.
    @discardableResult
    public func stop(within timeout: Duration) -> Bool {
        let deadline = ContinuousClock.now + timeout
        send(.finish, reason: .shutdown)
        send(.quit)
        // The capturing thread gets half of the time to answer. After that, the storage thread completes the file with
        // the frames that it has.
        exchange.endBy.value = Int(realtime_now()) + (timeout / 2).wholeNanoseconds
        exchange.storageBell.ring()
        let isWritten = recordingThread?.join(within: max(.zero, deadline - ContinuousClock.now)) ?? true
        return (captureThread?.join(within: max(.zero, deadline - ContinuousClock.now)) ?? true) && isWritten
    }

    @discardableResult
    private func send(_ kind: CaptureOrder.Kind, reason: RecordingEnd = .stopped) -> Int {
        orders += 1
        lastTime = max(lastTime, Int(realtime_now()))
        backlog.append(CaptureOrder(kind: kind, number: orders, time: lastTime, reason: reason.rawValue))
        sendBacklog()
        alarm.setAlarm(after: watchTime)
        return orders
    }

    /// Sends the orders for which there is room. The room for an order becomes free when the storage thread has
    /// completed the order, so that there is always room for the marks.
    private func sendBacklog() {
        while let order = backlog.first, order.number - exchange.doneOrder.value < CaptureExchange.mostOrders,
            exchange.lines.orders.push(order)
        {
            backlog.removeFirst()
        }
        exchange.captureBell.ring()
    }

    /// The time from one check of the device and the disk to the next, in nanoseconds.
    private var watchTime: Int {
        min(.seconds(1), settings.handling.stallTimeout / 2, settings.slowStorage / 2).wholeNanoseconds
    }

    // MARK: State

    /// The descriptor that is readable when `takeEvents` should be called.
    public var descriptor: Int32 { alarm.descriptor }

    /// Returns the events since the last call, in order. The call also checks whether the device and the disk still
    /// answer.
    public func takeEvents() -> [RecorderEvent] {
        _ = alarm.clear()
        sendBacklog()
        judge()
        // A device that can be opened but does not deliver frames is still treated as lost.
        if exchange.lines.hasDelivered.value != 0 { inbox.regain() }
        let isWatching = isWanted || inbox.isLost || exchange.busySince.value != 0 || !backlog.isEmpty
        alarm.setAlarm(after: isWatching ? watchTime : nil)
        return inbox.take()
    }

    /// The number of frames recorded since the start, including silence.
    public var recordedFrames: Int { exchange.recorded.value }
    /// The number of frames lost since the start because the device or the disk was too slow.
    public var lostFrames: Int { exchange.readStatus().lost }
    /// The file being written, or nil if there is none.
    public var currentFile: String? { inbox.file }
    /// False from `deviceLost` to `deviceReturned`.
    public var isDeviceAvailable: Bool { !inbox.isLost }
    /// True if frames are being recorded.
    public var isRecording: Bool { exchange.readStatus().isRecording != 0 }
    /// The time for which the storage thread has been waiting for the disk, or nil if it is not waiting.
    public var storageBusyTime: Duration? { Self.time(since: exchange.busySince.value) }

    /// Counters for a watchdog.
    public var progress: RecorderProgress {
        RecorderProgress(
            captureTurns: exchange.readStatus().turns, storageTurns: exchange.storageTurns.value,
            isHeldByDevice: phase.isHeldByDevice, isHeldByStorage: exchange.busySince.value != 0)
    }

    /// Makes both threads take a turn, which `progress` shows, unless the device or the disk blocks them.
    public func poke() {
        exchange.captureBell.ring()
        exchange.storageBell.ring()
    }

    /// The action of the capturing thread on the device.
    var phase: DevicePhase { exchange.lines.phase.value }

    /// Declares a device lost that does not answer. The capturing thread cannot do so because it is inside one of the
    /// device's calls. The function also reports a slow disk.
    private func judge() {
        let busy = exchange.busySince.value
        if let time = Self.time(since: busy), time > settings.slowStorage, exchange.reportedBusy.value != busy {
            exchange.reportedBusy.value = busy
            inbox.post(.storageSlow(time))
        }
        let phase = phase
        guard let time = Self.time(since: exchange.lines.phaseSince.value) else { return }
        let timeout: Duration
        switch phase {
        case .closed, .open: return
        case .opening: timeout = settings.handling.openTimeout
        case .calling, .closing: timeout = settings.handling.stallTimeout
        }
        guard time > timeout else { return }
        exchange.lines.isGivenUp.value = 1
        exchange.lines.hasDelivered.value = 0
        inbox.lose(
            .system(ETIMEDOUT, operation: phase == .opening ? "open" : "capture from", device: settings.device.name))
    }

    private static func time(since start: Int) -> Duration? {
        start == 0 ? nil : .nanoseconds(Int(realtime_now()) - start)
    }
}

/// Counters for a watchdog, which increase as long as the threads of a recorder are alive.
public struct RecorderProgress: Hashable, Sendable {
    /// The numbers of turns of both threads. `MicrophoneRecorder.poke` makes each thread take another turn soon.
    public let captureTurns: Int
    public let storageTurns: Int
    /// True if a thread waits inside a call for the device or for the disk, respectively. If the call takes long, the
    /// recorder reports this. Restarting the process would not help.
    public let isHeldByDevice: Bool
    public let isHeldByStorage: Bool
}

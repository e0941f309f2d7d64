import ALSA
import CRealTime
import Threads
import Time

/// Plays tracks on a device in real time.
///
/// Three threads share the work. The caller's thread, called *control*, gives orders and takes events. Calls do not
/// wait for the sound card or the disk, except that `stop` waits for the other threads. The *render* thread keeps a
/// short queue in the device and applies the gain to exactly the frames that it writes. The *storage* thread decodes
/// ahead. `OfflineEngine` plays the same music on a virtual clock.
///
/// The engine reports results that a call cannot return at once as events. When `descriptor` becomes readable, call
/// `takeEvents`. Use an engine from one thread only. After `stop`, only the playhead is valid.
public final class RealTimeEngine {
    let settings: EngineSettings
    let exchange = RenderExchange()
    private let inbox: EngineInbox
    private let storage: StorageThread
    private let renderThread: NativeThread?
    private let storageThread: NativeThread?
    /// The thread that reads the sounds, or nil if there are none. It only waits for files, so no other thread waits
    /// for it.
    let soundThread: SoundThread?

    var playback: PlaybackMachine<LoadedBuffer>
    var events: [PlaybackEvent] = []
    var orders = Orders()
    var sounds: SoundControl
    var live: InputControl
    private var buffers = OrderedBuffers()
    /// The number of the request that was last passed to the storage thread.
    private var sentRequest = 0
    /// The number of the playback order that started the last fade-out.
    private var fadeOut: Int?
    var device: DeviceControl
    /// The thread that watches for the return of preferred devices, or nil if there is only one device.
    let probe: DeviceProbe?
    let watch: DeviceWatch
    let alarm: WakeupTimer
    var isAlarmSet = false
    /// The playback orders that have not been heard yet. Each has its number and the time at which it was given, in
    /// nanoseconds.
    private var unheard: [(number: Int, given: Int)] = []

    /// Creates an engine for a library in its own order.
    public convenience init(
        tracks: [Track], order: TrackOrder, sounds: [Sound] = [], inputs: [LiveInput] = [], settings: EngineSettings
    ) {
        self.init(tracks: TrackList(tracks), order: order, sounds: sounds, inputs: inputs, settings: settings)
    }

    /// Starts the threads. The engine does not open a device before `open` or `play` is called.
    /// - Parameters:
    ///   - tracks: the library.
    ///   - order: the order in which tracks follow each other. Its functions are called on the storage thread.
    ///   - sounds: the sounds that `playSound` can play. They are read at once and reported as `soundReadable` or
    ///     `soundUnreadable`.
    ///   - inputs: the live inputs that `select` can select.
    public init(
        tracks: TrackList, order: TrackOrder, sounds: [Sound] = [], inputs: [LiveInput] = [], settings: EngineSettings
    ) {
        self.settings = settings.limited
        live = InputControl(inputs)
        playback = PlaybackMachine(format: self.settings.preferredFormat, jumpFade: self.settings.jumpFade)
        self.sounds = SoundControl(sounds, format: self.settings.preferredFormat)
        watch = DeviceWatch(
            timeout: settings.handling.stallTimeout.wholeNanoseconds,
            openingTimeout: settings.handling.openTimeout.wholeNanoseconds)
        alarm = WakeupTimer(exchange.controlBell, or: exchange.deviceAlarm)
        let inbox = EngineInbox(bell: exchange.controlBell)
        self.inbox = inbox
        device = DeviceControl(
            settings.devices, settle: settings.fallbacks.settle,
            timeout: settings.handling.stallTimeout.wholeNanoseconds)
        let probe = settings.fallbacks.devices.isEmpty ? nil : DeviceProbe(self.settings, inbox: inbox)
        self.probe = probe
        let finder = TrackFinder(
            tracks: tracks, order: order, storage: StorageProbe(tracks.library, library: settings.library)
        ) { track, reason in
            inbox.post(.skipped(track: track, reason))
        }
        let storage = StorageThread(finder: finder, settings: settings, exchange: exchange, inbox: inbox)
        self.storage = storage
        let (exchange, settings) = (exchange, self.settings)
        let soundThread = sounds.isEmpty ? nil : SoundThread(sounds, inbox: inbox)
        self.soundThread = soundThread
        if let soundThread {
            soundThread.read(in: settings.preferredFormat)
            if NativeThread("\(settings.program)-sounds", { soundThread.run() }) == nil {
                // In this case, every sound is treated as unreadable when it is needed.
                inbox.post(
                    .notRealTime("the system cannot start another thread, so no sound can be read: raise TasksMax="))
            }
        }
        if let probe, NativeThread("\(settings.program)-scout", { probe.run() }) == nil {
            inbox.post(
                .notRealTime("the system cannot start another thread, so no device can be used again: raise TasksMax="))
        }
        storageThread = NativeThread("\(settings.program)-storage") { storage.run() }
        renderThread = NativeThread("\(settings.program)-render") {
            RenderThread(settings, exchange: exchange, inbox: inbox).run()
        }
        if storageThread == nil || renderThread == nil {
            inbox.post(
                .notRealTime("the system cannot start another thread, so nothing can be played: raise TasksMax="))
        }
    }

    deinit {
        // Do not wait again for a thread that did not end in an earlier `stop`.
        guard !stop(within: orders.quits == 0 ? .seconds(1) : .zero) else { return }
        // A thread hangs in a library call. Abandon the thread, and keep the buffers because the thread may still
        // access them.
        buffers.retired.forEach { _ = Unmanaged.passRetained($0) }
        if let buffer = playback.buffer { _ = Unmanaged.passRetained(buffer) }
        sounds.inUse.forEach { _ = Unmanaged.passRetained($0) }
        (live.retired + live.inputs.map(\.buffer)).forEach { _ = Unmanaged.passRetained($0) }
    }

    /// Ends the threads and closes the device. If music is playing, it is cut off at once. If a fade-out is in
    /// progress, it is played to its end first. The playhead stays the same.
    /// - Parameter timeout: the time to wait for the threads.
    /// - Returns: true if all threads have ended within that time. Otherwise, the function can be called again.
    @discardableResult
    public func stop(within timeout: Duration) -> Bool {
        if orders.quits == 0 {
            orders.quits = 1
            forgetSound()
            exchange.post(orders)
            storage.quit()
            soundThread?.quit()
            probe?.quit()
        }
        let deadline = ContinuousClock.now + timeout
        let isRenderDone = renderThread?.join(within: timeout) ?? true
        let isStorageDone = storageThread?.join(within: max(.zero, deadline - ContinuousClock.now)) ?? true
        // Free the sounds, because the next engine reads its sounds before this one is deallocated.
        if isRenderDone { sounds.forgetContents() }
        return isRenderDone && isStorageDone
    }

    // MARK: Events

    /// The descriptor that becomes readable when `takeEvents` should be called. The engine owns it.
    public var descriptor: Int32 { alarm.descriptor }

    /// Clears `descriptor`. Call this first when `descriptor` is readable. If only the check of the device is due and
    /// the device accepts frames, the engine schedules the next check, and the caller does not need to do anything.
    /// - Returns: true if `takeEvents` should be called.
    public func hasNews() -> Bool {
        let (hasRung, hasGoneOff) = alarm.clear()
        let isOverdue = exchange.deviceAlarm.clear()
        if hasGoneOff || isOverdue { isAlarmSet = false }
        guard !hasRung, hasGoneOff || isOverdue, sounds.timeoutEnd == nil, device.isOpen,
            case .lookAgain(let pause) = verdict
        else { return true }
        watchDevice(again: pause)
        return false
    }

    /// Returns the events since the last call, in order. Call this whenever `descriptor` is readable, because the
    /// engine also detects losses of the device here.
    public func takeEvents() -> [PlaybackEvent] {
        let hasGoneOff = alarm.clear().hasGoneOff
        if exchange.deviceAlarm.clear() || hasGoneOff { isAlarmSet = false }
        freeRetiredBuffers()
        for message in inbox.take() { take(message) }
        while let event = exchange.lines.events.pop() { take(event) }
        watchDevice()
        withdrawDevice()
        passBoundaries()
        freeRetiredBuffers()
        orderHeldSound()
        freeRetiredSounds()
        freeRetiredInputs()
        useReturnedDevice()
        defer { events = [] }
        return events
    }

    /// The progress of the threads, for a watchdog.
    public var progress: EngineProgress {
        let status = exchange.readStatus()
        return EngineProgress(
            renderTurns: status.signs.turns, storageTurns: exchange.storageProgress,
            isHeldByDevice: exchange.lines.phase.value.isHeldByDevice, underruns: status.underruns,
            lateRewinds: status.lateRewinds)
    }

    /// The time until which the music actually advances, as far as is known, on CLOCK_MONOTONIC. While music is heard, it
    /// is postponed long before it is reached. It passes while the storage does not deliver frames, the device does not
    /// accept frames, or a thread hangs, and soon after a fade-out. A live input that is played advances even if nothing
    /// arrives.
    public var advancesUntil: Duration { .nanoseconds(exchange.readStatus().advancesUntil) }

    /// True if a requested track has not been read yet.
    public var isLoading: Bool { playback.request != nil }

    /// Wakes the threads, so that `progress` shows that they are alive.
    public func poke(render: Bool = true, storage: Bool = true) {
        if render { exchange.renderBell.ring() }
        if storage { exchange.storageBell.ring() }
    }

    private func take(_ message: EngineMessage) {
        switch message {
        case .opened(let configuration, let index, let reason, let afterLoss, let losses):
            // If the number of losses differs, control has declared the device lost in the meantime.
            if losses == orders.device.losses { opened(configuration, index, reason, afterLoss: afterLoss) }
        case .unavailable(let error, let losses):
            guard losses == orders.device.losses, case .replacing(let loss, _, _) = device.state else { break }
            giveUp(because: loss ?? error)
        case .left(let losses): if losses > orders.device.losses { left() }
        case .returned(let index, let watch): if watch == probe?.watches { device.noteReturn(of: index) }
        case .closed:
            guard device.isOpen else { break }
            device.closed()
            events.append(.deviceClosed)
            // The device closed on its own before it was ordered to close for a preferred device.
            if device.isLeaving { open() }
        case .lost(let error, let losses):
            if losses > orders.device.losses { lost(error, at: Int(realtime_now())) }
        case .heard(let heard): playback.correct(bufferNumber: heard.slotNumber, index: heard.index)
        case .notRealTime(let reason): events.append(.notRealTime(reason))
        case .loaded(let number, let buffer): perform(playback.found(number, buffer))
        case .nothingToLoad(let number): perform(playback.nothingFound(number))
        case .skipped(let track, let reason): events.append(.trackSkipped(track: track, reason: reason))
        case .bufferChanged: break
        case .storageLost(let loss): events.append(.storageLost(loss))
        case .storageReturned: events.append(.storageReturned)
        case .soundRead(let sound, let format, let result):
            if let event = sounds.take(sound, format, result) { events.append(event) }
        case .clipRead(let call, let format, let result): take(clip: call, format, result)
        case .restOpened(let stream): sounds.noteOpened(stream)
        case .soundBroken(let sound, let reason):
            if reason.reason != .gap { sounds.noteBreak(of: sound) }
            events.append(.soundBroken(sound: sound, reason: reason))
            if reason.reason != .gap, let (_, call) = sounds.giveUpOpening(at: Int(realtime_now()), failed: sound) {
                events.append(.soundCut(order: call))
            }
        case .soundMutilated(let sound): sounds.noteBreak(of: sound)
        }
    }

    private func take(_ event: RenderEvent) {
        switch event.kind {
        case .effect:
            while let first = unheard.first, first.number <= event.number {
                unheard.removeFirst()
                let effect = CommandEffect(
                    given: .nanoseconds(first.given), heard: .nanoseconds(event.time), frame: event.frame)
                events.append(.effect(effect))
            }
        case .faded: if event.number > live.quietFade { events.append(.faded) }
        case .underrun: events.append(.underrun(queue: .milliseconds(event.number)))
        case .rewindMargin: events.append(.rewindMeasured(margin: .microseconds(event.number)))
        case .rewoundTooLate: events.append(.rewoundTooLate(margin: .microseconds(event.number)))
        case .starving: events.append(.storageStarved)
        case .fed: events.append(.storageRecovered)
        case .audibility: events.append(.audibilityChanged(DeviceAudibility(code: event.number)))
        case .soundHeard, .soundEnded, .soundBroken: take(soundEvent: event)
        case .boundary: break
        }
    }

    // MARK: The music

    /// Goes to a position in a track once the storage thread has opened the track. The result is reported as `loaded`,
    /// or as `nothingToLoad` if nothing changes. While music is playing, the old music continues until then and
    /// crossfades to the new music.
    /// - Parameters:
    ///   - track: the index of the track in the list of tracks.
    ///   - position: the time from the track's start. At or beyond the track's end, the next track follows at once.
    ///   - direction: the direction in which to search if that track cannot be opened. In that case, the track that is
    ///     found begins at its start.
    public func load(track: Int, at position: Duration, searching direction: SearchDirection = .forward) {
        perform(playback.load(track: track, at: position, searching: direction, index: bufferIndex))
    }

    /// Goes to a position of the current track, like `load`. The call does nothing if there is no track.
    public func seek(to position: Duration) { perform(playback.seek(to: position, index: bufferIndex)) }

    /// Executes the machine's actions, and posts all resulting orders to the render thread at once.
    func perform(_ actions: [PlaybackMachine<LoadedBuffer>.Action]) {
        guard !actions.isEmpty else { return }
        for action in actions {
            switch action {
            case .find:
                freeRetiredBuffers()
                sendRequest()
            case .change(let buffer): order(buffer)
            case .leaveBuffer: leaveBuffer()
            case .open: orders.device.openings += 1
            case .play(let order):
                orders.playback.notBefore = order.notBefore
                direct(plays: true, gain: order.gain, over: order.ramp, given: order.given)
            case .silence: break
            case .report(let event): events.append(event)
            }
        }
        post()
    }

    /// Passes the request to the storage thread, but not before the render thread has released old buffers.
    private func sendRequest() {
        guard buffers.hasRoom, let request = playback.request, request.number != sentRequest else {
            return
        }
        sentRequest = request.number
        storage.request(request)
    }

    private func order(_ buffer: LoadedBuffer?) {
        buffers.order(buffer)
        orders.buffer.slot = buffer.map { Int(bitPattern: $0.slot) } ?? 0
        orders.buffer.number = playback.bufferNumber
    }

    private func leaveBuffer() {
        order(nil)
        // An input is silenced separately.
        guard !live.isInput else { return }
        unheard = []
        orders.playback.plays = 0
        // Use this ramp instead of the previous one to fade out the music that is still being played.
        orders.playback.ramp = settings.jumpFade.wholeNanoseconds
        orders.playback.number += 1
    }

    /// Frees the buffers that the render thread no longer uses.
    private func freeRetiredBuffers() {
        guard !buffers.retired.isEmpty, exchange.readStatus().done.buffer == orders.buffer.number else { return }
        buffers.freeRetired()
        sendRequest()
    }

    /// Plays the selected source with a ramp to a gain. The call starts from silence, reverses a fade-out or, while music
    /// is playing, changes the volume. The engine opens the device if it is closed. It does nothing if the source is the
    /// library and there is no track.
    /// - Parameters:
    ///   - gain: the linear gain, 0 or more. 1 leaves the samples unchanged.
    ///   - ramp: the length of the ramp, which is at most an hour.
    ///   - rewinding: the time by which to go back first if the library's playback is stopped, but not before the
    ///     track's start.
    ///   - wait: the time to wait before the first frame if the output is silent. It is at most an hour.
    ///   - given: the time at which the command was given, on CLOCK_MONOTONIC, or nil for the current time.
    public func play(
        gain: Float, over ramp: Duration, rewinding: Duration = .zero, after wait: Duration = .zero,
        given: Duration? = nil
    ) {
        let notBefore = wait > .zero ? Int(realtime_now()) + min(wait, .seconds(3600)).wholeNanoseconds : 0
        let order = PlaybackMachine<LoadedBuffer>.PlayRequest(
            gain: gain, ramp: ramp, notBefore: notBefore, given: given?.wholeNanoseconds ?? Int(realtime_now()))
        guard !live.isInput else { return playInput(order) }
        perform(
            playback.play(
                order, rewinding: rewinding, isFadingOut: isFadingOut, isOpen: device.isOpen, index: bufferIndex))
    }

    /// Fades out, reports `faded` and stops. After that, `play` resumes at the frame at which the fade-out began. The
    /// call does nothing unless music is playing.
    /// - Parameters:
    ///   - ramp: the length of the fade, which is at most `EngineSettings.longestFade`.
    ///   - given: the time at which the command was given, on CLOCK_MONOTONIC, or nil for the current time.
    public func silence(over ramp: Duration, given: Duration? = nil) {
        if live.isInput {
            live.held = nil
            guard live.request != nil else { return }
            live.request = nil
        } else if playback.silence().isEmpty {
            return
        }
        direct(
            plays: false, gain: 0, over: min(ramp, settings.longestFade),
            given: given?.wholeNanoseconds ?? Int(realtime_now()))
        fadeOut = orders.playback.number
        post()
    }

    /// The time for which audio is still heard after an order to end it. It includes the frames in the device and the
    /// fade-out of a sound.
    public var tail: Duration {
        let status = exchange.readStatus()
        guard status.isRunning != 0, let rate = device.configuration?.format.rate else { return settings.jumpFade }
        return settings.jumpFade + .nanoseconds(max(0, status.delay) * 1_000_000_000 / rate)
    }

    /// True if the last order was a fade-out that has not ended yet, so that `play` reverses it.
    public var isFadingOut: Bool {
        guard fadeOut == orders.playback.number else { return false }
        let status = exchange.readStatus()
        return status.isRunning != 0 && (status.done.playback != orders.playback.number || status.isStopped == 0)
    }

    func direct(plays: Bool, gain: Float, over ramp: Duration, given: Int) {
        orders.playback.plays = plays ? 1 : 0
        orders.playback.gain = Int(gain.bitPattern)
        // Limit the ramp because the render thread multiplies it by the rate.
        orders.playback.ramp = min(ramp, .seconds(3600)).wholeNanoseconds
        orders.playback.number += 1
        unheard.append((orders.playback.number, given))
    }

    // MARK: Position

    /// The frame being heard, according to the driver. While fading out or stopped, it is the frame at which the music
    /// will resume. While a jump waits for the storage, it is the target of the jump. The value is nil if there is no
    /// track.
    public var playhead: Playhead? { playback.playhead(at: bufferIndex) }

    /// The frame being heard. It differs from the playhead while a jump waits for the storage, because the previous
    /// music continues until then.
    public var heard: Playhead? { playback.heard(at: bufferIndex) }

    /// The length of the playhead's track, if it is known. It may be an estimate.
    public var trackLength: Duration? { playback.trackLength(at: bufferIndex)?.length }
    /// The length of the playhead's track, if it is certain.
    public var certainTrackLength: Duration? { playback.trackLength(at: bufferIndex)?.ifCertain }

    var bufferIndex: Int? { bufferIndex(at: Int(realtime_now())) }

    /// Returns the music's ring index in the current buffer at a time in nanoseconds of CLOCK_MONOTONIC, or nil if
    /// there is no buffer.
    func bufferIndex(at time: Int) -> Int? {
        guard let buffer = playback.buffer else { return nil }
        let status = exchange.readStatus()
        // The render thread has not started to use the buffer yet, or no device has played it.
        guard status.done.buffer == orders.buffer.number, status.hasSlot != 0 else {
            return buffer.ring.reader.readIndex
        }
        // If a fade-out is about to begin, it starts at the next frame written or, if the device can rewind, soon after
        // the frame being heard. A position that is saved now must not be behind that frame. Music that has been silenced
        // will resume at this frame, even if the fade-out has not been heard yet.
        let isExecuted = status.done.playback == orders.playback.number
        let continues = isExecuted ? status.isStopped != 0 : device.configuration?.canRewind != true
        if orders.playback.plays == 0, status.isRunning != 0, continues { return status.continueIndex }
        return status.heardIndex(at: time, rate: buffer.format.rate)
    }

    private func passBoundaries() {
        let now = Int(realtime_now())
        guard let buffer = playback.buffer, let index = bufferIndex(at: now) else { return }
        // While the music waits for the amplifier, a track of which nothing is left has not ended. The render thread
        // sends another event when the wait is over.
        let status = exchange.readStatus()
        let isExecuted = status.done.playback == orders.playback.number
        let hasWaited = isExecuted ? status.hasWaited(at: now, rate: buffer.format.rate) : status.isStopped == 0
        for case .report(let event) in playback.passBoundaries(at: index, including: hasWaited) {
            events.append(event)
        }
        buffer.boundary.value = playback.nextBoundary ?? Int.max
    }
}

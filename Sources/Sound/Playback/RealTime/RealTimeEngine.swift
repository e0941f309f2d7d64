import ALSA
import CRealTime
import Threads

/// Plays tracks on a device in real time.
///
/// Three threads share the work. The caller's (*control*) gives orders and takes events; none of its calls waits for
/// the sound card or the disk. The *render* thread keeps a short queue in the device and applies gains to the very
/// frames it hands over. The *storage* thread decodes ahead. See `OfflineEngine` for the same programme without time.
///
/// What the calls cannot know at once they tell as an event, when `descriptor` becomes readable and `takeEvents` is
/// called. For one thread; after `stop` only the playhead is of use.
public final class RealTimeEngine {
    let settings: EngineSettings
    let exchange = RenderExchange()
    private let inbox: EngineInbox
    private let storage: StorageThread
    private let renderThread: NativeThread?
    private let storageThread: NativeThread?

    private var programme: ProgrammeMachine<LoadedDeck>
    private var events: [PlaybackEvent] = []
    private var orders = Orders()
    /// The deck that the render thread is to use, and those that it may still use.
    private var ordered: LoadedDeck?
    private var retired: [LoadedDeck] = []
    /// Number of the request that the storage thread got last.
    private var sentRequest = 0
    /// The directive of the last fade-out.
    private var fadeOut: Int?
    private var device = DeviceState.closed
    /// The device's configuration when it was opened last; nil before the first opening.
    private var configuration: PCMConfiguration?
    private let watch: DeviceWatch
    private let door: AlarmBell
    private var isAlarmSet = false
    /// Directives that have not been heard yet: their number, and when they were given.
    private var unheard: [(directive: Int, given: Int)] = []

    /// The device, as control knows it.
    private enum DeviceState {
        case closed, open
        /// Until it is opened again.
        case lost
    }

    /// Most decks that may wait for the render thread to let go of them.
    private static let mostRetired = 2

    /// Starts its threads. No device is opened before `open` or `play`.
    /// - Parameters:
    ///   - tracks: the library.
    ///   - order: which track follows which; called on the storage thread.
    public init(tracks: [Track], order: TrackOrder, settings: EngineSettings) {
        self.settings = settings.limited
        programme = ProgrammeMachine(format: self.settings.preferredFormat, jumpFade: self.settings.jumpFade)
        watch = DeviceWatch(
            patience: settings.stallTimeout.wholeNanoseconds,
            openingPatience: settings.openTimeout.wholeNanoseconds)
        door = AlarmBell(exchange.controlBell)
        let inbox = EngineInbox(bell: exchange.controlBell)
        self.inbox = inbox
        let finder = TrackFinder(
            tracks: tracks, order: order, storage: StorageProbe(tracks, library: settings.library)
        ) { track, reason in
            inbox.post(.skipped(track: track, reason))
        }
        let storage = StorageThread(finder: finder, settings: settings, exchange: exchange, inbox: inbox)
        self.storage = storage
        let (exchange, settings) = (exchange, self.settings)
        storageThread = NativeThread("tacet-storage") { storage.run() }
        renderThread = NativeThread("tacet-render") {
            RenderThread(settings, exchange: exchange, inbox: inbox).run()
        }
        if storageThread == nil || renderThread == nil {
            inbox.post(.notRealTime("the system has no more threads, and nothing can be played: raise TasksMax"))
        }
    }

    deinit {
        // A thread that did not end when asked before is not waited for again.
        guard !stop(within: orders.quits == 0 ? .seconds(1) : .zero) else { return }
        // A library call hangs in a thread, which is left behind, and may still use what the decks point to.
        retired.forEach { _ = Unmanaged.passRetained($0) }
        if let deck = programme.deck { _ = Unmanaged.passRetained(deck) }
    }

    /// Ends the threads and closes the device: at once while playing, or when a fade-out under way has been heard. The
    /// playhead stays.
    /// - Returns: whether they have ended within that time; where not, it may be called again.
    @discardableResult
    public func stop(within timeout: Duration) -> Bool {
        if orders.quits == 0 {
            orders.quits = 1
            exchange.post(orders)
            storage.quit()
        }
        let deadline = ContinuousClock.now + timeout
        let isRenderDone = renderThread?.join(within: timeout) ?? true
        let isStorageDone = storageThread?.join(within: max(.zero, deadline - ContinuousClock.now)) ?? true
        return isRenderDone && isStorageDone
    }

    // MARK: Events

    /// Readable when there are events to take.
    public var descriptor: Int32 { door.descriptor }

    /// What has happened since the last call, in order.
    public func takeEvents() -> [PlaybackEvent] {
        if door.clear() { isAlarmSet = false }
        letGo()
        for message in inbox.take() { take(message) }
        while let note = exchange.lines.notes.pop() { take(note) }
        watchDevice()
        passBoundaries()
        letGo()
        defer { events = [] }
        return events
    }

    /// How far its threads have come.
    public var progress: EngineProgress {
        let status = exchange.readStatus()
        return EngineProgress(
            renderTurns: status.turns, storageTurns: exchange.storageProgress,
            isHeldByDevice: exchange.lines.phase.value.isHeldByDevice, underruns: status.underruns)
    }

    /// Whether the programme really advances: the device has just taken frames of it. False while the storage delivers
    /// none, the device accepts none or a thread hangs, whatever was ordered; and soon after a fade-out.
    public var isAdvancing: Bool { exchange.readStatus().isAdvancing(at: Int(realtime_now())) }

    /// Whether a track that was asked for has not been read yet.
    public var isLoading: Bool { programme.request != nil }

    /// Wakes both threads, to show that they are alive.
    public func poke() {
        exchange.renderBell.ring()
        exchange.storageBell.ring()
    }

    private func take(_ message: EngineMessage) {
        switch message {
        case .opened(let configuration, let afterLoss, let losses):
            // Or it has been given up since.
            if losses == orders.losses { opened(configuration, afterLoss: afterLoss) }
        case .closed:
            guard case .open = device else { break }
            device = .closed
            events.append(.deviceClosed)
        case .lost(let error, let losses):
            if losses > orders.losses { lost(error, at: Int(realtime_now())) }
        case .heard(let heard): programme.correct(deckNumber: heard.slotNumber, index: heard.index)
        case .notRealTime(let reason): events.append(.notRealTime(reason))
        case .loaded(let number, let deck): perform(programme.found(number, deck))
        case .nothingToLoad(let number): perform(programme.nothingFound(number))
        case .skipped(let track, let reason): events.append(.trackSkipped(track: track, reason: reason))
        case .deckChanged: break
        case .storageLost(let loss): events.append(.storageLost(loss))
        case .storageBack: events.append(.storageBack)
        }
    }

    private func take(_ note: Note) {
        switch note.kind {
        case .effect:
            while let first = unheard.first, first.directive <= note.number {
                unheard.removeFirst()
                let effect = CommandEffect(
                    given: .nanoseconds(first.given), heard: .nanoseconds(note.time), frame: note.frame)
                events.append(.effect(effect))
            }
        case .faded: events.append(.faded)
        case .underrun: events.append(.underrun(queue: .milliseconds(note.number)))
        case .starving: events.append(.storageStarved)
        case .fed: events.append(.storageRecovered)
        case .boundary: break
        }
    }

    // MARK: The device

    /// Opens the device; whether it is there, an event tells.
    public func open() {
        orders.openings += 1
        post()
    }

    private func post() {
        exchange.post(orders)
        // Whatever was ordered, the device may be opened for it.
        if !isAlarmSet { setAlarm(after: watch.patience) }
    }

    private func setAlarm(after nanoseconds: Int) {
        if case .lost = device { return }
        door.setAlarm(after: nanoseconds)
        isAlarmSet = true
    }

    /// Looks whether the device still accepts frames.
    private func watchDevice() {
        if case .lost = device { return }
        guard !isAlarmSet else { return }
        let phase = exchange.lines.phase.value
        let status = exchange.readStatus()
        switch watch.judge(phase, status, isWanted: orders.plays != 0, at: Int(realtime_now())) {
        case .idle: break
        case .lookAgain(let pause): setAlarm(after: pause)
        case .lost:
            // What it holds may be heard after all, if it has only stopped for a while: `correct` learns of that.
            lost(
                PCMError(
                    PCMFault(phase == .opening ? .open : .play, code: ETIMEDOUT), device: settings.address.name),
                at: status.time)
        }
    }

    /// A hint: tries at once to open a device that is lost.
    public func deviceMayBeBack() {
        open()
    }

    /// Gives up the programme: silent at once, and the playhead stays. The device is not closed.
    public func tearDown() { perform(programme.tearDown(index: deckIndex)) }

    /// Rebuilds the programme in the device's present format, at its present position. What was playing continues, out of
    /// silence; after a loss nothing was.
    public func rebuild() { perform(programme.rebuild(index: deckIndex, at: Int(realtime_now()))) }

    private func opened(_ configuration: PCMConfiguration, afterLoss: Bool) {
        let previous = self.configuration
        self.configuration = configuration
        device = .open
        programme.format = configuration.format
        events.append(.deviceOpened(configuration))
        if afterLoss {
            events.append(.deviceReset(configuration))
        } else if let previous, previous.format != configuration.format {
            events.append(.configurationChanged(configuration.format))
        } else if let format = programme.deck?.format ?? programme.request?.format, format != configuration.format {
            // Before the first opening, decks are made for a guess.
            rebuild()
        }
        perform(programme.opened(index: deckIndex))
    }

    /// - Parameter time: until then it is known what the device played, in nanoseconds of CLOCK_MONOTONIC.
    private func lost(_ error: PCMError, at time: Int) {
        device = .lost
        // With the same post: the render thread is to see the programme end because of the loss.
        orders.losses += 1
        // What the device did not play any more will be played again.
        perform(programme.tearDown(index: deckIndex(at: time)))
        events.append(.deviceLost(error))
    }

    // MARK: The programme

    /// Goes to a place of a track, as soon as it has been found: `loaded` or `nothingToLoad` tells. While playing the
    /// old programme plays until then, and gives way over the jump fade.
    /// - Parameters:
    ///   - track: index into the tracks.
    ///   - position: from the track's start; at or beyond its end nothing is played of it.
    ///   - direction: where to go on, from the start of a track, if that track cannot be opened.
    public func load(track: Int, at position: Duration, searching direction: SearchDirection = .forward) {
        perform(programme.load(track: track, at: position, searching: direction, index: deckIndex))
    }

    /// Goes to a position of the current track, like `load`; does nothing without one.
    public func seek(to position: Duration) { perform(programme.seek(to: position, index: deckIndex)) }

    /// Carries out what the machine decided, and posts it to the render thread as a whole.
    private func perform(_ actions: [ProgrammeMachine<LoadedDeck>.Action]) {
        guard !actions.isEmpty else { return }
        for action in actions {
            switch action {
            case .find:
                letGo()
                sendRequest()
            case .change(let deck): order(deck)
            case .leaveDeck: leaveDeck()
            case .open: orders.openings += 1
            case .play(let order): direct(plays: true, gain: order.gain, over: order.ramp, given: order.given)
            case .silence: break
            case .report(let event): events.append(event)
            }
        }
        post()
    }

    /// Not before the render thread has let go of old decks: they take memory.
    private func sendRequest() {
        guard retired.count < Self.mostRetired, let request = programme.request, request.number != sentRequest else {
            return
        }
        sentRequest = request.number
        storage.request(request)
    }

    private func order(_ deck: LoadedDeck?) {
        if let ordered { retired.append(ordered) }
        ordered = deck
        orders.slot = deck.map { Int(bitPattern: $0.slot) } ?? 0
        orders.slotNumber = programme.deckNumber
    }

    private func leaveDeck() {
        unheard = []
        order(nil)
        orders.plays = 0
        // What still sounds fades out, whatever the last ramp was.
        orders.ramp = settings.jumpFade.wholeNanoseconds
        orders.directive += 1
    }

    /// Frees what the render thread cannot use any more.
    private func letGo() {
        guard !retired.isEmpty, exchange.readStatus().slotNumber == orders.slotNumber else { return }
        retired = []
        sendRequest()
    }

    /// Plays, with a ramp to a gain: from silence; by turning a fade-out round; or, while playing, as a change of volume.
    /// The device is opened if it is not. Does nothing without a track.
    /// - Parameters:
    ///   - gain: linear, 0 or more; 1 leaves the samples as they are.
    ///   - ramp: its time.
    ///   - rewinding: how far to go back first, if it is stopped, but not before the track's start.
    ///   - given: when the command was given, on CLOCK_MONOTONIC; nil for now.
    public func play(gain: Float, over ramp: Duration, rewinding: Duration = .zero, given: Duration? = nil) {
        let order = ProgrammeMachine<LoadedDeck>.PlayOrder(
            gain: gain, ramp: ramp, given: given?.wholeNanoseconds ?? Int(realtime_now()))
        let isOpen = if case .open = device { true } else { false }
        perform(
            programme.play(order, rewinding: rewinding, isFadingOut: isFadingOut, isOpen: isOpen, index: deckIndex))
    }

    /// Fades out, reports `faded`, and is stopped; the programme resumes at the frame at which the fade-out began. Does
    /// nothing unless playing.
    /// - Parameters:
    ///   - ramp: its time; `longestFade` at most.
    ///   - given: when the command was given, on CLOCK_MONOTONIC; nil for now.
    public func silence(over ramp: Duration, given: Duration? = nil) {
        guard !programme.silence().isEmpty else { return }
        direct(
            plays: false, gain: 0, over: min(ramp, settings.longestFade),
            given: given?.wholeNanoseconds ?? Int(realtime_now()))
        fadeOut = orders.directive
        post()
    }

    /// Whether a fade-out that was ordered last is still to be heard to its end, and can be turned round.
    public var isFadingOut: Bool {
        guard fadeOut == orders.directive else { return false }
        let status = exchange.readStatus()
        return status.isRunning != 0 && (status.directive != orders.directive || status.isStopped == 0)
    }

    private func direct(plays: Bool, gain: Float, over ramp: Duration, given: Int) {
        orders.plays = plays ? 1 : 0
        orders.gain = Int(gain.bitPattern)
        // The render thread multiplies it by the rate.
        orders.ramp = min(ramp, .seconds(3600)).wholeNanoseconds
        orders.directive += 1
        unheard.append((orders.directive, given))
    }

    // MARK: Where it is

    /// The frame being heard, as far as the driver knows; or, while fading out or stopped, the one with which the
    /// programme resumes. nil without a track.
    public var playhead: Playhead? { programme.playhead(at: deckIndex) }

    /// The frame being heard. It differs from the playhead while a jump waits for the storage: until then the previous
    /// programme continues.
    public var heard: Playhead? { programme.heard(at: deckIndex) }

    /// Length of the playhead's track, where known.
    public var trackLength: Duration? { programme.trackLength(at: deckIndex) }

    private var deckIndex: Int? { deckIndex(at: Int(realtime_now())) }

    /// Ring index of the current deck at which the programme is, or was at that time; nil without a deck.
    private func deckIndex(at time: Int) -> Int? {
        guard let deck = programme.deck else { return nil }
        let status = exchange.readStatus()
        // Not taken up yet, or no device has run with it.
        guard status.slotNumber == orders.slotNumber, status.hasSlot != 0 else { return deck.ring.reader.readIndex }
        // A fade-out that is about to begin begins with the frame handed over next; or, where those before it can be
        // taken back, soon after the one that is heard: what is saved now must not be behind it.
        if orders.plays == 0, status.directive != orders.directive, status.isRunning != 0,
            configuration?.canRewind != true
        {
            return status.continueIndex
        }
        return status.heardIndex(at: time, rate: deck.format.rate)
    }

    private func passBoundaries() {
        guard let deck = programme.deck, let index = deckIndex else { return }
        for case .report(let event) in programme.passBoundaries(at: index) { events.append(event) }
        deck.boundary.value = programme.nextBoundary ?? Int.max
    }
}

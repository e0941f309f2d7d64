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

    private var events: [PlaybackEvent] = []
    private var orders = Orders()
    /// The deck that is ordered, with the number of its slot, and those that the render thread may still use.
    private var current: LoadedDeck?
    private var retired: [LoadedDeck] = []
    /// Boundaries of the current deck up to here have been told.
    private var toldBoundary = 0
    private var hasToldEnd = false
    /// The newest load, until it is there.
    private var pending: PendingLoad?
    /// One that a teardown has dropped, for a rebuild to ask for again.
    private var dropped: PendingLoad?
    /// The track that the caller knows of.
    private var toldTrack: Int?
    private var requests = 0
    /// Where the programme is while there is no deck.
    private var parked: Parked?
    /// A play that waits for its deck.
    private var heldPlay: HeldPlay?
    /// The directive that was a fade-out last.
    private var fadeOut: Int?
    /// Format of the device when it was open last.
    private var format: StreamFormat
    /// Whether the device gives back frames that it has not played.
    private var canRewind = false
    private var hasBeenOpen = false
    private var device = DeviceState.closed
    private let watch: DeviceWatch
    private let door: AlarmBell
    private var isAlarmSet = false
    /// Directives that have not been heard yet: their number, and when they were given.
    private var unheard: [(directive: Int, given: Int)] = []

    private struct HeldPlay {
        let gain: Float
        let ramp: Duration
        let given: Int
        /// How far it goes back first, when there is a device: as long as nobody hears anything, the place stays.
        var rewind: Duration?
    }

    /// The device, as control knows it.
    private enum DeviceState {
        case closed, open
        /// Until it is opened again.
        case lost
    }

    private struct Parked {
        var playhead: Playhead
        let length: Duration?
        /// The deck it was on, for what is learnt later of how much was heard: its slot's number and its tracks.
        let slotNumber: Int
        let marks: [ProgrammeMark]
        let rate: Int
    }

    private struct PendingLoad {
        let request: LoadRequest
        /// Length of its track, where it is the one before.
        let length: Duration?
        /// Whether the storage thread knows of it.
        var isSent = false
        /// Whether the caller waits for its answer, or the engine.
        let isAsked: Bool
    }

    /// Most decks that may wait for the render thread to let go of them.
    private static let mostRetired = 2

    /// Starts its threads. No device is opened before `open` or `play`.
    /// - Parameters:
    ///   - tracks: the library.
    ///   - order: which track follows which; called on the storage thread.
    public init(tracks: [Track], order: TrackOrder, settings: EngineSettings) {
        self.settings = settings.limited
        format = settings.preferredFormat
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
        if let current { _ = Unmanaged.passRetained(current) }
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
    public var isLoading: Bool { pending != nil }

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
        case .heard(let heard): correct(heard)
        case .notRealTime(let reason): events.append(.notRealTime(reason))
        case .loaded(let number, let deck): loaded(number, deck)
        case .nothingToLoad(let number): nothingToLoad(number)
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
    public func tearDown() { tearDown(at: Int(realtime_now())) }

    /// - Parameter time: when it was where it stays, in nanoseconds of CLOCK_MONOTONIC.
    private func tearDown(at time: Int) {
        park(at: time)
        heldPlay = nil
        dropped = pending ?? dropped
        pending = nil
        unheard = []
        order(nil)
        orders.plays = 0
        // What still sounds fades out, whatever the last ramp was.
        orders.ramp = settings.jumpFade.wholeNanoseconds
        orders.directive += 1
        post()
    }

    private func park(at time: Int) {
        guard let playhead = playhead(at: time) else { return }
        // A load or a seek goes somewhere else, whatever was heard.
        let deck = pending == nil ? current : nil
        guard deck != nil || parked?.playhead != playhead else { return }
        parked = Parked(
            playhead: playhead, length: trackLength, slotNumber: orders.slotNumber, marks: deck?.marks ?? [],
            rate: deck?.format.rate ?? format.rate)
    }

    /// The device that was given up has played more than was known then.
    private func correct(_ heard: HeardProgramme) {
        guard let parked, parked.slotNumber == heard.slotNumber,
            let mark = parked.marks.last(where: { $0.ringIndex <= heard.index }) ?? parked.marks.first
        else { return }
        self.parked?.playhead = mark.playhead(at: heard.index, deviceRate: parked.rate)
    }

    /// Makes the programme anew, in the device's present format, where it was. What was to play plays on, out of
    /// silence; after a loss nothing is.
    public func rebuild() {
        guard let playhead else { return }
        let play =
            orders.plays == 0
            ? heldPlay
            : HeldPlay(
                gain: Float(bitPattern: UInt32(truncatingIfNeeded: orders.gain)),
                ramp: max(.nanoseconds(orders.ramp), settings.jumpFade), given: Int(realtime_now()))
        tearDown()
        if let load = dropped {
            request(load.request.track, at: load.request.position, load.request.direction, isAsked: load.isAsked)
        } else {
            request(playhead.track, at: playhead.position, .forward, isAsked: false)
        }
        heldPlay = play
    }

    private func opened(_ configuration: PCMConfiguration, afterLoss: Bool) {
        let hasChanged = hasBeenOpen && configuration.format != format
        hasBeenOpen = true
        device = .open
        format = configuration.format
        canRewind = configuration.canRewind
        events.append(.deviceOpened(configuration))
        if afterLoss {
            events.append(.deviceReset(configuration))
        } else if hasChanged {
            events.append(.configurationChanged(configuration.format))
        } else if let format = current?.format ?? pending?.request.format, format != configuration.format {
            // The first opening: what was loaded so far was loaded on a guess.
            rebuild()
        }
        if let rewind = heldPlay?.rewind {
            heldPlay?.rewind = nil
            goBack(by: rewind)
            if pending == nil { playHeld() }
        }
    }

    /// - Parameter time: up to when what it played is known.
    private func lost(_ error: PCMError, at time: Int) {
        device = .lost
        // With the same post: the render thread is to see the programme end because of the loss.
        orders.losses += 1
        // What the device did not play any more will be played again.
        tearDown(at: time)
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
        heldPlay?.rewind = nil
        request(track, at: position, direction, isAsked: true)
    }

    /// Goes to a place of the current track, like `load`; does nothing without one.
    public func seek(to position: Duration) {
        guard let track = playhead?.track else { return }
        heldPlay?.rewind = nil
        request(track, at: position, .forward, isAsked: false)
    }

    private func request(_ track: Int, at position: Duration, _ direction: SearchDirection, isAsked: Bool) {
        let length = track == playhead?.track ? trackLength : nil
        letGo()
        dropped = nil
        requests += 1
        // Whoever waits for an answer gets that of the newest request.
        let isAsked = isAsked || pending?.isAsked ?? false
        pending = PendingLoad(
            request: LoadRequest(
                number: requests, track: track, position: position, direction: direction, format: format),
            length: length, isAsked: isAsked)
        sendRequest()
    }

    /// Not before the render thread has let go of old decks: they take memory.
    private func sendRequest() {
        guard retired.count < Self.mostRetired, let load = pending, !load.isSent else { return }
        pending?.isSent = true
        storage.request(load.request)
    }

    private func loaded(_ number: Int, _ deck: LoadedDeck) {
        guard let load = pending, load.request.number == number else { return }
        pending = nil
        order(deck)
        if let track = deck.mark(at: 0)?.track {
            if load.isAsked {
                events.append(.loaded(track: track))
            } else if let toldTrack, track != toldTrack {
                events.append(.trackAdvanced(to: track))
            }
            toldTrack = track
        }
        playHeld()
    }

    private func nothingToLoad(_ number: Int) {
        guard let load = pending, load.request.number == number else { return }
        pending = nil
        dropped = nil
        // Whoever asked may ask for something else, and play that.
        if !load.isAsked { heldPlay = nil }
        events.append(load.isAsked ? .nothingToLoad : .programmeEnded)
    }

    private func order(_ deck: LoadedDeck?) {
        if let current { retired.append(current) }
        current = deck
        if deck != nil { parked = nil }
        toldBoundary = deck?.mark(at: 0)?.ringIndex ?? 0
        hasToldEnd = false
        orders.slot = deck.map { Int(bitPattern: $0.slot) } ?? 0
        orders.slotNumber += 1
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
        let given = given?.wholeNanoseconds ?? Int(realtime_now())
        let isSilent = orders.plays == 0 && heldPlay == nil
        var rewind = heldPlay?.rewind
        if isSilent, !isFadingOut, rewinding > .zero {
            if case .open = device { goBack(by: rewinding) } else { rewind = rewinding }
        }
        if pending != nil || rewind != nil, orders.plays == 0 {
            heldPlay = HeldPlay(gain: gain, ramp: ramp, given: given, rewind: rewind)
            // The device opens while the disk is at it.
            if isSilent { open() }
        } else if current != nil {
            tell(plays: true, gain: gain, over: ramp, given: given)
        }
    }

    private func goBack(by rewind: Duration) {
        guard let playhead, playhead.frame > 0 else { return }
        request(playhead.track, at: max(.zero, playhead.position - rewind), .forward, isAsked: false)
    }

    private func playHeld() {
        guard let held = heldPlay, held.rewind == nil else { return post() }
        heldPlay = nil
        tell(plays: true, gain: held.gain, over: held.ramp, given: held.given)
    }

    /// Fades out, tells `faded`, and is stopped; the programme goes on later at the frame at which the fade-out began.
    /// Does nothing unless playing.
    /// - Parameters:
    ///   - ramp: its time; `longestFade` at most.
    ///   - given: when the command was given, on CLOCK_MONOTONIC; nil for now.
    public func silence(over ramp: Duration, given: Duration? = nil) {
        heldPlay = nil
        guard orders.plays != 0 else { return }
        let given = given?.wholeNanoseconds ?? Int(realtime_now())
        tell(plays: false, gain: 0, over: min(ramp, settings.longestFade), given: given)
        fadeOut = orders.directive
    }

    /// Whether a fade-out that was ordered last is still to be heard to its end, and can be turned round.
    public var isFadingOut: Bool {
        guard fadeOut == orders.directive else { return false }
        let status = exchange.readStatus()
        return status.isRunning != 0 && (status.directive != orders.directive || status.isStopped == 0)
    }

    private func tell(plays: Bool, gain: Float, over ramp: Duration, given: Int) {
        orders.plays = plays ? 1 : 0
        orders.gain = Int(gain.bitPattern)
        // The render thread multiplies it by the rate.
        orders.ramp = min(ramp, .seconds(3600)).wholeNanoseconds
        orders.directive += 1
        unheard.append((orders.directive, given))
        post()
    }

    // MARK: Where it is

    /// The frame being heard, as far as the driver knows; or, while fading out or stopped, the one with which the
    /// programme goes on. Nil without a track.
    public var playhead: Playhead? { playhead(at: Int(realtime_now())) }

    private func playhead(at time: Int) -> Playhead? {
        if let pending {
            return Playhead(
                track: pending.request.track, frame: pending.request.position.wholeNanoseconds,
                rate: 1_000_000_000)
        }
        return deckIndex(at: time).flatMap { current?.playhead(at: $0) } ?? parked?.playhead
    }

    /// The frame being heard. It differs from the playhead while a jump waits for the storage: until then the programme
    /// before continues.
    public var heard: Playhead? {
        guard pending != nil, orders.plays != 0, let deckIndex, let heard = current?.playhead(at: deckIndex) else {
            return playhead
        }
        return heard
    }

    /// Length of the playhead's track, where known.
    public var trackLength: Duration? {
        if let pending { return pending.length }
        guard let deckIndex, let current, let mark = current.mark(at: deckIndex) else { return parked?.length }
        return mark.trackLength(at: deckIndex, deviceRate: current.format.rate)
    }

    private var deckIndex: Int? { deckIndex(at: Int(realtime_now())) }

    /// Ring index of the current deck at which the programme is, or was at that time; nil without a deck.
    private func deckIndex(at time: Int) -> Int? {
        guard let current else { return nil }
        let status = exchange.readStatus()
        // Not taken up yet, or no device has run with it.
        guard status.slotNumber == orders.slotNumber, status.hasSlot != 0 else { return current.ring.reader.readIndex }
        // A fade-out that is about to begin begins with the frame handed over next; or, where those before it can be
        // taken back, soon after the one that is heard: what is saved now must not be behind it.
        if orders.plays == 0, status.directive != orders.directive, status.isRunning != 0, !canRewind {
            return status.continueIndex
        }
        return status.heardIndex(at: time, rate: current.format.rate)
    }

    /// Tells of the tracks that have ended, and of the programme's end.
    private func passBoundaries() {
        guard pending == nil, let current, let index = deckIndex, orders.plays != 0 else {
            return
        }
        var next = Int.max
        for mark in current.marks where mark.ringIndex > toldBoundary {
            guard mark.ringIndex <= index else {
                next = min(next, mark.ringIndex)
                continue
            }
            toldBoundary = mark.ringIndex
            toldTrack = mark.track
            events.append(.trackAdvanced(to: mark.track))
        }
        if let end = current.ring.endIndex, !hasToldEnd {
            if index >= end {
                hasToldEnd = true
                events.append(.programmeEnded)
            } else {
                next = min(next, end)
            }
        }
        current.boundary.value = next
    }
}

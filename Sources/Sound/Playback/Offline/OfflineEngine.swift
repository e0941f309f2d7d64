import ALSA

/// Plays tracks into a device on a virtual clock: time passes as frames are rendered, and everything happens on the
/// caller's thread, exact to the frame.
///
/// The programme is the same `ProgrammeMachine` as the real-time engine's; here a search is answered before the call
/// returns. Storage is read ahead by up to a quarter of a second, and `TrackOrder.successor` is called that early, too. For
/// one thread.
public final class OfflineEngine {
    private let finder: TrackFinder
    private let jumpFade: Duration
    let events: EventLog
    private var programme: ProgrammeMachine<Deck>
    private var graph: RenderGraph?
    /// The gain and ramp with which a rebuilt programme continues, instead of a fade-in.
    private var continuedLevel: GainRamp?
    private var fadeOut = Duration.zero

    /// - Parameters:
    ///   - tracks: the library.
    ///   - order: which track follows which; called ahead of time.
    ///   - jumpFade: time over which a sounding programme gives way to another position or track.
    public init(tracks: [Track], order: TrackOrder, jumpFade: Duration = .milliseconds(20)) {
        let events = EventLog()
        finder = TrackFinder(tracks: tracks, order: order) { track, reason in
            events.append(.trackSkipped(track: track, reason: reason))
        }
        self.events = events
        self.jumpFade = jumpFade
        // Before the first device, its format is a guess.
        programme = ProgrammeMachine(format: StreamFormat(rate: 48_000, channels: 2), jumpFade: jumpFade)
    }

    // MARK: The device

    public var isOpen: Bool {
        graph != nil
    }

    /// Takes a device into use: stopped, at the present playhead. If the track cannot be opened any more, the next one
    /// that can be opened is loaded. A device still open is closed first.
    public func open(_ device: any PCMOutput) {
        close()
        programme.format = device.format
        let graph = RenderGraph(device: device, jumpFade: jumpFade)
        self.graph = graph
        if let deck = programme.deck, deck.format == device.format {
            graph.begin(deck)
        } else {
            perform(programme.rebuild(index: index, at: 0))
        }
        perform(programme.opened(index: index))
    }

    /// Continues in a new format, or on another device, where the programme is now: what was playing continues with its
    /// gain and the rest of its ramp; what was fading out is silent and stopped where it would have resumed. Nothing is
    /// lost or repeated; only the tail of a jump, if one was sounding, is cut off.
    public func reopen(_ device: any PCMOutput) {
        guard let old = graph else {
            open(device)
            return
        }
        let owesFaded = old.core.framesUntilChange != nil
        if old.core.state == .playing {
            continuedLevel = old.core.level.converted(from: old.format.rate, to: device.format.rate)
        }
        programme.format = device.format
        let actions = programme.rebuild(index: index, at: 0)
        graph = RenderGraph(device: device, jumpFade: jumpFade)
        perform(actions)
        continuedLevel = nil
        if owesFaded { events.append(.faded) }
    }

    /// Gives up the device: silent at once, stopped, and the playhead stays. A fade-out under way is not reported.
    public func close() {
        guard graph != nil else { return }
        perform(programme.tearDown(index: index))
        graph = nil
    }

    // MARK: The programme

    /// Goes to a position of a track; reported as `loaded`, or as `nothingToLoad` with nothing changed. While playing the
    /// old programme fades out and the new one in, over the jump fade; during a fade-out what is left of it is cut to that
    /// length and the engine is stopped at the new position.
    /// - Parameters:
    ///   - track: index into the tracks.
    ///   - position: from the track's start; at or beyond its end nothing is played of it.
    ///   - direction: where to go on, from the start of a track, if that track cannot be opened.
    public func load(track: Int, at position: Duration, searching direction: SearchDirection = .forward) {
        perform(programme.load(track: track, at: position, searching: direction, index: index))
    }

    /// Goes to a position of the current track, like `load`; does nothing without one.
    public func seek(to position: Duration) { perform(programme.seek(to: position, index: index)) }

    /// Plays, with a ramp to a gain: from silence; by reversing a fade-out; or, while playing, as a change of volume.
    /// Does nothing without a device or a track. At the programme's end its end is reported once more.
    /// - Parameters:
    ///   - gain: linear, 0 or more; 1 leaves the samples as they are.
    ///   - duration: of the ramp.
    ///   - rewinding: how far to go back first, if stopped, but not before the track's start.
    public func play(gain: Float, over duration: Duration, rewinding: Duration = .zero) {
        guard let graph else { return }
        perform(
            programme.play(
                ProgrammeMachine<Deck>.PlayOrder(gain: gain, ramp: duration), rewinding: rewinding,
                isFadingOut: isFadingOut, isOpen: true, index: index))
        // A fade-out that is reversed may have run past a boundary.
        passBoundaries(graph, including: false)
    }

    /// Fades out, reports `faded`, and is stopped; the programme resumes at the frame at which the fade-out began. Does
    /// nothing unless playing.
    public func silence(over duration: Duration) {
        fadeOut = duration
        perform(programme.silence())
    }

    /// Whether a fade-out is still to be rendered to its end.
    public var isFadingOut: Bool { graph?.core.state == .stopping }

    /// The frame heard next: now, or, while fading out or stopped, when the programme resumes. Through a resampler, the
    /// track's frame nearest to it. nil without a track.
    public var playhead: Playhead? { programme.playhead(at: index) }

    /// Length of the playhead's track, where known.
    public var trackLength: Duration? { programme.trackLength(at: index) }

    /// Present linear gain of the ramp; 0 when stopped.
    public var gain: Float {
        graph?.core.level.gain ?? 0
    }

    /// Ring index of the frame heard next. Of a deck made without a device, nothing has been heard.
    private var index: Int? { graph?.core.continueIndex ?? programme.deck.map { $0.ring.reader.readIndex } }

    private func perform(_ actions: [ProgrammeMachine<Deck>.Action]) {
        for action in actions {
            switch action {
            case .find(let request): find(request)
            case .change(let deck): if graph?.jump(to: deck) == true { events.append(.faded) }
            case .play(let order): play(order)
            case .silence: silenceGraph()
            case .report(let event): events.append(event)
            // The device is open, or nobody can open it here; and the graph goes with its device.
            case .open, .leaveDeck: break
            }
        }
    }

    private func find(_ request: LoadRequest) {
        guard let source = finder.source(for: request.track, at: request.position, searching: request.direction) else {
            perform(programme.nothingFound(request.number))
            return
        }
        graph?.readAhead()
        let deck = RenderGraph.makeDeck(request.format, finder, jumpFade: jumpFade.frames(atRate: request.format.rate))
        deck.feeder.start(source)
        deck.feeder.fill()
        perform(programme.found(request.number, deck))
    }

    private func play(_ order: ProgrammeMachine<Deck>.PlayOrder) {
        guard let graph else { return }
        if let continuedLevel {
            graph.core.resume(level: continuedLevel)
        } else {
            graph.core.play(gain: order.gain, over: order.ramp.frames(atRate: graph.format.rate))
        }
        graph.readAhead()
    }

    private func silenceGraph() {
        guard let graph else { return }
        if graph.core.silence(over: fadeOut.frames(atRate: graph.format.rate)) { events.append(.faded) }
    }

    // MARK: Time

    /// Renders up to `frames` device frames and writes them to the device; silence when stopped. It returns early, at the
    /// very frame, when a track has ended or a fade-out is done.
    ///
    /// Rendering to a track's last frame does not end it yet: until there is more to render, it can still be paused or
    /// sought in there. The next call reports `trackAdvanced` or `programmeEnded`, and returns 0.
    /// - Returns: frames rendered; 0 without a device.
    /// - Throws: what the device throws. The block it did not take has not been rendered, and the playhead is still
    ///   before it; blocks before that have been.
    public func render(frames: Int) throws(PCMError) -> Int {
        guard let graph else { return 0 }
        if frames > 0, passBoundaries(graph) { return 0 }
        var done = 0
        while done < frames {
            let resumeIndex = graph.core.continueIndex
            let block = try graph.renderBlock(limit: frames - done, until: programme)
            done += block.frames
            if graph.core.state == .stopped, graph.core.ring.readIndex != resumeIndex {
                readAgain(from: resumeIndex, in: graph)
            }
            if block.faded { events.append(.faded) }
            if block.faded || isAtBoundary(graph) { break }
        }
        return done
    }

    /// Whether the last frame of a track, or of the programme, has been rendered.
    private func isAtBoundary(_ graph: RenderGraph) -> Bool {
        graph.core.state == .playing && programme.nextBoundary == graph.core.ring.readIndex
    }

    /// Ends the track whose last frame has been rendered, as the next call of `render` would.
    public func passBoundaries() {
        if let graph { passBoundaries(graph) }
    }

    /// What has happened since the last call, in order.
    public func takeEvents() -> [PlaybackEvent] {
        events.take()
    }

    /// After a fade-out too long for the ring's history: back to where it began, from storage.
    private func readAgain(from index: Int, in graph: RenderGraph) {
        guard let playhead = programme.playhead(at: index) else { return }
        perform(programme.readAgain(playhead))
    }

    /// Reports the tracks that have ended, and the programme's end.
    /// - Parameter includesIndex: whether a track whose last frame has just been rendered has ended.
    /// - Returns: whether there was something to report.
    @discardableResult
    private func passBoundaries(_ graph: RenderGraph, including includesIndex: Bool = true) -> Bool {
        let actions = programme.passBoundaries(at: graph.core.ring.readIndex, including: includesIndex)
        perform(actions)
        if programme.hasEnded { graph.core.finish() }
        return !actions.isEmpty
    }
}

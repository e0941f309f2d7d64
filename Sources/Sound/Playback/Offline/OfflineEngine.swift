import ALSA

/// Plays tracks into a device on a virtual clock: time goes by as frames are rendered, and everything happens on the
/// caller's thread, exact to the frame.
///
/// Storage is read ahead by up to a quarter of a second, and so is `successor` asked. Not for more than one thread.
public final class OfflineEngine {
    private let finder: TrackFinder
    private let jumpFade: Duration
    private let log: EventLog
    private var graph: RenderGraph?
    /// Where the programme is while no device is open, and its track's length where known.
    private var parked: (playhead: Playhead, length: Duration?)?

    /// - Parameters:
    ///   - tracks: the library.
    ///   - order: which track follows which; asked ahead of time.
    ///   - jumpFade: time over which a sounding programme gives way to another place or track.
    public init(tracks: [Track], order: TrackOrder, jumpFade: Duration = .milliseconds(20)) {
        let log = EventLog()
        finder = TrackFinder(tracks: tracks, order: order) { track, reason in
            log.append(.trackSkipped(track: track, reason: reason))
        }
        self.log = log
        self.jumpFade = jumpFade
    }

    // MARK: The device

    public var isOpen: Bool {
        graph != nil
    }

    /// Takes a device into use: stopped, at the present playhead. Where the track cannot be opened any more, the next
    /// one that can be is loaded. A device still open is closed first.
    public func open(_ device: any PCMOutput) {
        close()
        attach(device)
    }

    /// Goes on in a new format, or on another device, where the programme is now: what was playing goes on playing with
    /// its gain and the rest of its ramp; what was fading out is silent and stopped where it would have resumed. Nothing
    /// is lost or repeated; only the tail of a jump, if one was sounding, is cut off.
    public func reopen(_ device: any PCMOutput) {
        guard let old = graph else {
            open(device)
            return
        }
        let wasPlaying = old.core.state == .playing
        let owesFaded = old.core.framesUntilChange != nil
        let level = old.core.level.converted(from: old.format.rate, to: device.format.rate)
        let track = playhead?.track
        close()
        attach(device)
        if owesFaded { log.append(.faded) }
        guard wasPlaying, let graph, let loaded = playhead?.track, !graph.deck.feeder.marks.isEmpty else { return }
        graph.core.resume(level: level)
        if loaded != track { log.append(.trackAdvanced(to: loaded)) }
    }

    /// Gives up the device: silent at once, stopped, and the playhead stays. A fade-out under way is not reported.
    public func close() {
        if let playhead { parked = (playhead, trackLength) }
        graph = nil
    }

    private func attach(_ device: any PCMOutput) {
        let graph = RenderGraph(device: device, finder: finder, jumpFade: jumpFade)
        self.graph = graph
        guard let playhead = parked?.playhead else { return }
        _ = graph.deck.feeder.start(track: playhead.track, at: playhead.position, searching: .forward)
        graph.deck.feeder.fill()
    }

    // MARK: The programme

    /// Goes to a place of a track. While playing the old programme fades out and the new one in, over the jump fade;
    /// during a fade-out what is left of it is cut to that length and the engine is stopped at the new place.
    /// - Parameters:
    ///   - track: index into the tracks.
    ///   - position: from the track's start; at or beyond its end nothing is played of it.
    ///   - direction: where to go on, from the start of a track, if that track cannot be opened.
    /// - Returns: the track loaded; nil, with nothing changed, where none can be.
    @discardableResult
    public func load(track: Int, at position: Duration, searching direction: SearchDirection = .forward) -> Int? {
        guard let source = finder.source(for: track, at: position, searching: direction) else { return nil }
        let format = source.decoder.format
        parked = (
            Playhead(track: source.track, frame: source.startFrame, rate: format.rate),
            source.decoder.likelyFrameCount.map { Duration(frames: $0, rate: format.rate) }
        )
        if let graph {
            if graph.jump(to: source) { log.append(.faded) }
        }
        return source.track
    }

    /// Goes to a place of the current track, like `load`; does nothing without one.
    public func seek(to position: Duration) {
        guard let track = playhead?.track else { return }
        let isPlaying = graph?.core.state == .playing
        let loaded = load(track: track, at: position)
        if isPlaying, let loaded, loaded != track { log.append(.trackAdvanced(to: loaded)) }
    }

    /// Plays, with a ramp to a gain: from silence; by turning a fade-out round; or, while playing, as a change of volume.
    /// Does nothing without a device or a track. At the programme's end it is told once more that it has ended.
    /// - Parameters:
    ///   - gain: linear, 0 or more; 1 leaves the samples as they are.
    ///   - duration: of the ramp.
    ///   - rewinding: how far to go back first, if stopped, but not before the track's start.
    public func play(gain: Float, over duration: Duration, rewinding: Duration = .zero) {
        guard let graph, let playhead else { return }
        if graph.core.state == .stopped, rewinding > .zero, playhead.frame > 0 {
            let loaded = load(track: playhead.track, at: playhead.position - rewinding)
            if let loaded, loaded != playhead.track { log.append(.trackAdvanced(to: loaded)) }
        }
        guard !graph.deck.feeder.marks.isEmpty else { return }
        graph.core.play(gain: gain, over: duration.frames(atRate: graph.format.rate))
        graph.deck.feeder.fill()
        // A fade-out that is turned round may have gone on beyond a boundary.
        passBoundaries(graph) { $0 < $1 }
    }

    /// Fades out, tells `faded`, and is stopped; the programme goes on later at the frame at which the fade-out began.
    /// Does nothing unless playing.
    public func silence(over duration: Duration) {
        guard let graph else { return }
        if graph.core.silence(over: duration.frames(atRate: graph.format.rate)) { log.append(.faded) }
    }

    /// Whether a fade-out is still to be rendered to its end.
    public var isFadingOut: Bool { graph?.core.state == .stopping }

    /// The frame heard next: now, or, while fading out or stopped, when the programme goes on. Through a resampler, the
    /// track's frame nearest to it. Nil without a track.
    public var playhead: Playhead? {
        graph.flatMap { $0.deck.playhead(at: $0.core.continueIndex) } ?? parked?.playhead
    }

    /// Length of the playhead's track, where known.
    public var trackLength: Duration? {
        guard let graph, let mark = graph.deck.feeder.marks.first else { return parked?.length }
        return mark.trackLength(at: graph.core.continueIndex, deviceRate: graph.format.rate)
    }

    /// Present linear gain of the ramp; 0 when stopped.
    public var gain: Float {
        graph?.core.level.gain ?? 0
    }

    // MARK: Time

    /// Renders up to `frames` device frames and writes them to the device; silence when stopped. It returns early, at the
    /// very frame, when a track has ended or a fade-out is done.
    ///
    /// Rendering to a track's last frame does not end it yet: until there is more to render, it can still be paused or
    /// sought in there. The next call tells `trackAdvanced` or `programmeEnded`, and returns 0.
    /// - Returns: frames rendered; 0 without a device.
    /// - Throws: what the device throws. The block it did not take has not been rendered, and the playhead is still
    ///   before it; blocks before that have been.
    public func render(frames: Int) throws(PCMError) -> Int {
        guard let graph else { return 0 }
        if frames > 0, passBoundaries(graph, { $0 <= $1 }) { return 0 }
        var done = 0
        while done < frames {
            let resumeIndex = graph.core.continueIndex
            let block = try graph.renderBlock(limit: frames - done)
            done += block.frames
            if graph.core.state == .stopped, graph.core.ring.readIndex != resumeIndex {
                readAgain(from: resumeIndex, in: graph)
            }
            if block.faded { log.append(.faded) }
            if block.faded || graph.isAtBoundary { break }
        }
        return done
    }

    /// Ends the track whose last frame has been rendered, as the next call of `render` would.
    public func passBoundaries() {
        if let graph { passBoundaries(graph) { $0 <= $1 } }
    }

    /// What has happened since the last call, in order.
    public func takeEvents() -> [PlaybackEvent] {
        log.take()
    }

    /// After a fade-out too long for the ring's history: back to where it began, from storage.
    private func readAgain(from index: Int, in graph: RenderGraph) {
        guard let playhead = graph.deck.playhead(at: index),
            let source = finder.source(for: playhead.track, at: playhead.position, searching: .forward)
        else { return }
        _ = graph.jump(to: source)
    }

    /// While playing, tells of the tracks that have ended, and of the programme's end.
    /// - Parameter isPassed: whether a boundary at one ring index is passed when another is read next.
    /// - Returns: whether there was something to tell.
    @discardableResult
    private func passBoundaries(_ graph: RenderGraph, _ isPassed: (Int, Int) -> Bool) -> Bool {
        guard graph.core.state == .playing else { return false }
        var passed = false
        while graph.deck.feeder.marks.count > 1,
            isPassed(graph.deck.feeder.marks[1].ringIndex, graph.core.ring.readIndex)
        {
            graph.deck.feeder.passBoundary()
            log.append(.trackAdvanced(to: graph.deck.feeder.marks[0].track))
            passed = true
        }
        if let end = graph.deck.ring.endIndex, isPassed(end, graph.core.ring.readIndex) {
            graph.core.finish()
            log.append(.programmeEnded)
            passed = true
        }
        return passed
    }
}

import ALSA

/// Plays tracks on a virtual clock. Time passes only when `render` renders frames, everything happens on the caller's
/// thread, and results are accurate to the frame.
///
/// This engine uses the same `PlaybackMachine` as the real-time engine, but it completes a search before the call
/// returns. It reads ahead by up to a quarter of a second, so it also calls `TrackOrder.successor` that much earlier.
/// Use an engine from one thread only.
public final class OfflineEngine {
    private let finder: TrackFinder
    private let jumpFade: Duration
    let events: EventLog
    private var playback: PlaybackMachine<PlaybackBuffer>
    private var graph: RenderGraph?
    /// The gain and ramp with which music continues after a rebuild, instead of fading in.
    private var continued: (level: GainRamp, hold: Int)?
    private var fadeOut = Duration.zero
    private let sounds: OfflineSounds
    private let inputs: OfflineInputs
    /// The selected source.
    public private(set) var source = PlaybackSource.library
    /// The input that is played over the source, or nil if there is none.
    private var page: Int?

    /// Creates an engine for a library in its own order.
    public convenience init(
        tracks: [Track], order: TrackOrder, sounds: [Sound] = [], inputs: [OfflineInput] = [],
        jumpFade: Duration = .milliseconds(20)
    ) {
        self.init(tracks: TrackList(tracks), order: order, sounds: sounds, inputs: inputs, jumpFade: jumpFade)
    }

    /// - Parameters:
    ///   - tracks: the library.
    ///   - order: the order in which tracks follow each other. It is called before a track ends.
    ///   - sounds: the sounds that `playSound` can play. They are read at once and reported as `soundReadable` or
    ///     `soundUnreadable`.
    ///   - inputs: the live inputs that `select` can select.
    ///   - jumpFade: the length of the crossfade when playback jumps to another position or track.
    public init(
        tracks: TrackList, order: TrackOrder, sounds: [Sound] = [], inputs: [OfflineInput] = [],
        jumpFade: Duration = .milliseconds(20)
    ) {
        let events = EventLog()
        finder = TrackFinder(tracks: tracks, order: order, readsAhead: true) { track, reason in
            events.append(.trackSkipped(track: track, reason: reason))
        }
        self.events = events
        self.jumpFade = jumpFade
        // Assume a format until the first device is opened.
        let format = StreamFormat(rate: 48_000, channels: 2)
        playback = PlaybackMachine(format: format, jumpFade: jumpFade)
        self.sounds = OfflineSounds(sounds, format: format, events: events)
        self.inputs = OfflineInputs(inputs, format: format)
    }

    // MARK: The device

    /// True if there is a device.
    public var isOpen: Bool {
        graph != nil
    }

    /// Starts to use a device. Playback is stopped at the current playhead. If the track can no longer be opened, the
    /// next track that can be opened is loaded. The previous device is closed first.
    public func open(_ device: any PCMOutput) {
        close()
        playback.format = device.format
        let graph = RenderGraph(device: device, jumpFade: jumpFade)
        self.graph = graph
        inputs.use(device.format)
        select(in: graph, over: .zero)
        if let buffer = playback.buffer, buffer.format == device.format {
            graph.begin(buffer)
        } else {
            perform(playback.rebuild(index: index, at: 0))
        }
        perform(playback.opened(index: index))
    }

    /// Continues in a new format or on another device at the current position. If music is playing, it continues with
    /// its gain and the rest of its ramp. If it is fading out, it becomes silent and stops at the frame at which it
    /// would have resumed. A sound also continues. No frame is lost or repeated, except that the tail of a jump in
    /// progress is cut off.
    public func reopen(_ device: any PCMOutput) {
        guard let old = graph else {
            open(device)
            return
        }
        let owesFaded = old.core.isFadePending
        if source == .library, old.core.state == .playing {
            continued = (
                old.core.level.converted(from: old.format.rate, to: device.format.rate),
                Self.converted(old.core.hold, from: old.format.rate, to: device.format.rate)
            )
        }
        playback.format = device.format
        let actions = playback.rebuild(index: index, at: 0)
        let graph = RenderGraph(device: device, jumpFade: jumpFade)
        self.graph = graph
        inputs.use(device.format)
        select(in: graph, over: .zero)
        perform(actions)
        continued = nil
        if source != .library, old.core.sourceState == .playing {
            // An input continues live, with the target of its ramp.
            let level = old.core.sourceLevel
            graph.core.play(
                gain: level.target, over: Self.converted(level.remaining, from: old.format.rate, to: graph.format.rate))
        }
        continueSound(after: old)
        if let page { graph.core.playPage(inputs.buffer(page).reader, after: 0) }
        if owesFaded { events.append(.faded) }
    }

    /// Releases the device. The music and any sound are stopped at once. The playhead stays the same. A fade-out in
    /// progress is not reported.
    public func close() {
        guard graph != nil else { return }
        perform(playback.tearDown(index: index))
        graph?.core.noteSoundPlace(unheard: 0)
        graph = nil
        sounds.end()
        page = nil
    }

    // MARK: The source

    /// Starts or ends the arrival of audio at an input. What arrives is heard after the input's latency.
    /// - Parameter input: the index of the input in the inputs.
    public func setArrival(at input: Int, _ arrives: Bool) { inputs.set(input, arrives: arrives) }

    /// Selects the source to play. The previous source fades out, and its end is not reported. If it is the library, it
    /// continues later at the frame at which its fade-out began. The selected source is silent until `play` is called. An
    /// input is then played live, so what has arrived in the meantime is discarded. A pending fade-out is reported as
    /// `faded` at once.
    /// - Parameters:
    ///   - source: the library or an input with a valid index.
    ///   - duration: the length of the fade-out.
    public func select(_ source: PlaybackSource, over duration: Duration) {
        guard source != self.source else { return }
        if isFadingOut { events.append(.faded) }
        if self.source == .library { _ = playback.silence() }
        self.source = source
        if let graph { select(in: graph, over: duration) }
    }

    private func select(in graph: RenderGraph, over duration: Duration) {
        let frames = duration.frames(atRate: graph.format.rate)
        switch source {
        case .library: graph.core.selectLibrary(over: frames)
        case .input(let index): graph.core.select(inputs.buffer(index).reader, over: frames)
        }
    }

    // MARK: The music

    /// Goes to a position in a track. The result is reported as `loaded`, or as `nothingToLoad` if nothing changes.
    /// While music is playing, the old music crossfades to the new music. During a fade-out, the rest of the fade is
    /// shortened to the length of the crossfade, and playback stops at the new position.
    /// - Parameters:
    ///   - track: the index of the track in the tracks.
    ///   - position: the time from the track's start. At or beyond the track's end, the next track follows at once.
    ///   - direction: the direction in which to search if that track cannot be opened. In that case, the track that is
    ///     found begins at its start.
    public func load(track: Int, at position: Duration, searching direction: SearchDirection = .forward) {
        perform(playback.load(track: track, at: position, searching: direction, index: index))
    }

    /// Goes to a position of the current track, like `load`. The call does nothing if there is no track.
    public func seek(to position: Duration) { perform(playback.seek(to: position, index: index)) }

    /// Plays the selected source with a ramp to a gain. The call starts from silence, reverses a fade-out or, while it is
    /// playing, changes the volume. It does nothing if there is no device, or if the source is the library and there is
    /// no track. At the end of the music, the end is reported once more.
    /// - Parameters:
    ///   - gain: the linear gain, 0 or more. 1 leaves the samples unchanged.
    ///   - duration: the length of the ramp.
    ///   - rewinding: the time by which to go back first if playback is stopped, but not before the track's start.
    ///   - wait: the time to wait before the first frame if playback is stopped.
    public func play(
        gain: Float, over duration: Duration, rewinding: Duration = .zero, after wait: Duration = .zero
    ) {
        guard let graph else { return }
        guard source == .library else {
            let rate = graph.format.rate
            return graph.core.play(gain: gain, over: duration.frames(atRate: rate), after: wait.frames(atRate: rate))
        }
        perform(
            playback.play(
                PlaybackMachine<PlaybackBuffer>.PlayRequest(gain: gain, ramp: duration, wait: wait),
                rewinding: rewinding,
                isFadingOut: isFadingOut, isOpen: true, index: index))
        // A fade-out that is reversed may have run past a boundary.
        passBoundaries(graph, including: false)
    }

    /// Starts the music after this time if it is still waiting and would otherwise wait for longer.
    public func shortenWait(to wait: Duration) {
        guard let graph else { return }
        graph.core.shortenHold(to: wait.frames(atRate: graph.format.rate))
    }

    private static func converted(_ frames: Int, from rate: Int, to newRate: Int) -> Int {
        Int((Double(frames) * Double(newRate) / Double(rate)).rounded())
    }

    /// Fades out, reports `faded` and stops. After that, `play` resumes at the frame at which the fade-out began. The
    /// call does nothing unless music is playing.
    /// - Parameter duration: the length of the fade.
    public func silence(over duration: Duration) {
        fadeOut = duration
        if source == .library { perform(playback.silence()) } else { silenceGraph() }
    }

    /// True if a fade-out has not been rendered to its end yet, so that `play` reverses it.
    public var isFadingOut: Bool { graph?.core.sourceState == .stopping }

    /// The frame that is rendered next. While fading out or stopped, it is the frame at which the music will resume.
    /// For a resampled track, it is the nearest frame of the track. The value is nil if there is no track.
    public var playhead: Playhead? { playback.playhead(at: index) }

    /// The length of the playhead's track, if it is known. It may be an estimate.
    public var trackLength: Duration? { playback.trackLength(at: index)?.length }
    /// The length of the playhead's track, if it is certain.
    public var certainTrackLength: Duration? { playback.trackLength(at: index)?.ifCertain }

    /// The current linear gain, or 0 if playback is stopped.
    public var gain: Float {
        graph?.core.sourceLevel.gain ?? 0
    }

    /// The ring index of the frame that is rendered next. A buffer that was made without a device is still at its
    /// start.
    private var index: Int? { graph?.core.continueIndex ?? playback.buffer.map { $0.ring.reader.readIndex } }

    private func perform(_ actions: [PlaybackMachine<PlaybackBuffer>.Action]) {
        for action in actions {
            switch action {
            case .find(let request): find(request)
            case .change(let buffer): if graph?.jump(to: buffer) == true { events.append(.faded) }
            case .play(let order): play(order)
            case .silence: silenceGraph()
            case .report(let event): events.append(event)
            // This engine cannot open a device itself, and `close` discards the graph.
            case .open, .leaveBuffer: break
            }
        }
    }

    private func find(_ request: LoadRequest) {
        guard let source = finder.source(for: request.track, at: request.position, searching: request.direction) else {
            perform(playback.nothingFound(request.number))
            return
        }
        graph?.readAhead()
        let buffer = RenderGraph.makeBuffer(
            request.format, finder, jumpFade: jumpFade.frames(atRate: request.format.rate))
        buffer.prefetcher.start(source)
        buffer.prefetcher.fill()
        perform(playback.found(request.number, buffer))
    }

    private func play(_ order: PlaybackMachine<PlaybackBuffer>.PlayRequest) {
        guard let graph else { return }
        let rate = graph.format.rate
        if let continued {
            graph.core.resume(level: continued.level, after: continued.hold)
        } else {
            graph.core.play(
                gain: order.gain, over: order.ramp.frames(atRate: rate), after: order.wait.frames(atRate: rate))
        }
        graph.readAhead()
    }

    private func silenceGraph() {
        guard let graph else { return }
        if graph.core.silence(over: fadeOut.frames(atRate: graph.format.rate)) { events.append(.faded) }
    }

    // MARK: Sounds

    /// Plays a sound over the music. It replaces the current sound, which fades out over the length of a crossfade.
    /// `soundEnded` reports the last frame of the sound. The call does nothing if there is no
    /// device. If an announcement cannot be read, the call only stops the current sound.
    /// - Parameters:
    ///   - sound: the index of the sound in the sounds.
    ///   - clip: the clip to play instead of the sound's own file, with the same gain, or nil to play the file.
    ///   - number: the number with which `soundEnded` refers to this call.
    ///   - isCue: true if the built-in repeating tone replaces a sound that cannot be read.
    ///   - repeats: true if the sound repeats without a gap until it is stopped.
    ///   - level: the linear gain, 0…1, that applies in addition to the sound's own. See `setSoundLevel`.
    ///   - place: the place at which the sound starts, and at which it notes where it stops, or nil to start at its first
    ///     frame.
    ///   - wait: the time to wait before the first frame.
    public func playSound(
        _ sound: Int, clip: SoundClip? = nil, order number: Int, isCue: Bool, repeats: Bool, level: Float = 1,
        at place: SoundPlace? = nil, after wait: Duration
    ) {
        guard let graph else { return }
        // The previous sound may be the same one, whose place must be known. Its frames are needed for its fade-out.
        stopSound()
        guard
            let reader = sounds.begin(
                sound, clip: clip, number: number, isCue: isCue, repeats: repeats, at: place, in: graph.format)
        else { return }
        graph.core.playSound(
            reader, from: -wait.frames(atRate: graph.format.rate), level: GainRamp(gain: level))
        // A sound that was cut after its last frame has nothing left to play.
        if graph.core.voice.hasEnded { endSound() }
    }

    /// Changes the gain that applies to the current sound in addition to its own, with a ramp. A sound that has not begun
    /// begins with the new gain. The call does nothing if there is no sound.
    /// - Parameter gain: the linear gain, 0…1.
    public func setSoundLevel(_ gain: Float, over ramp: Duration) {
        guard let graph else { return }
        graph.core.setSoundLevel(to: gain, over: ramp.frames(atRate: graph.format.rate))
    }

    /// Plays a live input over the source. It replaces the current sound or page, which fades out over the length of a
    /// crossfade. What arrives before the wait is over is discarded. The call does nothing if there is no device.
    /// - Parameters:
    ///   - input: the index of the input in the inputs.
    ///   - wait: the time to wait before the input is heard.
    public func playPage(_ input: Int, after wait: Duration) {
        guard let graph else { return }
        stopSound()
        page = input
        graph.core.playPage(inputs.buffer(input).reader, after: wait.frames(atRate: graph.format.rate))
    }

    /// Stops the sound or the page with a fade-out over the length of a crossfade.
    public func stopSound() {
        graph?.core.stopSound()
        sounds.end()
        stopPage()
    }

    private func stopPage() {
        guard page != nil else { return }
        graph?.core.stopPage()
        page = nil
    }

    /// Discards the sound, so that it does not continue on another device.
    public func forgetSound() {
        graph?.core.noteSoundPlace(unheard: 0)
        graph?.core.clearSound()
        sounds.end()
        stopPage()
    }

    /// Continues the sound that the previous graph played, in the format of the current graph.
    private func continueSound(after old: RenderGraph) {
        guard let graph, sounds.order != nil else { return }
        let frame = Self.converted(old.core.voice.frame, from: old.format.rate, to: graph.format.rate)
        guard let reader = sounds.again(in: graph.format, from: max(0, frame)) else { return }
        let wait = Self.converted(min(0, old.core.voice.position), from: old.format.rate, to: graph.format.rate)
        let level = old.core.voice.level.converted(from: old.format.rate, to: graph.format.rate)
        graph.core.playSound(reader, from: wait, level: level)
    }

    // MARK: Time

    /// Renders up to `frames` device frames and writes them to the device. The frames are silent when playback is
    /// stopped. If a track, a fade-out or a sound ends, the call returns early, at that exact frame.
    ///
    /// Rendering a track's last frame does not end the track yet. Until the next call, the caller can still pause or
    /// seek in the track. The next call reports `trackAdvanced` or `playbackEnded` and returns 0.
    /// - Returns: the number of frames rendered, or 0 if there is no device.
    /// - Throws: the device's error. The block that the device did not accept is treated as not rendered, and the
    ///   playhead is before this block. Earlier blocks have been rendered.
    public func render(frames: Int) throws(PCMError) -> Int {
        guard let graph else { return 0 }
        if frames > 0, passBoundaries(graph) { return 0 }
        var done = 0
        while done < frames {
            let resumeIndex = graph.core.continueIndex
            sounds.fill()
            let block = try graph.renderBlock(
                limit: min(frames - done, graph.core.voice.framesUntilEnd ?? Int.max), until: playback, inputs: inputs)
            done += block.frames
            if graph.core.state == .stopped, graph.core.ring.readIndex != resumeIndex {
                readAgain(from: resumeIndex, in: graph)
            }
            if block.faded { events.append(.faded) }
            let hasSoundEnded = sounds.order != nil && graph.core.voice.hasEnded
            if hasSoundEnded { endSound() }
            if block.faded || hasSoundEnded || isAtBoundary(graph) { break }
        }
        return done
    }

    private func endSound() {
        if let order = sounds.order {
            let isMutilated = order.stream.map { $0.failure != nil || $0.isMutilated } ?? false
            let isCut = isMutilated || graph?.core.voice.isBroken == true
            events.append(isCut ? .soundCut(order: order.number) : .soundEnded(order: order.number))
        }
        stopSound()
    }

    /// True if the last frame of a track or of the music has been rendered.
    private func isAtBoundary(_ graph: RenderGraph) -> Bool {
        graph.core.state == .playing && graph.core.hold == 0 && playback.nextBoundary == graph.core.ring.readIndex
    }

    /// Ends the track if its last frame has been rendered, as the next call to `render` would.
    public func passBoundaries() {
        if let graph { passBoundaries(graph) }
    }

    /// Returns the events since the last call, in order.
    public func takeEvents() -> [PlaybackEvent] {
        events.take()
    }

    /// Goes back to the frame at which a fade-out began by reading from the storage again, because the fade-out was too
    /// long for the ring's history.
    private func readAgain(from index: Int, in graph: RenderGraph) {
        guard let playhead = playback.playhead(at: index) else { return }
        perform(playback.readAgain(playhead))
    }

    /// Reports the tracks that have ended and the end of the music.
    /// - Parameter includesIndex: true if a track whose last frame has just been rendered has ended. While the music
    ///   waits, the track has not ended because its position does not advance.
    /// - Returns: true if anything was reported.
    @discardableResult
    private func passBoundaries(_ graph: RenderGraph, including includesIndex: Bool = true) -> Bool {
        let actions = playback.passBoundaries(
            at: graph.core.ring.readIndex, including: includesIndex && graph.core.hold == 0)
        perform(actions)
        if playback.hasEnded { graph.core.finish() }
        return !actions.isEmpty
    }
}

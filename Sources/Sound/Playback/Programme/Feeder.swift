/// The storage side: decodes tracks one after another, maps their channels, converts their rate and puts the frames
/// into the ring, as far ahead as there is room.
///
/// Tracks of equal rate follow each other without a seam, through one resampler. A track that cannot be opened is
/// passed over; one that breaks off is followed by the next at that very frame. For one thread, the ring's producer; it
/// blocks on the storage.
public final class Feeder {
    /// Where the tracks begin in the ring, oldest first: the one being heard, then those read ahead. Empty before the
    /// first `start`.
    public private(set) var marks: [ProgrammeMark] = []
    private var markCount = 0

    private let ring: ProgrammeRing
    private let rate: Int
    private let finder: TrackFinder
    /// The track being read; nil while the stage is emptied, and at the end.
    private var source: TrackSource?
    /// The track to come when the stage has been emptied.
    private var following: TrackSource?
    /// Nil where the track's rate is the device's.
    private var stage: ResamplingStage?
    private var map: ChannelMap
    private var decoded: SampleBlock
    /// Why nothing can be read for the time being.
    private var stall: (task: StalledTask, loss: StorageLoss)?
    /// Silent frames still to come before the track: a pre-roll from before its start.
    private var leadIn = 0
    private let blockFrames: Int

    private enum StalledTask {
        /// The track being read broke off with its storage.
        case reading
        /// The track to come cannot be looked for.
        case searching
    }

    /// - Parameters:
    ///   - ring: of the device's channels.
    ///   - rate: the device's, Hz.
    ///   - finder: opens the tracks.
    public init(ring: ProgrammeRing, rate: Int, finder: TrackFinder) {
        self.ring = ring
        self.rate = rate
        self.finder = finder
        map = ChannelMap(from: ring.channels, to: ring.channels)
        decoded = SampleBlock(capacity: 0)
        blockFrames = min(ResamplingStage.blockFrames, max(1, (ring.capacity - ring.history) / 2))
    }

    /// Begins a programme at a place of a track, or, where the track cannot be opened, at the start of the next one in
    /// `direction`. Once only.
    /// - Returns: the track it begins with; nil where none can be played, with the ring as it was.
    public func start(track: Int, at position: Duration, searching direction: SearchDirection) -> Int? {
        guard let source = finder.source(for: track, at: position, searching: direction) else { return nil }
        start(source)
        return marks.first?.track
    }

    func start(_ source: TrackSource) {
        marks = []
        stage = nil
        following = nil
        begin(source)
    }

    /// Forgets the first mark, as the track after it is being heard.
    public func passBoundary() {
        marks.removeFirst()
    }

    /// Forgets the marks of tracks that end before a ring index.
    func forgetMarks(before index: Int) {
        while marks.count > 1, marks[1].ringIndex < index { passBoundary() }
    }

    /// Reads ahead until the ring has no room for another block, or the programme has ended.
    /// - Parameter limit: frames after which to come back, though there be room for more.
    /// - Returns: whether there is more to do.
    @discardableResult
    public func fill(limit: Int = .max) -> Bool {
        let start = ring.writeIndex
        while stall == nil, ring.endIndex == nil, !marks.isEmpty, ring.writableFrames >= blockFrames {
            if ring.writeIndex - start >= limit { return true }
            advance()
        }
        return false
    }

    /// Why nothing can be read, so that `fill` does nothing before `retry` has succeeded; nil: it can.
    var loss: StorageLoss? { stall?.loss }

    /// Continues where the storage failed, if it is back.
    /// - Returns: whether it is.
    func retry() -> Bool {
        guard let (task, loss) = stall, let source else { return true }
        // What the kernel remembers of a file does not bring back its disk.
        if loss.reason == .gone, finder.isStorageGone() { return false }
        stall = nil
        switch task {
        case .reading:
            do {
                self.source = try source.reopened()
            } catch {
                if let loss = finder.loss(with: source.track, error) {
                    stall = (.reading, loss)
                } else {
                    // The storage is back without this file.
                    finder.skip(source.track, error)
                    endTrack()
                }
            }
        case .searching: endTrack()
        }
        return stall == nil
    }

    private func advance() {
        guard let stage else {
            let segment = ring.writeSegment()
            let count = readMapped(into: segment.start, frames: min(blockFrames, segment.frames))
            if count > 0 { ring.produce(count) } else if stall == nil { endTrack() }
            return
        }
        do {
            if !stage.wantsInput {
                try stage.process(into: ring)
            } else if source == nil {
                if try stage.flush(into: ring) { concludeRun() }
            } else {
                let count = readMapped(into: stage.inputSpace, frames: ResamplingStage.blockFrames)
                if count > 0 { stage.accept(count) } else if stall == nil { endTrack() }
            }
        } catch {
            abandonRun(error)
        }
    }

    /// Decodes the next frames in the device's channels; 0 at the track's end, be it untimely, and in a stall.
    private func readMapped(into output: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        guard let source else { return 0 }
        if leadIn > 0 {
            let count = min(frames, leadIn)
            output.update(repeating: 0, count: count * ring.channels)
            leadIn -= count
            return count
        }
        do {
            if map.isIdentity { return try source.read(into: output, frames: frames) }
            let count = try source.read(into: decoded.samples, frames: frames)
            map.map(decoded.samples, into: output, frames: count)
            return count
        } catch {
            if let loss = finder.loss(with: source.track, error) {
                stall = (.reading, loss)
            } else {
                finder.skip(source.track, error)
            }
            return 0
        }
    }

    /// The track has been read to its end: the next one takes over, or the resampler is emptied first.
    private func endTrack() {
        guard let ended = source else { return }
        let next: TrackSource?
        switch finder.search(after: ended.track) {
        case .found(let source): next = source
        case .none: next = nil
        case .blocked(let loss):
            stall = (.searching, loss)
            return
        }
        if let next, next.decoder.format.rate == ended.decoder.format.rate, join(next) { return }
        source = nil
        following = next
        if stage == nil { concludeRun() }
    }

    /// Lets a track of the same rate follow without a seam.
    /// - Returns: false where that cannot be, as the programme was to start beyond the end of the track before.
    private func join(_ next: TrackSource) -> Bool {
        let (index, lateness) = stage?.inputEnd ?? (ring.writeIndex, 0)
        guard let last = marks.last, index >= last.ringIndex else { return false }
        take(next)
        mark(next, at: index, fraction: lateness)
        return true
    }

    /// Everything of tracks of one rate is in the ring.
    private func concludeRun() {
        stage = nil
        // Rounding may have denied a track of a frame or two its place; no mark may lie beyond the frames there are.
        for index in marks.indices where marks[index].ringIndex > ring.writeIndex {
            marks[index].ringIndex = ring.writeIndex
        }
        if let next = following {
            following = nil
            begin(next)
        } else {
            ring.end()
        }
    }

    /// The resampler has failed, and with it the programme: it ends with the frames there are.
    private func abandonRun(_ error: ResamplerError) {
        if let track = source?.track ?? marks.last?.track {
            let path = finder.tracks[track].path
            finder.skip(track, DecoderError(.unsupported, "play", path, message: error.description))
        }
        source = nil
        following = nil
        concludeRun()
    }

    /// Starts a run with a track at its `startFrame`.
    private func begin(_ first: TrackSource) {
        take(first)
        mark(first, at: ring.writeIndex, fraction: 0)
        let trackRate = first.decoder.format.rate
        let isConverted = trackRate != rate
        // From the very start nothing needs to settle: before it there is silence for the resampler, too.
        let preroll =
            isConverted && first.startFrame > 0 ? ResamplingStage.preroll(from: trackRate, to: rate) : 0
        leadIn = max(0, preroll - first.startFrame)
        if isConverted {
            do {
                stage = try ResamplingStage(
                    from: trackRate, to: rate, channels: ring.channels, preroll: preroll, start: ring.writeIndex)
            } catch {
                // A converter of audio rates can only fail for want of memory: no other track would fare better.
                abandonRun(error)
                return
            }
        }
        do {
            try first.seek(toFrame: max(0, first.startFrame - preroll))
        } catch {
            finder.skip(first.track, error)
            endTrack()
        }
    }

    private func take(_ next: TrackSource) {
        source = next
        let format = next.decoder.format
        map = ChannelMap(from: format.channels, order: next.decoder.channelOrder, to: ring.channels)
        let capacity = map.isIdentity ? 0 : ResamplingStage.blockFrames * format.channels
        if decoded.capacity < capacity { decoded = SampleBlock(capacity: capacity) }
    }

    private func mark(_ source: TrackSource, at index: Int, fraction: Int) {
        defer { markCount += 1 }
        marks.append(
            ProgrammeMark(
                ringIndex: index, number: markCount, track: source.track, frame: source.startFrame, fraction: fraction,
                rate: source.decoder.format.rate, length: source.decoder.frameCount,
                likelyLength: source.decoder.likelyFrameCount))
    }
}

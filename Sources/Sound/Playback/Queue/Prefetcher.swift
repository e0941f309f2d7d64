/// Fills a ring from the storage. A prefetcher decodes tracks one after another, maps their channels, converts their
/// rate and writes the frames into the ring as far ahead as there is room.
///
/// Consecutive tracks with the same rate share one resampler and follow each other without a gap. A track that cannot
/// be opened is skipped. If a track breaks off, the next one follows at that exact frame. Use a prefetcher only on the
/// thread that is the ring's producer. Its calls block on the storage.
public final class Prefetcher {
    /// The positions in the ring at which the tracks begin. The first mark belongs to the track being heard. The marks
    /// of the tracks that have been read ahead follow. The list is empty before `start` is called.
    public private(set) var marks: [TrackMark] = []
    private var markCount = 0
    /// The total length of the silence that has replaced damaged parts so far.
    private(set) var silence = Duration.zero

    private let ring: PlaybackRing
    private let rate: Int
    private let finder: TrackFinder
    /// The track being read, or nil at the end of the music and while the resampler is flushed.
    private var source: TrackSource?
    /// The track that begins after the resampler has been flushed.
    private var following: TrackSource?
    /// The resampler, or nil if the track's rate is the same as the device's rate.
    private var stage: ResamplingStage?
    private var map: ChannelMap
    private var decoded: SampleBlock
    /// The reason why the storage cannot be read at the moment, and the interrupted task.
    private var stall: (task: StalledTask, loss: StorageLoss)?
    /// The number of silent frames to write before the track. They replace the part of the pre-roll that would lie
    /// before the track's start.
    private var leadIn = 0
    private let blockFrames: Int

    private enum StalledTask {
        /// Reading the track, or seeking to the frame at which it begins, was interrupted because the storage was lost.
        case reading(from: Int)
        /// The next track cannot be searched for.
        case searching
    }

    /// - Parameters:
    ///   - ring: the ring, with the device's channels.
    ///   - rate: the device's rate in Hz.
    ///   - finder: the object that finds and opens the tracks.
    public init(ring: PlaybackRing, rate: Int, finder: TrackFinder) {
        self.ring = ring
        self.rate = rate
        self.finder = finder
        map = ChannelMap(from: ring.channels, to: ring.channels)
        decoded = SampleBlock(capacity: 0)
        blockFrames = min(ResamplingStage.blockFrames, max(1, (ring.capacity - ring.history) / 2))
    }

    /// Begins the music at a position in a track. If that track cannot be opened, the music begins at the start of the
    /// next one in `direction`. Call this only once.
    /// - Returns: the track with which the music begins. If no track can be played, the function returns nil and does
    ///   not change the ring.
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

    /// The size of the file that is being read, in bytes, or nil if there is none.
    var fileSize: Int? { source?.decoder.fileSize }

    /// Removes the first mark. Call this when the next track is heard.
    public func passBoundary() {
        marks.removeFirst()
    }

    /// Removes the marks of tracks that end before a ring index.
    func forgetMarks(before index: Int) {
        while marks.count > 1, marks[1].ringIndex < index { passBoundary() }
    }

    /// Reads ahead until the ring does not have room for another block, the music ends, or the storage is lost.
    /// - Parameter limit: the number of frames after which to return even if there is room for more.
    /// - Returns: true if the function returned because of the limit.
    @discardableResult
    public func fill(limit: Int = .max) -> Bool {
        let start = ring.writeIndex
        while stall == nil, ring.endIndex == nil, !marks.isEmpty, ring.writableFrames >= blockFrames {
            if ring.writeIndex - start >= limit { return true }
            advance()
        }
        return false
    }

    /// The reason why the storage cannot be read, or nil if it can be read. While the storage cannot be read, `fill`
    /// does nothing until `retry` succeeds.
    var loss: StorageLoss? { stall?.loss }

    /// Continues at the point at which the storage failed, if the storage has returned.
    /// - Returns: true if the storage has returned.
    func retry() -> Bool {
        guard let (task, loss) = stall, let source else { return true }
        // Check the storage first, because a cached file can still be opened although its disk is missing.
        if loss.reason == .gone, finder.isStorageGone() { return false }
        stall = nil
        switch task {
        case .reading(let frame):
            do {
                self.source = try source.reopened(at: frame)
            } catch {
                if let loss = finder.loss(with: source.track, error) {
                    stall = (.reading(from: frame), loss)
                } else {
                    // The storage has returned, but this file is missing or damaged.
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

    /// Decodes the next frames and maps them to the device's channels.
    /// - Returns: the number of frames. It is 0 at the end of the track, at the point at which the track breaks off,
    ///   and when the storage is lost.
    private func readMapped(into output: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        guard let source else { return 0 }
        if leadIn > 0 {
            let count = min(frames, leadIn)
            output.update(repeating: 0, count: count * ring.channels)
            leadIn -= count
            return count
        }
        defer { noteGap(in: source) }
        do {
            if map.isIdentity { return try source.read(into: output, frames: frames) }
            let count = try source.read(into: decoded.samples, frames: frames)
            map.map(decoded.samples, into: output, frames: count)
            return count
        } catch {
            if let loss = finder.loss(with: source.track, error) {
                stall = (.reading(from: source.decoder.position), loss)
            } else {
                finder.skip(source.track, error)
            }
            return 0
        }
    }

    private func noteGap(in source: TrackSource) {
        guard let gap = source.decoder.takeGap() else { return }
        silence += Duration(frames: gap.silence, rate: source.decoder.format.rate)
        finder.skip(source.track, gap)
    }

    /// Continues with the next track after the end of a track. If necessary, the resampler is flushed first.
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

    /// Appends a track of the same rate without a gap.
    /// - Returns: false if this is impossible because the music started beyond the end of the previous track.
    private func join(_ next: TrackSource) -> Bool {
        let (index, lateness) = stage?.inputEnd ?? (ring.writeIndex, 0)
        guard let last = marks.last, index >= last.ringIndex else { return false }
        take(next)
        mark(next, at: index, fraction: lateness)
        return true
    }

    /// Ends a run of tracks with the same rate, because all of their frames are in the ring, and begins the next run.
    private func concludeRun() {
        stage = nil
        // Rounding may leave no device frame for a track of one or two frames. No mark may lie beyond the frames
        // written.
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

    /// Ends the music with the frames written so far, because the resampler has failed.
    private func abandonRun(_ error: ResamplerError) {
        if let track = source?.track ?? marks.last?.track {
            let path = finder.tracks[track].path
            finder.skip(track, DecoderError(.unsupported, "play", path, message: error.description))
        }
        source = nil
        following = nil
        concludeRun()
    }

    /// Starts a run at the `startFrame` of a track.
    private func begin(_ first: TrackSource) {
        take(first)
        mark(first, at: ring.writeIndex, fraction: 0)
        let trackRate = first.decoder.format.rate
        let isConverted = trackRate != rate
        // At the start of a track, the resampler needs no pre-roll because only silence precedes the track.
        let preroll =
            isConverted && first.startFrame > 0 ? ResamplingStage.preroll(from: trackRate, to: rate) : 0
        leadIn = max(0, preroll - first.startFrame)
        if isConverted {
            do {
                stage = try ResamplingStage(
                    from: trackRate, to: rate, channels: ring.channels, preroll: preroll, start: ring.writeIndex)
            } catch {
                // This fails only if there is not enough memory, so another track would also fail.
                abandonRun(error)
                return
            }
        }
        let start = max(0, first.startFrame - preroll)
        do {
            try first.seek(toFrame: start)
        } catch {
            if let loss = finder.loss(with: first.track, error) {
                stall = (.reading(from: start), loss)
            } else {
                finder.skip(first.track, error)
                endTrack()
            }
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
            TrackMark(
                ringIndex: index, number: markCount, track: source.track, frame: source.startFrame, fraction: fraction,
                rate: source.decoder.format.rate, length: source.decoder.frameCount,
                likelyLength: source.decoder.likelyFrameCount))
    }
}

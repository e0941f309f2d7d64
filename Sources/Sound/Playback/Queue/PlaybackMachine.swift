import ALSA
import Time

/// The music from one position on, as the playback machine sees it.
protocol BufferedPlayback {
    var format: StreamFormat { get }
    /// The positions at which the buffer's tracks begin, oldest first. The list is never empty after a track has been
    /// found for the buffer.
    var marks: [TrackMark] { get }
    /// The ring index after the last frame, or nil until the storage has been read that far.
    var endIndex: Int? { get }
}

/// The state of playback, which consists of the position and of pending searches and orders. The machine handles
/// boundaries, seeks, jumps, rewinds, parking and searches.
///
/// `OfflineEngine` and `RealTimeEngine` both use it. It is pure. An engine passes in each event and the ring index that
/// is being heard. It then executes all actions that the call returns, in their order. Only one search runs at a time,
/// and a newer search replaces it.
struct PlaybackMachine<PlaybackBuffer: BufferedPlayback> {
    enum Action {
        /// Find a track and make a buffer for it, then call `found` or `nothingFound`.
        case find(LoadRequest)
        /// Jump to this buffer, with a crossfade while music is playing.
        case change(to: PlaybackBuffer)
        /// Release the buffer, which silences the music at once.
        case leaveBuffer
        /// Open the device, although nothing is playing yet.
        case open
        case play(PlayRequest)
        /// Fade out. The music later resumes at the frame at which the fade-out began.
        case silence
        case report(PlaybackEvent)
    }

    /// An order to play.
    struct PlayRequest {
        /// The linear gain, 0 or more.
        var gain: Float
        /// The length of the ramp to that gain.
        var ramp: Duration
        /// The time that silent music waits before it begins, for an engine on a virtual clock.
        var wait = Duration.zero
        /// The earliest time at which silent music begins, for an engine in real time. The time is in nanoseconds of
        /// CLOCK_MONOTONIC, as is `given`.
        var notBefore = 0
        /// The time at which the command was given.
        var given = 0
    }

    private enum Position {
        /// No track has been found yet.
        case nowhere
        /// There is no buffer. One has to be made for this position.
        case parked(Parked)
        case loaded(PlaybackBuffer, Progress)
    }

    /// The boundaries of a buffer that have been reported.
    private struct Progress {
        /// The number of the mark of the last track that has been reported as heard.
        var passed: Int
        var hasEnded = false
    }

    private struct Parked {
        var playhead: Playhead
        let length: TrackLength?
        /// The number, marks and rate of the buffer that was playing. They are needed if the device turns out to have
        /// played more of it.
        let bufferNumber: Int
        let marks: [TrackMark]
        let rate: Int
    }

    private enum Search {
        case idle
        case running(Load)
        /// The search was interrupted by a teardown. A rebuild starts the search again.
        case withdrawn(Load)
    }

    private struct Load {
        let request: LoadRequest
        /// The length of the track, if it is the current one.
        let length: TrackLength?
        /// True if the engine's caller requested the search and is therefore waiting for `loaded` or `nothingToLoad`.
        let isRequested: Bool
    }

    private enum Transport {
        case stopped
        /// Playback starts once a buffer has been found. If `rewind` is not nil, playback first goes back by this time
        /// once there is a device. Until something is played, the position does not change.
        case held(PlayRequest, rewind: Duration?)
        case playing(PlayRequest)
    }

    private var position = Position.nowhere
    private var search = Search.idle
    private var transport = Transport.stopped
    /// True if another device is about to replace the current one. Orders to play are held until the rebuild.
    private(set) var isWithdrawn = false
    private var requestCount = 0
    /// The number of times that the buffer has changed.
    private(set) var bufferNumber = 0
    /// The track that was last reported to the caller.
    private var reportedTrack: Int?
    /// The device's current format. Until the device is first opened, this is an assumption.
    var format: StreamFormat
    private let jumpFade: Duration

    init(format: StreamFormat, jumpFade: Duration) {
        self.format = format
        self.jumpFade = jumpFade
    }

    // MARK: State

    var buffer: PlaybackBuffer? { if case .loaded(let buffer, _) = position { buffer } else { nil } }

    /// The request of the running search, or nil if no search is running.
    var request: LoadRequest? { if case .running(let load) = search { load.request } else { nil } }

    var isPlaying: Bool { if case .playing = transport { true } else { false } }

    /// True if the music's end has been reported and nothing has been played since.
    var hasEnded: Bool { if case .loaded(_, let progress) = position { progress.hasEnded } else { false } }

    private var isStopped: Bool { if case .stopped = transport { true } else { false } }

    /// The frame that is heard at a ring index of the buffer, or the target of the search while one is running. It is
    /// nil if there is no track.
    func playhead(at index: Int?) -> Playhead? {
        if let request {
            return Playhead(track: request.track, frame: request.position.wholeNanoseconds, rate: 1_000_000_000)
        }
        return bufferPlayhead(at: index)
    }

    /// The frame that is heard. While a search is running, this is a frame of the previous music, which continues to
    /// play.
    func heard(at index: Int?) -> Playhead? {
        isPlaying ? bufferPlayhead(at: index) ?? playhead(at: index) : playhead(at: index)
    }

    private func bufferPlayhead(at index: Int?) -> Playhead? {
        switch position {
        case .nowhere: nil
        case .parked(let parked): parked.playhead
        case .loaded(let buffer, _):
            index.flatMap { index in mark(at: index)?.playhead(at: index, deviceRate: buffer.format.rate) }
        }
    }

    /// The length of the playhead's track, if it is known.
    func trackLength(at index: Int?) -> TrackLength? {
        if case .running(let load) = search { return load.length }
        switch position {
        case .nowhere: return nil
        case .parked(let parked): return parked.length
        case .loaded(let buffer, _):
            return index.flatMap { index in mark(at: index)?.trackLength(at: index, deviceRate: buffer.format.rate) }
        }
    }

    /// Returns the mark of the track to which a ring index belongs. At a boundary, this is the track that ends there,
    /// until its end has been reported.
    private func mark(at index: Int) -> TrackMark? {
        guard case .loaded(let buffer, let progress) = position else { return nil }
        let marks = buffer.marks
        return marks.last {
            $0.ringIndex < index || ($0.ringIndex == index && $0.number <= progress.passed)
        } ?? marks.first
    }

    /// The ring index of the next boundary that has not been reported. A boundary is the start of a track or the end of
    /// the music.
    var nextBoundary: Int? {
        guard case .loaded(let buffer, let progress) = position else { return nil }
        return buffer.marks.first { $0.number > progress.passed }?.ringIndex
            ?? (progress.hasEnded ? nil : buffer.endIndex)
    }

    // MARK: Jumps

    /// Searches for a track and reports the result as `loaded` or `nothingToLoad`. Until then, the previous music
    /// continues.
    mutating func load(
        track: Int, at position: Duration, searching direction: SearchDirection, index: Int?
    ) -> [Action] {
        forgetRewind()
        return find(track, at: position, direction, isRequested: true, index: index)
    }

    /// Goes to another position in the current track. If the track can no longer be read, the machine reports the track
    /// that it finds instead as `trackAdvanced`, or reports `playbackEnded`.
    mutating func seek(to position: Duration, index: Int?) -> [Action] {
        guard let track = playhead(at: index)?.track else { return [] }
        forgetRewind()
        return find(track, at: position, .forward, isRequested: false, index: index)
    }

    private mutating func find(
        _ track: Int, at position: Duration, _ direction: SearchDirection, isRequested: Bool, index: Int?
    ) -> [Action] {
        let length = track == playhead(at: index)?.track ? trackLength(at: index) : nil
        // The result of the newest search is also reported if only a search that it replaces was requested.
        var isRequested = isRequested
        if case .running(let load) = search, load.isRequested { isRequested = true }
        requestCount += 1
        let request = LoadRequest(
            number: requestCount, track: track, position: position, direction: direction, format: format)
        search = .running(Load(request: request, length: length, isRequested: isRequested))
        return [.find(request)]
    }

    /// Makes a new buffer for a position that the current buffer no longer holds. Because the music is the same,
    /// nothing is reported unless another track is found instead.
    mutating func readAgain(_ playhead: Playhead) -> [Action] {
        find(playhead.track, at: playhead.position, .forward, isRequested: false, index: nil)
    }

    /// Changes to the buffer that a search has found.
    /// - Parameter number: the number of the request. The result of a request that has been replaced is ignored.
    mutating func found(_ number: Int, _ buffer: PlaybackBuffer) -> [Action] {
        guard case .running(let load) = search, load.request.number == number else { return [] }
        search = .idle
        position = .loaded(buffer, Progress(passed: buffer.marks.first?.number ?? 0))
        bufferNumber += 1
        var actions = [Action.change(to: buffer)]
        if let track = buffer.marks.first?.track {
            if load.isRequested {
                actions.append(.report(.loaded(track: track)))
            } else if let reportedTrack, track != reportedTrack {
                actions.append(.report(.trackAdvanced(to: track)))
            }
            reportedTrack = track
        }
        return actions + playHeld()
    }

    /// Ends a search that has not found a playable track.
    /// - Parameter number: as for `found`.
    mutating func nothingFound(_ number: Int) -> [Action] {
        guard case .running(let load) = search, load.request.number == number else { return [] }
        search = .idle
        if load.isRequested { return [.report(.nothingToLoad)] }
        // If the caller requested the search, the order to play remains for the next request.
        if case .held = transport { transport = .stopped }
        return [.report(.playbackEnded)]
    }

    // MARK: Playing

    /// Plays from silence, reverses a fade-out, or changes the gain. The call does nothing if there is no track.
    /// - Parameters:
    ///   - rewind: the time by which to go back first if the output is silent, but not before the track's start.
    ///   - isFadingOut: true if a fade-out can still be heard.
    ///   - isOpen: true if there is a device.
    mutating func play(
        _ order: PlayRequest, rewinding rewind: Duration, isFadingOut: Bool, isOpen: Bool, index: Int?
    ) -> [Action] {
        var actions: [Action] = []
        let wasStopped = isStopped
        var delayed: Duration?
        if case .held(_, let rewind) = transport { delayed = rewind }
        if isWithdrawn, playhead(at: index) != nil {
            transport = .held(order, rewind: wasStopped && rewind > .zero ? rewind : delayed)
            return []
        }
        if wasStopped, !isFadingOut, rewind > .zero {
            if isOpen { actions = seekBack(by: rewind, index: index) } else { delayed = rewind }
        }
        if !isPlaying, request != nil || delayed != nil {
            transport = .held(order, rewind: delayed)
            // Let the device open during the search.
            return wasStopped ? actions + [.open] : actions
        }
        return actions + start(order)
    }

    private mutating func start(_ order: PlayRequest) -> [Action] {
        guard case .loaded(let buffer, var progress) = position, !buffer.marks.isEmpty else { return [] }
        progress.hasEnded = false
        position = .loaded(buffer, progress)
        transport = .playing(order)
        return [.play(order)]
    }

    private mutating func seekBack(by rewind: Duration, index: Int?) -> [Action] {
        guard let playhead = playhead(at: index), playhead.frame > 0 else { return [] }
        return find(
            playhead.track, at: max(.zero, playhead.position - rewind), .forward, isRequested: false, index: index)
    }

    private mutating func playHeld() -> [Action] {
        guard !isWithdrawn, case .held(let order, rewind: nil) = transport else { return [] }
        transport = .stopped
        return start(order)
    }

    private mutating func forgetRewind() {
        if case .held(let order, _) = transport { transport = .held(order, rewind: nil) }
    }

    /// Stops playback, with a fade-out unless it is already silent.
    mutating func silence() -> [Action] {
        let wasPlaying = isPlaying
        transport = .stopped
        return wasPlaying ? [.silence] : []
    }

    // MARK: The device

    /// Continues an order to play that waited for the device before rewinding. The engine calls this when the device
    /// has been opened.
    mutating func opened(index: Int?) -> [Action] {
        guard !isWithdrawn, case .held(let order, let rewind?) = transport else { return [] }
        transport = .held(order, rewind: nil)
        let actions = seekBack(by: rewind, index: index)
        return request == nil ? actions + playHeld() : actions
    }

    /// Releases the buffer. The position stays the same.
    mutating func tearDown(index: Int?) -> [Action] {
        park(at: index)
        transport = .stopped
        isWithdrawn = false
        if case .running(let load) = search { search = .withdrawn(load) }
        bufferNumber += 1
        return [.leaveBuffer]
    }

    /// Makes a new buffer in the current format, at the current position. If music was playing, it continues from
    /// silence.
    mutating func rebuild(index: Int?, at now: Int) -> [Action] {
        isWithdrawn = false
        guard let playhead = playhead(at: index) else { return [] }
        let resumed = resumed(at: now)
        let actions = tearDown(index: index)
        defer { transport = resumed }
        guard case .withdrawn(let load) = search else {
            return actions + find(playhead.track, at: playhead.position, .forward, isRequested: false, index: nil)
        }
        let request = load.request
        return actions
            + find(request.track, at: request.position, request.direction, isRequested: load.isRequested, index: nil)
    }

    /// Holds the order to play until the rebuild, because another device is about to replace the current one. The
    /// buffer and the position stay the same.
    mutating func hold(at now: Int) {
        isWithdrawn = true
        transport = resumed(at: now)
    }

    /// Releases the buffer, because another device replaces the current one. The position and the order to play stay
    /// the same until the rebuild.
    mutating func withdraw(index: Int?, at now: Int) -> [Action] {
        let held = resumed(at: now)
        let actions = tearDown(index: index)
        isWithdrawn = true
        transport = held
        return actions
    }

    /// Returns the order that continues playing music from silence.
    private func resumed(at now: Int) -> Transport {
        switch (transport, position) {
        case (.playing, .loaded(_, let progress)) where progress.hasEnded: .stopped
        case (.playing(let order), _):
            .held(
                PlayRequest(
                    gain: order.gain, ramp: max(order.ramp, jumpFade), notBefore: order.notBefore, given: now),
                rewind: nil)
        case (.held, _), (.stopped, _): transport
        }
    }

    private mutating func park(at index: Int?) {
        guard let playhead = playhead(at: index) else { return }
        // During a search, park at the target of the search, not at the frame that is heard.
        let buffer = request == nil ? buffer : nil
        if buffer == nil, case .parked(let parked) = position, parked.playhead == playhead { return }
        position = .parked(
            Parked(
                playhead: playhead, length: trackLength(at: index), bufferNumber: bufferNumber,
                marks: buffer?.marks ?? [],
                rate: buffer?.format.rate ?? format.rate))
    }

    /// Corrects the parked position, because a device that was declared lost has played its buffer up to this ring
    /// index.
    mutating func correct(bufferNumber: Int, index: Int) {
        guard case .parked(var parked) = position, parked.bufferNumber == bufferNumber,
            let mark = parked.marks.last(where: { $0.ringIndex <= index }) ?? parked.marks.first
        else { return }
        parked.playhead = mark.playhead(at: index, deviceRate: parked.rate)
        position = .parked(parked)
    }

    // MARK: Boundaries

    /// Reports the tracks that have ended and the end of the music.
    /// - Parameters:
    ///   - index: the ring index of the frame that is heard.
    ///   - includesIndex: true if a track that ends exactly at `index` has ended.
    mutating func passBoundaries(at index: Int, including includesIndex: Bool = true) -> [Action] {
        guard request == nil, isPlaying, case .loaded(let buffer, var progress) = position else { return [] }
        let isPassed = { (boundary: Int) in boundary < index || (includesIndex && boundary == index) }
        var actions: [Action] = []
        let passed = buffer.marks.filter { $0.number > progress.passed }.prefix { isPassed($0.ringIndex) }
        for mark in passed {
            progress.passed = mark.number
            reportedTrack = mark.track
            actions.append(.report(.trackAdvanced(to: mark.track)))
        }
        if let end = buffer.endIndex, !progress.hasEnded, isPassed(end) {
            progress.hasEnded = true
            actions.append(.report(.playbackEnded))
        }
        if !actions.isEmpty { position = .loaded(buffer, progress) }
        return actions
    }
}

/// A request for a buffer.
struct LoadRequest: Sendable {
    /// The number of the request. A later request has a higher number.
    let number: Int
    /// The index of the track in the list of tracks.
    let track: Int
    let position: Duration
    /// The direction in which to continue the search if the track cannot be read.
    let direction: SearchDirection
    /// The format of the buffer.
    let format: StreamFormat
}

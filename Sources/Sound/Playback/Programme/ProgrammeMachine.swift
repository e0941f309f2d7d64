import ALSA

/// The frames of a programme from one position on, as far as the machine needs to know them.
protocol ProgrammeDeck {
    var format: StreamFormat { get }
    /// Where its tracks begin, oldest first; never empty once a track has been found for it.
    var marks: [ProgrammeMark] { get }
    /// Ring index after the last frame; nil until the storage has read that far.
    var endIndex: Int? { get }
}

/// Where the programme is, and what it waits for: boundaries, seeks, jumps, rewinds, parking and searches.
///
/// The same machine is behind `OfflineEngine` and `RealTimeEngine`. It is pure: an engine passes in what happened and the
/// ring index that is heard, and carries out the actions that each call returns, in their order and as a whole. Only one
/// search runs at a time; a newer one replaces it.
struct ProgrammeMachine<Deck: ProgrammeDeck> {
    enum Action {
        /// Find a track and make a deck of it, and answer with `found` or `nothingFound`.
        case find(LoadRequest)
        /// Jump to this deck; while playing, over the jump fade.
        case change(to: Deck)
        /// Leave the deck: silent at once.
        case leaveDeck
        /// Have the device open, although nothing plays yet.
        case open
        case play(PlayOrder)
        /// Fade out; the programme resumes where the fade-out began.
        case silence
        case report(PlaybackEvent)
    }

    /// How a programme is to be played.
    struct PlayOrder {
        /// Linear, 0 or more.
        var gain: Float
        var ramp: Duration
        /// When the command was given, in nanoseconds of CLOCK_MONOTONIC.
        var given = 0
    }

    private enum Position {
        /// No track has been found yet.
        case nowhere
        /// Without a deck, until one is made for this position.
        case parked(Parked)
        case loaded(Deck, Progress)
    }

    /// How much of a deck has been reported.
    private struct Progress {
        /// Number of the mark that is heard, as far as it was reported.
        var passed: Int
        var hasEnded = false
    }

    private struct Parked {
        var playhead: Playhead
        let length: Duration?
        /// The deck it was on, in case the device turns out to have played more of it: its number, marks and rate.
        let deckNumber: Int
        let marks: [ProgrammeMark]
        let rate: Int
    }

    private enum Search {
        case idle
        case running(Load)
        /// Interrupted by a teardown; a rebuild starts it again.
        case withdrawn(Load)
    }

    private struct Load {
        let request: LoadRequest
        /// Length of its track, if that is the current one.
        let length: Duration?
        /// Whether the engine's caller waits for the answer, or the engine itself.
        let isAsked: Bool
    }

    private enum Transport {
        case stopped
        /// Plays once a deck has been found. `rewind`: how far it goes back first, when there is a device. As long as
        /// nobody hears anything, the position stays.
        case held(PlayOrder, rewind: Duration?)
        case playing(PlayOrder)
    }

    private var position = Position.nowhere
    private var search = Search.idle
    private var transport = Transport.stopped
    private var requestCount = 0
    /// Counts the changes of deck.
    private(set) var deckNumber = 0
    /// The track that the caller knows of.
    private var reportedTrack: Int?
    /// The device's present format, or a guess before its first opening.
    var format: StreamFormat
    private let jumpFade: Duration

    init(format: StreamFormat, jumpFade: Duration) {
        self.format = format
        self.jumpFade = jumpFade
    }

    // MARK: What it is doing

    var deck: Deck? { if case .loaded(let deck, _) = position { deck } else { nil } }

    /// The search that is running.
    var request: LoadRequest? { if case .running(let load) = search { load.request } else { nil } }

    var isPlaying: Bool { if case .playing = transport { true } else { false } }

    /// Whether the programme's end has been reported, and nothing was played since.
    var hasEnded: Bool { if case .loaded(_, let progress) = position { progress.hasEnded } else { false } }

    private var isStopped: Bool { if case .stopped = transport { true } else { false } }

    /// The frame that is heard at a ring index of the deck; while a search runs, what it looks for. nil without a track.
    func playhead(at index: Int?) -> Playhead? {
        if let request {
            return Playhead(track: request.track, frame: request.position.wholeNanoseconds, rate: 1_000_000_000)
        }
        return deckPlayhead(at: index)
    }

    /// The frame that is heard, even while a search runs and the previous programme continues.
    func heard(at index: Int?) -> Playhead? {
        isPlaying ? deckPlayhead(at: index) ?? playhead(at: index) : playhead(at: index)
    }

    private func deckPlayhead(at index: Int?) -> Playhead? {
        switch position {
        case .nowhere: nil
        case .parked(let parked): parked.playhead
        case .loaded(let deck, _):
            index.flatMap { index in mark(at: index)?.playhead(at: index, deviceRate: deck.format.rate) }
        }
    }

    /// Length of the playhead's track, if it is known.
    func trackLength(at index: Int?) -> Duration? {
        if case .running(let load) = search { return load.length }
        switch position {
        case .nowhere: return nil
        case .parked(let parked): return parked.length
        case .loaded(let deck, _):
            return index.flatMap { index in mark(at: index)?.trackLength(at: index, deviceRate: deck.format.rate) }
        }
    }

    /// The track to which a ring index belongs. At a boundary that is the one that ends there, until its end has been
    /// reported.
    private func mark(at index: Int) -> ProgrammeMark? {
        guard case .loaded(let deck, let progress) = position else { return nil }
        let marks = deck.marks
        return marks.last {
            $0.ringIndex < index || ($0.ringIndex == index && $0.number <= progress.passed)
        } ?? marks.first
    }

    /// Ring index of the next boundary that has not been reported: a track's begin or the programme's end.
    var nextBoundary: Int? {
        guard case .loaded(let deck, let progress) = position else { return nil }
        return deck.marks.first { $0.number > progress.passed }?.ringIndex
            ?? (progress.hasEnded ? nil : deck.endIndex)
    }

    // MARK: Jumps

    /// Looks for a track; the answer is reported as `loaded` or `nothingToLoad`. Until then the previous programme
    /// continues.
    mutating func load(
        track: Int, at position: Duration, searching direction: SearchDirection, index: Int?
    ) -> [Action] {
        forgetRewind()
        return find(track, at: position, direction, isAsked: true, index: index)
    }

    /// Looks for another position in the current track. If it cannot be read any more, the track found instead is reported
    /// as `trackAdvanced`, or the programme has ended.
    mutating func seek(to position: Duration, index: Int?) -> [Action] {
        guard let track = playhead(at: index)?.track else { return [] }
        forgetRewind()
        return find(track, at: position, .forward, isAsked: false, index: index)
    }

    private mutating func find(
        _ track: Int, at position: Duration, _ direction: SearchDirection, isAsked: Bool, index: Int?
    ) -> [Action] {
        let length = track == playhead(at: index)?.track ? trackLength(at: index) : nil
        // The newest search answers for those that it replaces.
        var isAsked = isAsked
        if case .running(let load) = search, load.isAsked { isAsked = true }
        requestCount += 1
        let request = LoadRequest(
            number: requestCount, track: track, position: position, direction: direction, format: format)
        search = .running(Load(request: request, length: length, isAsked: isAsked))
        return [.find(request)]
    }

    /// Makes another deck for a position that the present one does not hold any more. It is the same programme: nothing is
    /// reported but another track found instead.
    mutating func readAgain(_ playhead: Playhead) -> [Action] {
        find(playhead.track, at: playhead.position, .forward, isAsked: false, index: nil)
    }

    /// - Parameter number: of the request; the answer to one that has been replaced is ignored.
    mutating func found(_ number: Int, _ deck: Deck) -> [Action] {
        guard case .running(let load) = search, load.request.number == number else { return [] }
        search = .idle
        position = .loaded(deck, Progress(passed: deck.marks.first?.number ?? 0))
        deckNumber += 1
        var actions = [Action.change(to: deck)]
        if let track = deck.marks.first?.track {
            if load.isAsked {
                actions.append(.report(.loaded(track: track)))
            } else if let reportedTrack, track != reportedTrack {
                actions.append(.report(.trackAdvanced(to: track)))
            }
            reportedTrack = track
        }
        return actions + playHeld()
    }

    /// No track can be played of what a request asked for.
    mutating func nothingFound(_ number: Int) -> [Action] {
        guard case .running(let load) = search, load.request.number == number else { return [] }
        search = .idle
        if load.isAsked { return [.report(.nothingToLoad)] }
        // A caller that asked can ask for something else, and have that played.
        if case .held = transport { transport = .stopped }
        return [.report(.programmeEnded)]
    }

    // MARK: Playing

    /// Plays from silence, reverses a fade-out, or changes the gain. Nothing happens without a track.
    /// - Parameters:
    ///   - rewind: how far to go back first, if it is silent, but not before the track's start.
    ///   - isFadingOut: whether a fade-out is still heard.
    ///   - isOpen: whether there is a device.
    mutating func play(
        _ order: PlayOrder, rewinding rewind: Duration, isFadingOut: Bool, isOpen: Bool, index: Int?
    ) -> [Action] {
        var actions: [Action] = []
        let wasStopped = isStopped
        var delayed: Duration?
        if case .held(_, let rewind) = transport { delayed = rewind }
        if wasStopped, !isFadingOut, rewind > .zero {
            if isOpen { actions = goBack(by: rewind, index: index) } else { delayed = rewind }
        }
        if !isPlaying, request != nil || delayed != nil {
            transport = .held(order, rewind: delayed)
            // The device opens while the storage searches.
            return wasStopped ? actions + [.open] : actions
        }
        return actions + start(order)
    }

    private mutating func start(_ order: PlayOrder) -> [Action] {
        guard case .loaded(let deck, var progress) = position, !deck.marks.isEmpty else { return [] }
        progress.hasEnded = false
        position = .loaded(deck, progress)
        transport = .playing(order)
        return [.play(order)]
    }

    private mutating func goBack(by rewind: Duration, index: Int?) -> [Action] {
        guard let playhead = playhead(at: index), playhead.frame > 0 else { return [] }
        return find(
            playhead.track, at: max(.zero, playhead.position - rewind), .forward, isAsked: false, index: index)
    }

    private mutating func playHeld() -> [Action] {
        guard case .held(let order, rewind: nil) = transport else { return [] }
        transport = .stopped
        return start(order)
    }

    private mutating func forgetRewind() {
        if case .held(let order, _) = transport { transport = .held(order, rewind: nil) }
    }

    /// Stops, with a fade-out unless it is silent already.
    mutating func silence() -> [Action] {
        let wasPlaying = isPlaying
        transport = .stopped
        return wasPlaying ? [.silence] : []
    }

    // MARK: The device

    /// The device has been opened: a play that waited for it can rewind now.
    mutating func opened(index: Int?) -> [Action] {
        guard case .held(let order, let rewind?) = transport else { return [] }
        transport = .held(order, rewind: nil)
        let actions = goBack(by: rewind, index: index)
        return request == nil ? actions + playHeld() : actions
    }

    /// Gives up the deck. The position stays.
    mutating func tearDown(index: Int?) -> [Action] {
        park(at: index)
        transport = .stopped
        if case .running(let load) = search { search = .withdrawn(load) }
        deckNumber += 1
        return [.leaveDeck]
    }

    /// Makes another deck in the present format, at the present position. What was playing continues, out of silence.
    mutating func rebuild(index: Int?, at now: Int) -> [Action] {
        guard let playhead = playhead(at: index) else { return [] }
        let resumed: Transport =
            switch (transport, position) {
            case (.playing, .loaded(_, let progress)) where progress.hasEnded: .stopped
            case (.playing(let order), _):
                .held(
                    PlayOrder(gain: order.gain, ramp: max(order.ramp, jumpFade), given: now), rewind: nil)
            case (.held, _), (.stopped, _): transport
            }
        let actions = tearDown(index: index)
        defer { transport = resumed }
        guard case .withdrawn(let load) = search else {
            return actions + find(playhead.track, at: playhead.position, .forward, isAsked: false, index: nil)
        }
        let request = load.request
        return actions
            + find(request.track, at: request.position, request.direction, isAsked: load.isAsked, index: nil)
    }

    private mutating func park(at index: Int?) {
        guard let playhead = playhead(at: index) else { return }
        // A search leads somewhere else, whatever is heard meanwhile.
        let deck = request == nil ? deck : nil
        if deck == nil, case .parked(let parked) = position, parked.playhead == playhead { return }
        position = .parked(
            Parked(
                playhead: playhead, length: trackLength(at: index), deckNumber: deckNumber, marks: deck?.marks ?? [],
                rate: deck?.format.rate ?? format.rate))
    }

    /// A device that was given up turns out to have played a deck up to this ring index.
    mutating func correct(deckNumber: Int, index: Int) {
        guard case .parked(var parked) = position, parked.deckNumber == deckNumber,
            let mark = parked.marks.last(where: { $0.ringIndex <= index }) ?? parked.marks.first
        else { return }
        parked.playhead = mark.playhead(at: index, deviceRate: parked.rate)
        position = .parked(parked)
    }

    // MARK: Boundaries

    /// Reports the tracks that have ended, and the programme's end.
    /// - Parameters:
    ///   - index: ring index of the frame that is heard.
    ///   - includesIndex: whether a track that ends exactly there has ended.
    mutating func passBoundaries(at index: Int, including includesIndex: Bool = true) -> [Action] {
        guard request == nil, isPlaying, case .loaded(let deck, var progress) = position else { return [] }
        let isPassed = { (boundary: Int) in boundary < index || (includesIndex && boundary == index) }
        var actions: [Action] = []
        let passed = deck.marks.filter { $0.number > progress.passed }.prefix { isPassed($0.ringIndex) }
        for mark in passed {
            progress.passed = mark.number
            reportedTrack = mark.track
            actions.append(.report(.trackAdvanced(to: mark.track)))
        }
        if let end = deck.endIndex, !progress.hasEnded, isPassed(end) {
            progress.hasEnded = true
            actions.append(.report(.programmeEnded))
        }
        if !actions.isEmpty { position = .loaded(deck, progress) }
        return actions
    }
}

/// What a deck is wanted for.
struct LoadRequest: Sendable {
    /// Counts the requests.
    let number: Int
    /// Index into the tracks.
    let track: Int
    let position: Duration
    /// Where to search on if the track cannot be read.
    let direction: SearchDirection
    /// The deck's.
    let format: StreamFormat
}

import AudioSession
import Playback

/// Finding something to play: what the player answers at once, or tells later.
extension Supervisor {
    /// What a load that the player has not answered yet was for.
    enum Search {
        /// What was saved.
        case former
        /// The first track at a boot, as what was saved cannot be played.
        case instead
        /// What the session asked for.
        case track
        /// The first track, as nothing was found in the direction of the one asked for.
        case first
        /// Anything, as there was nothing: from where the programme was, if that is known, or else from the start.
        case anything(fromStart: Bool)

        /// Whether it is where the programme is from now on.
        var isForPlace: Bool {
            switch self {
            case .former, .track: true
            case .instead, .first, .anything: false
            }
        }
    }

    /// Whether a track is being looked for, and may turn out not to be playable.
    public var isSearching: Bool { search != nil }

    /// How long a search may take before its delay is reported.
    private static let searchPatience = Duration.seconds(1)

    /// Where the programme was, in the tracks that there are now.
    private var formerTrack: Int? {
        place.track.flatMap { path in tracks.firstIndex { $0.path == path } }
    }

    func load(_ track: Int, _ direction: Action.Direction, _ report: inout Report) {
        let direction: SearchDirection = direction == .forwards ? .forward : .backward
        switch look(for: .track, track, at: .zero, direction) {
        case .loaded(let loaded): if loaded != track { handle(.trackBegan(loaded), &report) }
        case .failed:
            switch loadFirst() {
            // None of the others that way can be played: that is past the end of the list.
            case .loaded: handle(.programmeEnded, &report)
            case .failed: handle(.tracksAvailable(0), &report)
            case .pending: break
            }
        case .pending: break
        }
    }

    /// - Returns: what a boot may count on: a track that is still being looked for is there until it is not.
    func loadFirst(or track: Int?, at position: Duration) -> Loading {
        guard let track else { return loadFirst(for: .track) }
        let loading = look(for: .former, track, at: position, .forward)
        return loading == .failed ? loadFirst(for: .instead) : loading
    }

    private func loadFirst(for search: Search = .first) -> Loading {
        look(for: search, 0, at: .zero, .forward)
    }

    private func look(
        for search: Search, _ track: Int, at position: Duration, _ direction: SearchDirection
    ) -> Loading {
        guard !tracks.isEmpty, let player else { return .failed }
        let loading = player.load(track: track, at: position, direction: direction)
        self.search = loading == .pending ? search : nil
        searchDeadline = loading == .pending ? world.now + Self.searchPatience : nil
        isSearchLate = false
        return loading
    }

    /// Something may be playable again, although none of the tracks was: looks, and goes on if it is.
    public func lookForTracksAgain() {
        var report = Report(time: world.now, happening: .tracksSought)
        lookForTracksAgain(&report)
        finish(report)
    }

    /// A user who asks for something when there was nothing to play may know that there is now.
    func lookForTracksAgain(_ report: inout Report) {
        guard session.track == nil, search == nil, case .loaded(let loaded) = loadAnything() else { return }
        handle(.tracksAvailable(tracks.count), &report)
        if loaded != session.track { handle(.trackBegan(loaded), &report) }
    }

    private func loadAnything() -> Loading {
        if let track = formerTrack {
            let loading = look(for: .anything(fromStart: false), track, at: place.position, .forward)
            if loading != .failed { return loading }
        }
        return loadFirst(for: .anything(fromStart: true))
    }

    /// What a search that took its time has come to.
    func conclude(found track: Int?) {
        let (concluded, wasLate) = (search, isSearchLate)
        search = nil
        searchDeadline = nil
        isSearchLate = false
        switch (concluded, track) {
        case (.former, let track?), (.instead, let track?), (.track, let track?), (nil, let track?):
            // Followers of the session have been told of another track meanwhile.
            if track != session.track || wasLate { pending.append(.trackFound(track)) }
        case (.first, .some): pending.append(.playlistEnded)
        case (.anything, let track?): pending += [.tracksFound(tracks.count), .trackFound(track)]
        case (.former, nil): if loadFirst(for: .instead) == .failed { pending.append(.tracksGone) }
        case (.track, nil): if loadFirst() == .failed { pending.append(.tracksGone) }
        case (.instead, nil), (.first, nil): pending.append(.tracksGone)
        case (.anything(fromStart: false), nil): _ = loadFirst(for: .anything(fromStart: true))
        case (.anything(fromStart: true), nil), (nil, nil): break
        }
    }
}

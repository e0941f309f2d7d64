import AudioSession
import Playback

/// Finds a track to play.
extension Supervisor {
    /// What the player searches for.
    enum Search {
        /// The saved track.
        case former
        /// The first track at a boot, because the saved one cannot be played.
        case instead
        /// The track that the session selected.
        case track
        /// The first track, because no playable track was found in the search's direction.
        case first
        /// Any playable track, because there was none: from the former position if that is known, or else from the start.
        case anything(fromStart: Bool)

        /// Whether its target already counts as the programme's position.
        var isForPlace: Bool {
            switch self {
            case .former, .track: true
            case .instead, .first, .anything: false
            }
        }
    }

    /// Whether a search is in progress, so that the current track can still turn out to be unplayable.
    public var isSearching: Bool { search != nil }

    /// How long a search may take before its delay is reported.
    private static let searchPatience = Duration.seconds(1)

    /// The number of the programme's last track in the present library.
    private var formerTrack: Int? {
        guard let path = place.track, let index = tracks.library.firstIndex(where: { $0.path == path })
        else { return nil }
        return tracks.number(ofIndex: index, near: session.saved.track)
    }

    func load(_ track: Int, _ direction: Action.Direction, _ report: inout Report) {
        handle(look(for: .track, track, at: .zero, direction == .forwards ? .forward : .backward), &report)
    }

    /// Searches for the given track, or else for the first playable one.
    func loadFirst(or track: Int?, at position: Duration) -> [Cause] {
        guard let track else { return look(for: .instead, 0, at: .zero, .forward) }
        return look(for: .former, track, at: position, .forward)
    }

    /// - Returns: the result, if the player has answered already; otherwise an event reports it.
    private func look(
        for search: Search, _ track: Int, at position: Duration, _ direction: SearchDirection
    ) -> [Cause] {
        self.search = search
        searchDeadline = world.now + Self.searchPatience
        isSearchLate = false
        guard !tracks.isEmpty, let player else { return conclude(found: nil) }
        player.load(track: track, at: position, direction: direction)
        return collectAnswers()
    }

    /// Searches again if no track was playable, e.g. because the storage has returned.
    public func lookForTracksAgain() {
        var report = Report(time: world.now, cause: .note(.tracksSought))
        lookForTracksAgain(&report)
        finish(report)
    }

    /// Also called at a command: the user may have just fixed the library.
    func lookForTracksAgain(_ report: inout Report) {
        guard session.track == nil, search == nil else { return }
        handle(lookForAnything(), &report)
    }

    private func lookForAnything() -> [Cause] {
        if let track = formerTrack {
            look(for: .anything(fromStart: false), track, at: place.position, .forward)
        } else {
            look(for: .anything(fromStart: true), 0, at: .zero, .forward)
        }
    }

    /// Ends the search.
    /// - Returns: the consequences for the session; none if another search follows.
    func conclude(found track: Int?) -> [Cause] {
        let (concluded, wasLate) = (search, isSearchLate)
        search = nil
        searchDeadline = nil
        isSearchLate = false
        switch (concluded, track) {
        case (.former, let track?), (.instead, let track?), (.track, let track?), (nil, let track?):
            // While a search is late, followers see the track before it.
            return track != session.track || wasLate ? [.event(.trackBegan(track), .trackFound)] : []
        // No further track in that direction is playable: this counts as the end of the list.
        case (.first, .some): return [.event(.programmeEnded)]
        case (.anything, let track?):
            return [.event(.tracksAvailable(tracks.count)), .event(.trackBegan(track), .trackFound)]
        case (.former, nil): return look(for: .instead, 0, at: .zero, .forward)
        case (.track, nil): return look(for: .first, 0, at: .zero, .forward)
        case (.anything(fromStart: false), nil): return look(for: .anything(fromStart: true), 0, at: .zero, .forward)
        // An empty library has nothing that could not be played.
        case (.instead, nil), (.first, nil): return tracks.isEmpty ? [] : [.event(.tracksAvailable(0))]
        case (.anything(fromStart: true), nil), (nil, nil): return []
        }
    }

    /// Handles results that are known while an event is handled as part of that event.
    func handle(_ found: [Cause], _ report: inout Report) {
        for event in found.compactMap(\.event) {
            switch event {
            case .trackBegan(let track) where track == session.track: continue
            case .tracksAvailable(let count): report.foundTracks = count
            case .programmeEnded: drawAgain()
            default: break
            }
            handle(event, &report)
        }
    }
}

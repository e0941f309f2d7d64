import AudioSession
import Playback

/// The search for a track to play.
struct TrackSearch {
    enum Goal {
        /// The saved track.
        case former
        /// The first track on boot, because the saved one cannot be played.
        case instead
        /// The track that the session selected.
        case track
        /// The first track because no playable track was found in the search's direction.
        case first
        /// Any playable track, because no track was playable before. The search begins at the former position if that
        /// is known, and otherwise at the start.
        case anything(fromStart: Bool)
    }

    let goal: Goal
    /// The time from which the search is considered late, or nil once it is late.
    var deadline: Duration?

    /// The time that a search may take before its delay is reported.
    private static let timeout = Duration.seconds(1)

    init(for goal: Goal, at now: Duration) {
        self.goal = goal
        deadline = now + Self.timeout
    }

    /// True if the search takes so long that the track that is still playing is treated as the current one.
    var isLate: Bool { deadline == nil }

    /// True if the target of the search is already treated as the music's position.
    var isForPlace: Bool {
        switch goal {
        case .former, .track: true
        case .instead, .first, .anything: false
        }
    }
}

/// Finds a track to play.
extension Supervisor {
    /// The tracks in the order in which they are played.
    public var tracks: TrackList { list.tracks }

    /// The order in which tracks follow each other.
    public var trackOrder: TrackOrder {
        let repeats = session.policy.repeats
        let tracks = tracks
        func order(_ step: Int, _ library: @escaping (Int) -> Int?) -> (Int) -> Int? {
            { tracks.isChosen($0) ? tracks.chosenNeighbour(of: $0, step) : library($0) }
        }
        return TrackOrder(
            successor: order(1) { repeats.successor(of: $0, count: tracks.count) },
            next: order(1) { repeats.neighbour(of: $0, count: tracks.count, .forwards) },
            previous: order(-1) { repeats.neighbour(of: $0, count: tracks.count, .backwards) })
    }

    /// The tracks of the choice in progress, which are empty if there is none.
    public var chosenTracks: [Track] { session.choice.map { $0.tracks.map { list.tracks[$0] } } ?? [] }

    /// The name of the saved choice whose tracks could not be found because there is no library yet, or nil if there is
    /// none.
    public var unresolvedChoice: String? { list.unresolved?.choice.name }

    /// True if there are no tracks only because the library is still being read.
    public var awaitsTracks: Bool { list.isAwaited }

    /// True if the list is shuffled.
    public var isShuffled: Bool { list.modes.shuffles(configuration) }

    /// True if a search is in progress, so that the current track may still turn out to be unplayable.
    public var isSearching: Bool { list.search != nil }

    /// The number of the track that was played last, or nil if the current library does not contain it.
    private var formerTrack: Int? {
        guard let path = place.track, let index = tracks.library.firstIndex(where: { $0.path == path })
        else { return nil }
        return tracks.number(ofIndex: index, near: session.saved.track)
    }

    /// Searches for the given track, or for the first playable one if the track is nil.
    mutating func lookForFirst(or track: Int?) {
        if let track { look(for: .former, track, at: place.position) } else { look(for: .instead, 0) }
    }

    /// Searches again if no track was playable.
    mutating func lookForTracksAgain() {
        guard session.track == nil, list.search == nil else { return }
        if let track = formerTrack {
            look(for: .anything(fromStart: false), track, at: place.position)
        } else {
            look(for: .anything(fromStart: true), 0)
        }
        agenda.add(.found)
    }

    /// Searches for a track. The player may answer at once, in which case the next step already has the result.
    mutating func look(
        for goal: TrackSearch.Goal, _ track: Int, at position: Duration = .zero, _ direction: SearchDirection = .forward
    ) {
        list.search = TrackSearch(for: goal, at: now)
        guard !tracks.isEmpty else { return conclude(found: nil) }
        order(.load(track: track, at: position, direction))
        agenda.add(.effect(.takeEvents))
    }

    /// Ends the search and records its result, or continues with another search.
    mutating func conclude(found track: Int?) {
        let ended = list.search
        list.search = nil
        switch (ended?.goal, track) {
        case (.former, let track?), (.instead, let track?), (.track, let track?), (nil, let track?):
            // While a search is late, followers see the track before it.
            guard track != session.track || ended?.isLate == true else { return }
            agenda.found.append(.event(.trackBegan(track), .trackFound))
        // No further track in that direction is playable, which is treated as the end of the list.
        case (.first, .some): agenda.found.append(.event(.playbackEnded))
        case (.anything, let track?):
            agenda.found += [.event(.tracksAvailable(tracks.count)), .event(.trackBegan(track), .trackFound)]
        case (.former, nil): look(for: .instead, session.choice?.tracks.lowerBound ?? 0)
        case (.track, nil) where session.choice != nil, (.instead, nil) where session.choice != nil:
            agenda.found.append(.event(.choiceLost))
        case (.track, nil): look(for: .first, 0)
        case (.anything(fromStart: false), nil): look(for: .anything(fromStart: true), 0)
        // An empty library does not contain a track that could not be played.
        case (.instead, nil), (.first, nil):
            if !tracks.isEmpty { agenda.found.append(.event(.tracksAvailable(0))) }
        case (.anything(fromStart: true), nil), (nil, nil): break
        }
    }
}

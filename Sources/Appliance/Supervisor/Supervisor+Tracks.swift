import AudioSession
import Playback

/// Finding something to play.
extension Supervisor {
    /// What the player is looking for.
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
        handle(look(for: .track, track, at: .zero, direction == .forwards ? .forward : .backward), &report)
    }

    /// Looks for the track to start with, or else for the first one that can be played.
    func loadFirst(or track: Int?, at position: Duration) -> [Happening] {
        guard let track else { return look(for: .instead, 0, at: .zero, .forward) }
        return look(for: .former, track, at: position, .forward)
    }

    /// - Returns: what the search found, if the player has answered already; the rest follows by events.
    private func look(
        for search: Search, _ track: Int, at position: Duration, _ direction: SearchDirection
    ) -> [Happening] {
        self.search = search
        searchDeadline = world.now + Self.searchPatience
        isSearchLate = false
        guard !tracks.isEmpty, let player else { return conclude(found: nil) }
        player.load(track: track, at: position, direction: direction)
        return collectAnswers()
    }

    /// Something may be playable again, although none of the tracks was: looks, and continues if it is.
    public func lookForTracksAgain() {
        var report = Report(time: world.now, happening: .tracksSought)
        lookForTracksAgain(&report)
        finish(report)
    }

    /// A user who asks for something when there was nothing to play may know that there is now.
    func lookForTracksAgain(_ report: inout Report) {
        guard session.track == nil, search == nil else { return }
        handle(lookForAnything(), &report)
    }

    private func lookForAnything() -> [Happening] {
        if let track = formerTrack {
            look(for: .anything(fromStart: false), track, at: place.position, .forward)
        } else {
            look(for: .anything(fromStart: true), 0, at: .zero, .forward)
        }
    }

    /// The search is over.
    /// - Returns: what that means to the session; nothing while another search continues in its place.
    func conclude(found track: Int?) -> [Happening] {
        let (concluded, wasLate) = (search, isSearchLate)
        search = nil
        searchDeadline = nil
        isSearchLate = false
        switch (concluded, track) {
        case (.former, let track?), (.instead, let track?), (.track, let track?), (nil, let track?):
            // While a search is late, followers see the track before it.
            return track != session.track || wasLate ? [.trackFound(track)] : []
        // None of the others that way can be played: that is past the end of the list.
        case (.first, .some): return [.playlistEnded]
        case (.anything, let track?): return [.tracksFound(tracks.count), .trackFound(track)]
        case (.former, nil): return look(for: .instead, 0, at: .zero, .forward)
        case (.track, nil): return look(for: .first, 0, at: .zero, .forward)
        case (.anything(fromStart: false), nil): return look(for: .anything(fromStart: true), 0, at: .zero, .forward)
        case (.instead, nil), (.first, nil): return [.tracksGone]
        case (.anything(fromStart: true), nil), (nil, nil): return []
        }
    }

    /// What is known before an event is over is part of it.
    func handle(_ found: [Happening], _ report: inout Report) {
        for happening in found {
            switch happening {
            case .trackFound(let track) where track == session.track: continue
            case .tracksFound, .tracksGone: report.searchResult = happening
            default: break
            }
            happening.event.map { handle($0, &report) }
        }
    }
}

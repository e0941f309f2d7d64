import AudioSession
import Playback
import ResumeStore

/// Restores the position in the library or in a choice.
extension Supervisor {
    /// Converts the saved state to the session's types.
    /// - Returns: The saved session, which is nil if there is none or if it is damaged, and the track to resume, which is
    ///   nil if it no longer exists.
    mutating func restore(_ saved: SavedState?) -> (SavedSession?, track: Int?) {
        guard let saved else { return (nil, nil) }
        let choice = restoreChoice(saved)
        let state = choice == nil && list.unresolved == nil ? saved.withoutChoice() : saved
        let track = choice.map(\.track) ?? state.track.flatMap { number(of: $0, near: state.trackNumber) }
        let library = state.choice.map { choice in
            choice.left.track.flatMap { number(of: $0, near: choice.left.trackNumber) }
        }
        // If the wall clock has gone back, the time for which the power was off is unknown.
        let elapsed = min(max(.zero, agenda.moment.wallClock - state.savedAt), SavedState.longest)
        do throws(StateError) {
            var restored = try SavedSession(state, track: library ?? track, elapsed: elapsed, now: now)
            restored.choice = choice
            place.track = state.track
            place.position = state.position
            // An empty library may only be unavailable so far.
            let isPlaceLost = choice.map { tracks[$0.track].path != state.track } ?? (track == nil && !tracks.isEmpty)
            place.continuedFrom = isPlaceLost ? .zero : state.continuedFrom
            if choice != nil, isPlaceLost { place.position = .zero }
            if let path = state.track, isPlaceLost { agenda.pending.append(.note(.placeLost(path))) }
            return (restored, track)
        } catch {
            complain(of: error)
            return (nil, nil)
        }
    }

    private func number(of path: String, near number: Int) -> Int? {
        SavedTrackResolver(path: path, number: number).number(in: tracks)
    }

    /// Restores the choice in progress.
    /// - Returns: Nil if there is none, or if nothing of it can be read any more.
    private mutating func restoreChoice(_ saved: SavedState) -> Choice? {
        guard let choice = saved.choice else { return nil }
        let chosen = list.takeSaved()
        guard !chosen.isEmpty || !tracks.isEmpty else {
            list.unresolved = (choice, saved.trackNumber)
            return nil
        }
        guard !chosen.isEmpty, let then = ChoiceRequest.Ending(rawValue: choice.then) else {
            agenda.pending.append(.note(.placeLost(choice.name)))
            return nil
        }
        var restored = list.choose(ChoiceRequest(choice.name, then: then), chosen)
        let index = saved.track.flatMap { SavedTrackResolver(path: $0, number: saved.trackNumber).index(in: chosen) }
        restored.track += index ?? 0
        list.left = LeftPlace(track: choice.left.track, position: choice.left.position)
        return restored
    }
}

import AudioSession

/// The time since the last command, after which `IdlePlaylist=` is chosen. The type is pure.
struct IdleTimer {
    private enum State {
        case waiting(since: Duration)
        /// The tracks of the playlist are being found.
        case searching(since: Duration)
        /// The playlist has been chosen since the last command.
        case done
        /// The playlist could not be played.
        case failed
    }

    private var state = State.done

    init() {}

    /// Begins with a boot, or continues after a reload. A reload may have corrected what could not be played.
    init(after predecessor: IdleTimer?, at now: Duration) {
        state = predecessor?.state ?? .waiting(since: now)
        if case .failed = state { restart(at: now) }
        if case .searching(let since) = state { state = .waiting(since: since) }
    }

    /// Begins to wait again, because of a command, an input or a boot.
    mutating func restart(at now: Duration) { state = .waiting(since: now) }

    /// Returns the time at which the tracks of the playlist have to be found, or nil while the playlist must not be
    /// chosen.
    /// - Parameters:
    ///   - time: The time without a command after which the playlist is chosen, or nil if it never is.
    ///   - hasInput: True if an input sounds.
    func deadline(after time: Duration?, _ session: Session, hasInput: Bool) -> Duration? {
        guard let time, case .waiting(let since) = state, !hasInput, session.returnsToIdlePlaylist else { return nil }
        return since + time
    }

    /// Records that the tracks of the playlist are being found.
    mutating func beginSearch() {
        if case .waiting(let since) = state { state = .searching(since: since) }
    }

    /// Ends the search.
    /// - Parameters:
    ///   - found: True if the playlist can be played.
    ///   - hasInput: True if an input sounds.
    /// - Returns: True if the result is used. If something has happened that delays the choice, the tracks are searched
    ///   for again later.
    mutating func endSearch(found: Bool, _ session: Session, hasInput: Bool) -> Bool {
        guard case .searching(let since) = state else { return false }
        let isChosen = !hasInput && session.returnsToIdlePlaylist
        state = !isChosen ? .waiting(since: since) : found ? .done : .failed
        return isChosen
    }
}

extension Session {
    /// True if music may begin without a command. Nothing interrupts, and nobody has paused or stopped the music. Nothing
    /// but a command continues music that an interruption or a lost device has paused.
    fileprivate var returnsToIdlePlaylist: Bool {
        guard episode == nil else { return false }
        return switch (intent, intentCause) {
        case (.playing, _), (.stopped, .playlistEnded), (.stopped, .start): true
        default: false
        }
    }
}

extension Library {
    /// Opens tracks in the library's order until one can be played. The call blocks on the storage.
    /// - Parameter limit: the time after which to stop trying.
    /// - Returns: a clause with the reason why nothing can be played, or nil if something can be played.
    public func obstacle(within limit: Duration) -> String? {
        let end = SuspendingClock.now + limit
        var first: DecoderError?
        for track in tracks {
            do throws(DecoderError) {
                _ = try TrackSource(
                    track: 0, file: track, at: .zero, readsAhead: false, shortest: TrackSource.shortest
                ) {}
                return nil
            } catch { first = first ?? error }
            if SuspendingClock.now >= end { return "no file that can be played was found in time" }
        }
        return "none of the library's files can be played" + (first.map { ": \($0)" } ?? "")
    }
}

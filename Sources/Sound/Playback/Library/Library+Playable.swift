extension Library {
    /// Opens tracks, in the library's order, until one can be played. Blocks on the storage.
    /// - Parameter limit: how long to try.
    /// - Returns: why nothing can be played, as a clause; nil if something can.
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
            if SuspendingClock.now >= end { return "no file of it that can be played was found in time" }
        }
        return "nothing of it can be played" + (first.map { ": \($0)" } ?? "")
    }
}

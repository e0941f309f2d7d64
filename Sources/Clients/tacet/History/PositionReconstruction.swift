import Timeline

/// The positions of the music between the journal's entries, as far as the entries and the lengths of the tracks prove
/// them. Unproven positions are omitted, because any number of tracks may have been played between two entries.
struct PositionReconstruction {
    /// The contents of an entry. Times are in seconds from the start of the picture.
    struct Fix {
        let time: Double
        let track: String
        let position: Double
        /// The length of the track, or nil if it is unknown.
        let length: Double?
        let plays: Bool
        /// True if a command moved the music to this position, or may have done so.
        let isJump: Bool
    }

    /// The maximum difference between two positions that are treated as the same. Entries are written a little later
    /// than the state that they report.
    private static let tolerance = 2.0

    private(set) var spans: [Timeline.PlaybackSpan] = []
    private var last: Fix?

    mutating func add(_ fix: Fix) {
        if let last { join(last, fix) }
        last = fix
    }

    /// Ends the reconstruction, because nothing ran from then on or the picture ends there.
    mutating func end(at time: Double) {
        if let last { extend(last, to: time) }
        last = nil
    }

    private mutating func join(_ before: Fix, _ after: Fix) {
        guard before.plays else { return extend(before, to: after.time) }
        let reached = before.position + after.time - before.time
        if before.track == after.track, (after.position - reached).magnitude <= Self.tolerance {
            return append(before, to: after.time, after.position)
        }
        // Whatever the previous track was, this time is when the current track began, unless a command jumped into it.
        let start = max(after.time - after.position, before.time)
        guard !after.isJump, start > before.time, start < after.time else { return extend(before, to: after.time) }
        extend(before, to: start)
        spans.append(
            .init(
                from: start, to: after.time, fromPosition: after.position - (after.time - start),
                toPosition: after.position, track: after.track, motion: .playing))
    }

    /// Extends the span to the end of the track, up to which it was certainly played. If its length is unknown, the
    /// span is not extended.
    private mutating func extend(_ fix: Fix, to time: Double) {
        guard fix.plays else { return append(fix, to: time, fix.position) }
        guard let length = fix.length, length > fix.position else { return }
        let end = min(time, fix.time + length - fix.position)
        append(fix, to: end, fix.position + end - fix.time)
    }

    private mutating func append(_ fix: Fix, to time: Double, _ position: Double) {
        guard time > fix.time else { return }
        spans.append(
            .init(
                from: fix.time, to: time, fromPosition: fix.position, toPosition: position, track: fix.track,
                motion: fix.plays ? .playing : .held))
    }
}

import Files

/// What a player does at an instant, according to itself.
public struct Sighting: Hashable, Sendable {
    public enum Status: String, Hashable, Sendable, CaseIterable { case playing, paused, stopped }

    public var status: Status
    /// A short text that differs for each track of the player.
    public var track: String
    /// The position, or nil if it is unknown. It shows whether the program plays, and is not part of its state.
    public var position: Duration?

    /// The maximum length of `track` in bytes.
    static let longestTrack = 64

    public init(_ status: Status, track: String) {
        self.status = status
        self.track = track
    }

    /// - Parameter identifiers: the texts that identify the track, which may be long.
    public init(_ status: Status, identifiers: [String]) {
        self.init(status, track: Checksum.text(of: identifiers.joined(separator: "\n").utf8))
    }

    var isPlaying: Bool { status == .playing }
}

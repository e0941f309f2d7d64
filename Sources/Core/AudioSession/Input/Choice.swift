import Time

/// A request to play a track, folder or playlist in place of the library's list, such as `play stories`. See
/// <doc:Semantics#Choices>.
public struct ChoiceRequest: Hashable, Sendable {
    /// What follows the last track of a choice. The raw values are those of `tacet play --then`.
    public enum Ending: String, Hashable, Sendable, CaseIterable {
        /// The library continues where it was left.
        case `continue`
        /// Playback stops at the start of the choice.
        case stop
        /// The choice begins again.
        case `repeat`
    }

    /// The maximum length of a name in bytes, which is that of a path.
    public static let longestName = 4096

    /// The name of the track, folder or playlist, as the user has written it.
    public var name: String
    /// The position in the first track at which playback begins.
    public var position: Duration
    public var then: Ending

    public init(_ name: String, at position: Duration = .zero, then: Ending = .continue) {
        self.name = name
        self.position = position
        self.then = then
    }
}

extension ChoiceRequest: CustomStringConvertible {
    /// The arguments of the command, such as `stories/owl.flac --at 90.0s --then stop`.
    public var description: String {
        let start = position > .zero ? " --at \(Seconds(position))s" : ""
        return "\(name)\(start)\(then == .continue ? "" : " --then \(then.rawValue)")"
    }
}

/// The tracks that are played in place of the library's list because of a request.
public struct Choice: Hashable, Sendable {
    public var request: ChoiceRequest
    /// The numbers of the chosen tracks. They differ from those of the library and of other choices. The range is not
    /// empty.
    public var tracks: Range<Int>
    /// The number of the current track, which is one of `tracks`.
    public var track: Int

    /// Creates a choice that begins with its first track.
    public init(_ request: ChoiceRequest, tracks: Range<Int>) {
        self.request = request
        self.tracks = tracks
        track = tracks.lowerBound
    }

    /// Returns the track that `next` or `previous` selects, or nil past either end of a choice that does not repeat.
    public func neighbour(_ direction: Action.Direction) -> Int? {
        let target = direction == .forwards ? track + 1 : track - 1
        if tracks.contains(target) { return target }
        guard request.then == .repeat else { return nil }
        return direction == .forwards ? tracks.lowerBound : tracks.upperBound - 1
    }
}

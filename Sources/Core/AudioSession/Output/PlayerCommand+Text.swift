import Time

/// The text of an order to a player, on the bus and in the journal.
extension PlayerCommand: CustomStringConvertible {
    /// The text of the order, such as `pause` or `seek 12.5s`.
    public var description: String {
        switch self {
        case .play: "play"
        case .pause: "pause"
        case .next: "next"
        case .previous: "previous"
        case .seek(let position): "seek \(Seconds(position))s"
        }
    }

    /// Creates the order with this text, or returns nil if there is none. Positions are limited to those of a `seek`
    /// command.
    public init?(_ text: String) {
        switch text {
        case "play": self = .play
        case "pause": self = .pause
        case "next": self = .next
        case "previous": self = .previous
        default:
            guard text.hasPrefix("seek "), let position = TimeSpan.parse(String(text.dropFirst(5))),
                (.zero...Command.longestPosition).contains(position)
            else { return nil }
            self = .seek(position)
        }
    }
}

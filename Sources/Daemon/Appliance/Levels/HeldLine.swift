import GPIO

/// A line that the daemon holds. Other programs cannot read its level.
struct HeldLine: Hashable {
    /// The name for people, such as `signal phone-call` or `button play`.
    let title: String
    /// The chip's path.
    let chip: String
    /// The number of the line on the chip.
    let offset: Int
    /// The electrical level. True is high.
    let level: Bool
}

/// A line that is polled, because its chip cannot report edges.
struct PolledLine: Hashable {
    /// The name for people, such as `signal phone-call` or `button play`.
    let title: String
    /// The chip's name.
    let chip: String
    let polling: LinePolling
}

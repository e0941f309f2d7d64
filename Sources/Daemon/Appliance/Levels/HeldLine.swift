/// A line that the daemon holds; other programs cannot read its level.
struct HeldLine: Hashable {
    /// `signal phone-call`, `button play`.
    let title: String
    /// The chip's path.
    let chip: String
    /// On the chip.
    let offset: Int
    /// Electrical: true is high.
    let level: Bool
}

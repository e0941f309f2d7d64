/// A line that the daemon holds: nobody else can read its level meanwhile.
struct HeldLine: Hashable {
    /// `signal phone-call`, `button play`.
    let title: String
    /// The chip's path.
    let chip: String
    /// On the chip.
    let offset: Int
    /// Electrical: whether it is high.
    let level: Bool
}

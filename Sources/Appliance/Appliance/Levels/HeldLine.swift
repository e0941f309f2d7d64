import Configuration
import GPIO

extension WantedLine {
    /// As configured. Tacet debounces, not the kernel: for most chips the kernel debounces with its timer ticks, which
    /// would delay every edge and its time stamp by up to 10 ms, and hide a chattering contact.
    init(_ id: ID, _ wiring: Wiring) {
        self.init(id, wiring.line, bias: wiring.bias)
    }
}

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

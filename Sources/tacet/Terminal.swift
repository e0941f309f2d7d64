import Glibc

enum Terminal {
    /// In red where a person reads it on a terminal (and has no wish to the contrary: https://no-color.org).
    static func emphasised(_ text: String) -> String {
        guard isatty(STDOUT_FILENO) == 1, getenv("NO_COLOR") == nil else { return text }
        return "\u{1B}[1;31m\(text)\u{1B}[0m"
    }

    /// Writes a line to standard error.
    static func complain(_ text: String) {
        // Not by `stderr`, a global variable of C that Swift 6 cannot prove to be safe.
        let line = Array((text + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}

import Glibc

enum Terminal {
    /// In red where a person reads it on a terminal (and has no wish to the contrary: https://no-color.org).
    static func emphasised(_ text: String) -> String {
        guard isatty(STDOUT_FILENO) == 1, getenv("NO_COLOR") == nil else { return text }
        return "\u{1B}[1;31m\(text)\u{1B}[0m"
    }

    /// Writes a line to standard output, at once.
    /// - Returns: 0, or the code of what went wrong.
    static func write(_ line: String) -> Int32 {
        var rest = Array((line + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return errno }
        }
        return 0
    }

    /// Writes a line to standard error.
    static func complain(_ text: String) {
        // Not by `stderr`, a global variable of C that Swift 6 cannot prove to be safe.
        let line = Array((text + "\n").utf8)
        _ = Glibc.write(STDERR_FILENO, line, line.count)
    }
}

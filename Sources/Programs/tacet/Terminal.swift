import Glibc
import Spelling

/// Standard output and standard error, for people: whatever is written here has no control characters but line ends.
enum Terminal {
    /// Writes one line to standard output.
    /// - Parameter isEmphasised: in red, if a person reads it on a terminal.
    static func say(_ line: some StringProtocol, isEmphasised: Bool = false) {
        print(isEmphasised ? emphasised(line) : line.visible)
    }

    static func say(_ lines: [String]) {
        for line in lines { say(line) }
    }

    /// In red where a person reads it on a terminal (and has no wish to the contrary: https://no-color.org).
    static func emphasised(_ line: some StringProtocol) -> String {
        guard isatty(STDOUT_FILENO) == 1, getenv("NO_COLOR") == nil else { return line.visible }
        return "\u{1B}[1;31m\(line.visible)\u{1B}[0m"
    }

    /// Writes a line to standard output, at once, as it is.
    /// - Returns: 0, or the code of what went wrong.
    static func write(_ line: String) -> Int32 {
        var rest = Array((line + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return errno }
        }
        return 0
    }

    /// Writes to standard error, one line or several.
    static func complain(_ text: String) {
        // Not by `stderr`, a global variable of C that Swift 6 cannot prove to be safe.
        let bytes = Array((text.visibleLines() + "\n").utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}

import Glibc

enum Terminal {
    /// Writes a line to standard error.
    static func complain(_ text: String) {
        // Not by `stderr`, a global variable of C that Swift 6 cannot prove to be safe.
        let line = Array((text + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}

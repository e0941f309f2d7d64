import Files
import Glibc
import Spelling

/// Writes to standard output and standard error for people. Control characters other than line ends are made visible.
enum Terminal {
    /// Writes one line to standard output.
    /// - Parameter isEmphasised: true to print it in red on a terminal.
    static func say(_ line: some StringProtocol, isEmphasised: Bool = false) {
        print(isEmphasised ? emphasised(line) : line.visible)
    }

    static func say(_ lines: [String]) {
        for line in lines { say(line) }
    }

    /// Returns a line in red if standard output is a terminal and NO_COLOR is not set (https://no-color.org).
    static func emphasised(_ line: some StringProtocol) -> String {
        guard isatty(STDOUT_FILENO) == 1, getenv("NO_COLOR") == nil else { return line.visible }
        return "\u{1B}[1;31m\(line.visible)\u{1B}[0m"
    }

    /// Writes a line to standard output, unbuffered and unchanged.
    /// - Returns: 0 or the error's `errno`.
    static func write(_ line: String) -> Int32 {
        do throws(FileError) {
            try OpenFile.open("-", O_WRONLY, dash: STDOUT_FILENO).write((line + "\n").utf8)
            return 0
        } catch { return error.code }
    }

    /// The interval at which a long computation reports its progress. It is short on a terminal, where each line
    /// replaces the last one.
    static var progressInterval: Duration { isatty(STDERR_FILENO) == 1 ? .milliseconds(500) : .seconds(10) }

    /// Reports on standard error how far a long computation has come.
    @Sendable static func showProgress(_ line: String) {
        guard isatty(STDERR_FILENO) == 1 else { return complain("tacet: " + line) }
        writeError("\r\(line.visible)\u{1B}[K")
    }

    /// Removes the last line of `showProgress` from the terminal.
    static func endProgress() {
        if isatty(STDERR_FILENO) == 1 { writeError("\r\u{1B}[K") }
    }

    /// Writes one or more lines to standard error.
    static func complain(_ text: String) {
        writeError(text.visibleLines() + "\n")
    }

    private static func writeError(_ text: String) {
        // This does not use `stderr`, because Swift 6 rejects that global C variable as not concurrency-safe.
        let bytes = Array(text.utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}

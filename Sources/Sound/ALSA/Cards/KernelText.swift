import Glibc

/// Texts that the kernel provides as files.
enum KernelText {
    /// Returns the beginning of a file, or an empty text if it cannot be read.
    static func read(_ path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = Glibc.read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Returns the text without blanks at its ends.
    static func trimmed(_ text: some StringProtocol) -> String {
        let start = text.drop { $0 == " " || $0 == "\t" }
        let end = start.lastIndex { $0 != " " && $0 != "\t" }
        return end.map { String(start[...$0]) } ?? ""
    }
}

import Glibc

/// Texts that the kernel provides as files.
enum KernelText {
    /// The number of bytes that are read at most.
    private static let limit = 65_536

    /// Returns the beginning of a file, or an empty text if it cannot be read.
    static func read(_ path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var text: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        // The kernel may return a long list in pieces, even if there is room for more.
        while text.count < limit {
            let count = Glibc.read(file, &bytes, bytes.count)
            guard count > 0 else { break }
            text += bytes.prefix(count)
        }
        return String(decoding: text.prefix(limit), as: UTF8.self)
    }
}

import Files

/// The file format. The first line contains the version and a checksum of the rest. It is followed by lines with byte
/// counts, each followed by that many bytes of text. People can read the file, but an edited file is treated as
/// damaged.
extension KeptConfiguration {
    private static let title = "tacet configuration 1 "

    var bytes: [UInt8] {
        var body: [UInt8] = []
        let sources: [String]
        switch source {
        case .folders(let folders):
            sources = folders
            body += Array("folders \(folders.count) kept \(time.components.seconds)\n".utf8)
        case .file(let path):
            sources = [path]
            body += Array("file 1 kept \(time.components.seconds)\n".utf8)
        }
        for path in sources { body += Array("path \(path.utf8.count)\n\(path)\n".utf8) }
        for text in texts {
            body += Array("text \(text.path.utf8.count) \(text.bytes.count)\n\(text.path)\n".utf8) + text.bytes + [10]
        }
        return Array("\(KeptConfiguration.title)\(Checksum.text(of: body))\n".utf8) + body
    }

    /// - Returns: nil for anything but the exact output of `bytes`.
    init?(bytes: [UInt8]) {
        var rest = Rest(bytes: bytes[...])
        guard let title = rest.line(), title.hasPrefix(KeptConfiguration.title),
            title.dropFirst(KeptConfiguration.title.count) == Checksum.text(of: rest.bytes),
            let head = rest.line()?.split(separator: " "), head.count == 4, head[2] == "kept",
            let count = Int(head[1]), (0...rest.bytes.count).contains(count), let seconds = Int64(head[3])
        else { return nil }
        var sources: [String] = []
        for _ in 0..<count {
            guard let numbers = rest.numbers("path"), numbers.count == 1, let path = rest.text(numbers[0]) else {
                return nil
            }
            sources.append(String(decoding: path, as: UTF8.self))
        }
        switch (head[0], sources.first) {
        case ("folders", _): source = .folders(sources)
        case ("file", let path?) where count == 1: source = .file(path)
        default: return nil
        }
        var texts: [ConfigurationText] = []
        while !rest.bytes.isEmpty {
            guard let numbers = rest.numbers("text"), numbers.count == 2, let path = rest.text(numbers[0]),
                let text = rest.text(numbers[1])
            else { return nil }
            texts.append(ConfigurationText(path: String(decoding: path, as: UTF8.self), bytes: Array(text)))
        }
        time = .seconds(seconds)
        self.texts = texts
    }

    /// The unread part of the file.
    private struct Rest {
        var bytes: ArraySlice<UInt8>

        mutating func line() -> String? {
            guard let end = bytes.firstIndex(of: 10) else { return nil }
            defer { bytes = bytes[(end + 1)...] }
            return String(validating: bytes[..<end], as: UTF8.self)
        }

        /// Returns the numbers on a line that begins with a word. None of them is negative.
        mutating func numbers(_ word: String) -> [Int]? {
            guard let words = line()?.split(separator: " "), words.first.map(String.init) == word else { return nil }
            let numbers = words.dropFirst().compactMap { Int($0) }.filter { $0 >= 0 }
            return numbers.count == words.count - 1 ? numbers : nil
        }

        /// Reads this many bytes and the line feed after them.
        mutating func text(_ count: Int) -> ArraySlice<UInt8>? {
            guard count < bytes.count, bytes[bytes.startIndex + count] == 10 else { return nil }
            defer { bytes = bytes.dropFirst(count + 1) }
            return bytes.prefix(count)
        }
    }
}

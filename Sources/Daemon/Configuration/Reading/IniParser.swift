import Cinih

/// Reads one file through libinih, line by line.
///
/// inih truncates long lines, reports only the first bad line, and does not report a section without keys. Therefore,
/// the parser checks each line before it passes the line to inih, and compares inih's result with the line.
final class IniParser {
    private(set) var items: [IniDocument.Item] = []
    private(set) var problems = DiagnosticList()

    private let file: String
    private let lines: [ArraySlice<UInt8>]
    /// The line that inih is reading, from 1.
    private var line = 0
    /// The setting that was passed to inih and has not been returned yet.
    private var pending: ArraySlice<UInt8>?

    /// The longest line in bytes, including its terminator. It suffices for a key and a path as long as Linux allows.
    private static let longestLine = 4_200

    /// Sets inih's options once for the whole process.
    private static let inih: Void = cinih_configure(CInt(longestLine))

    init(_ bytes: [UInt8], file: String) {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(byteOrderMark.count) : bytes[...]
        self.file = file
        lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }

    func run() {
        _ = IniParser.inih
        let this = Unmanaged.passUnretained(self).toOpaque()
        // A positive result is the first bad line by inih's own count. `next` has already reported every bad line.
        let result = ini_parse_stream(
            { buffer, size, stream in
                guard let buffer, let stream else { return nil }
                let parser = Unmanaged<IniParser>.fromOpaque(stream).takeUnretainedValue()
                return parser.next(into: UnsafeMutableBufferPointer(start: buffer, count: Int(size))) ? buffer : nil
            }, this,
            { user, _, name, value in
                guard let user, let name, let value else { return 1 }
                Unmanaged<IniParser>.fromOpaque(user).takeUnretainedValue()
                    .take(String(cString: name), String(cString: value))
                return 1
            }, this)
        if result < 0 { problem("libinih ran out of memory while reading this file", line: 0) }
    }

    /// Passes the next heading or setting to inih, and skips comments, empty lines and bad lines.
    private func next(into buffer: UnsafeMutableBufferPointer<CChar>) -> Bool {
        if pending != nil { problem("this is not a setting", advice: "write Key=value, or start a comment with #") }
        pending = nil
        while line < lines.count, !problems.isFull {
            line += 1
            guard let text = checked(lines[line - 1], longest: buffer.count - 2) else { continue }
            if text.first != UInt8(ascii: "[") { pending = text }
            for (index, byte) in text.enumerated() { buffer[index] = CChar(bitPattern: byte) }
            buffer[text.count] = CChar(bitPattern: UInt8(ascii: "\n"))
            buffer[text.count + 1] = 0
            return true
        }
        return false
    }

    /// Handles a setting that inih returns.
    private func take(_ key: String, _ value: String) {
        guard let text = pending else { return }
        pending = nil
        let rest = text.dropFirst(key.utf8.count).blankTrimmed
        guard rest.first == UInt8(ascii: "=") else {
            return problem("‘:’ does not set a key", advice: "write Key=value")
        }
        guard !key.isEmpty else { return problem("there is no key before ‘=’", advice: "write Key=value") }
        guard rest.dropFirst().blankTrimmed.elementsEqual(value.utf8) else {
            return problem("libinih truncates this value to ‘\(value)’", advice: "avoid ‘;’ after a space")
        }
        items.append(.init(line: line, content: .setting(key: key, value: value)))
    }

    /// Returns the heading or setting on a line without leading and trailing blanks.
    /// - Returns: nil for an empty line or a comment, and for a bad line, which is reported.
    private func checked(_ raw: ArraySlice<UInt8>, longest: Int) -> ArraySlice<UInt8>? {
        let text = (raw.last == UInt8(ascii: "\r") ? raw.dropLast() : raw).blankTrimmed
        let isHeading = text.first == UInt8(ascii: "[")
        func reject(_ message: String, _ advice: String?) -> ArraySlice<UInt8>? {
            problem(message, advice: advice)
            if isHeading { items.append(.init(line: line, content: .unreadableSection)) }
            return nil
        }
        if let bad = text.first(where: { $0 < 0x20 && $0 != UInt8(ascii: "\t") || $0 == 0x7F }) {
            let name = bad == 0 ? "a NUL byte" : "the control character \(bad)"
            return reject("this line contains \(name)", "configuration files are plain text in UTF-8")
        }
        guard let string = String(validating: text, as: UTF8.self) else {
            return reject("this line is not valid UTF-8", "save the file as UTF-8")
        }
        guard let first = text.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { return nil }
        guard text.count <= longest else {
            return reject("this line has \(text.count) bytes", "at most \(longest) are allowed")
        }
        guard text.last != UInt8(ascii: "\\") else {
            return reject("a backslash does not continue a line", "write the whole value on one line")
        }
        guard isHeading else { return text }
        guard text.firstIndex(of: UInt8(ascii: "]")) == text.indices.last else {
            return reject(
                "this is not a section heading", "write nothing after [Section], and put a comment on its own line")
        }
        items.append(.init(line: line, content: .section(String(string.dropFirst().dropLast()))))
        return text
    }

    private func problem(_ message: String, advice: String? = nil, line: Int? = nil) {
        problems.append(Diagnostic(.error, file: file, line: line ?? self.line, message, advice: advice))
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without the spaces and tabs at both ends.
    fileprivate var blankTrimmed: ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let start = self.drop(while: isBlank)
        return start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? []
    }
}

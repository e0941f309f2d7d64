import Cinih

/// Reads one file through libinih, which takes it line by line.
///
/// inih cuts what is too long, names the first bad line only, and does not tell of a section without keys. So the
/// lines are looked at before it gets them, one at a time, and what it makes of each is held against the line.
final class IniParser {
    private(set) var items: [IniDocument.Item] = []
    private(set) var problems: [Diagnostic] = []

    private let file: String
    private let lines: [ArraySlice<UInt8>]
    /// The line that inih has now, from 1.
    private var line = 0
    /// The setting that inih has been given and has not handed back yet.
    private var pending: ArraySlice<UInt8>?

    /// The longest line there may be, with its end: a path of any length Linux knows, and its key.
    private static let longestLine = 4_200

    /// Once, and for the whole process.
    private static let inih: Void = cinih_settle(CInt(longestLine))

    init(_ bytes: [UInt8], file: String) {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(byteOrderMark.count) : bytes[...]
        self.file = file
        lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }

    func run() {
        _ = IniParser.inih
        let this = Unmanaged.passUnretained(self).toOpaque()
        // The result is the number of the first bad line in inih's own counting: `next` has told of each already.
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
        if result < 0 { problem("libinih has no memory left for this file", line: 0) }
    }

    /// Gives inih the next line that is worth it; the others have been dealt with.
    private func next(into buffer: UnsafeMutableBufferPointer<CChar>) -> Bool {
        if pending != nil { problem("this is no setting", advice: "write Key=value, or # in front of a comment") }
        pending = nil
        while line < lines.count {
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

    /// A setting as inih sees it.
    private func take(_ key: String, _ value: String) {
        guard let text = pending else { return }
        pending = nil
        let rest = text.dropFirst(key.utf8.count).blankTrimmed
        guard rest.first == UInt8(ascii: "=") else {
            return problem("‘:’ does not set a key", advice: "write Key=value")
        }
        guard !key.isEmpty else { return problem("there is no key in front of ‘=’", advice: "write Key=value") }
        guard rest.dropFirst().blankTrimmed.elementsEqual(value.utf8) else {
            return problem("libinih cuts this value to ‘\(value)’", advice: "avoid ‘;’ after a space")
        }
        items.append(.init(line: line, content: .setting(key: key, value: value)))
    }

    /// A line that inih can be given: a heading or a setting, without the blanks around it. nil for an empty line, a
    /// comment, and a bad one.
    private func checked(_ raw: ArraySlice<UInt8>, longest: Int) -> ArraySlice<UInt8>? {
        let text = (raw.last == UInt8(ascii: "\r") ? raw.dropLast() : raw).blankTrimmed
        let isHeading = text.first == UInt8(ascii: "[")
        func refuse(_ message: String, _ advice: String?) -> ArraySlice<UInt8>? {
            problem(message, advice: advice)
            if isHeading { items.append(.init(line: line, content: .unreadableSection)) }
            return nil
        }
        if let bad = text.first(where: { $0 < 0x20 && $0 != UInt8(ascii: "\t") || $0 == 0x7F }) {
            let name = bad == 0 ? "a NUL byte" : "the control character \(bad)"
            return refuse("there is \(name) in this line", "configuration files are plain text in UTF-8")
        }
        guard let string = String(validating: text, as: UTF8.self) else {
            return refuse("this line is not valid UTF-8", "save the file as UTF-8")
        }
        guard let first = text.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { return nil }
        guard text.count <= longest else {
            return refuse("this line has \(text.count) bytes", "at most \(longest) are allowed")
        }
        guard text.last != UInt8(ascii: "\\") else {
            return refuse("a backslash does not continue a line", "write the whole value on one line")
        }
        guard isHeading else { return text }
        guard text.firstIndex(of: UInt8(ascii: "]")) == text.indices.last else {
            return refuse(
                "this is no section heading", "write nothing after [Section]; a comment needs a line of its own")
        }
        items.append(.init(line: line, content: .section(String(string.dropFirst().dropLast()))))
        return text
    }

    private func problem(_ message: String, advice: String? = nil, line: Int? = nil) {
        problems.append(Diagnostic(.error, file: file, line: line ?? self.line, message, advice: advice))
    }
}

extension ArraySlice<UInt8> {
    /// Without the spaces and tabs at both ends.
    fileprivate var blankTrimmed: ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let start = self.drop(while: isBlank)
        return start.lastIndex { !isBlank($0) }.map { start[...$0] } ?? []
    }
}

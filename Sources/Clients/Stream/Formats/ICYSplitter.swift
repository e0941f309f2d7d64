import Spelling

/// Separates the audio of a stream from the titles that SHOUTcast and Icecast insert at regular distances. This type is
/// pure.
public struct ICYSplitter: Sendable {
    private enum State: Hashable {
        case audio(left: Int)
        case length
        case title(left: Int)
    }

    private let interval: Int
    private var state: State
    private var block: [UInt8] = []

    /// The largest distance between two titles. Servers use 8,000 to 64,000 bytes.
    static let intervals = 1...1_048_576

    /// - Parameter interval: the value of the header `icy-metaint`.
    /// - Returns: nil if the value is not possible.
    public init?(interval text: String) {
        guard text.utf8.count <= 8, let interval = Int(text), Self.intervals.contains(interval) else { return nil }
        self.interval = interval
        state = .audio(left: interval)
    }

    /// Accepts bytes from the network.
    /// - Parameters:
    ///   - audio: called with each part of the audio.
    ///   - title: called with each new title, which may be empty.
    public mutating func accept(
        _ bytes: UnsafeRawBufferPointer, audio: (UnsafeRawBufferPointer) -> Void, title: (String) -> Void
    ) {
        var position = 0
        while position < bytes.count {
            switch state {
            case .audio(let left):
                let count = min(left, bytes.count - position)
                audio(UnsafeRawBufferPointer(rebasing: bytes[position..<position + count]))
                position += count
                state = count == left ? .length : .audio(left: left - count)
            case .length:
                let length = Int(bytes[position]) * 16
                position += 1
                block = []
                state = length == 0 ? .audio(left: interval) : .title(left: length)
            case .title(let left):
                let count = min(left, bytes.count - position)
                block += bytes[position..<position + count]
                position += count
                guard count == left else {
                    state = .title(left: left - count)
                    break
                }
                if let text = Self.title(in: block) { title(text) }
                state = .audio(left: interval)
            }
        }
    }

    /// Returns the title in a block such as `StreamTitle='Artist - Song';StreamUrl='';`, or nil if there is none. The
    /// title itself may contain quotes.
    static func title(in block: [UInt8]) -> String? {
        let text = StreamText.decode(block.prefix { $0 != 0 })
        guard let start = text.range(of: "StreamTitle='") else { return nil }
        let rest = text[start.upperBound...]
        let end = rest.range(of: "';")?.lowerBound ?? rest.lastIndex(of: "'") ?? rest.endIndex
        return StreamText.limited(String(rest[..<end]))
    }
}

/// Texts that strangers send.
enum StreamText {
    static let longest = 300

    /// Returns a text of UTF-8, or else of Latin-1.
    static func decode(_ bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
    }

    static func limited(_ text: String) -> String { String(text.trimmed).visible(limit: longest) }
}

extension String {
    /// The first place of a text. The comparison is that of scalars, because a combining character may follow.
    fileprivate func range(of text: String) -> Range<String.Index>? { self[...].range(of: text) }
}

extension Substring {
    fileprivate func range(of text: String) -> Range<String.Index>? {
        let wanted = Array(text.utf8)
        var start = utf8.startIndex
        while start < utf8.endIndex {
            if utf8[start...].starts(with: wanted) { return start..<utf8.index(start, offsetBy: wanted.count) }
            start = utf8.index(after: start)
        }
        return nil
    }
}

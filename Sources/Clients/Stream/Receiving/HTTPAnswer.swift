import Glibc

/// The answer of a server, as far as it has been received. This type is pure.
struct HTTPAnswer {
    /// The audio that has been received and not been read.
    private var bytes: [UInt8] = []
    private var start = 0
    /// The number of bytes of audio that have been read.
    private var consumed = 0
    /// The titles, with the number of bytes of audio before them.
    private var titles: [(position: Int, text: String)] = []
    private var splitter: ICYSplitter?
    private var hasBody = false
    private var headerLength = 0
    private(set) var header = Header()
    /// The reason why the header was not accepted, or nil.
    private(set) var refusal: StreamError?
    /// True if the transfer waits until audio has been read.
    var isPaused = false

    /// The values of the headers that matter. Each may be empty.
    struct Header {
        /// `Content-Type`
        fileprivate(set) var type = ""
        /// `icy-name`
        fileprivate(set) var stationName = ""
        /// `Content-Encoding`
        fileprivate(set) var encoding = ""
        /// `icy-metaint`
        fileprivate var interval = ""

        /// The reason why the body cannot be read, or nil. libcurl leaves it as it is, because it has not requested any
        /// encoding.
        var problem: StreamError? {
            HTTPAnswer.items(of: encoding).contains(where: Self.compressions.contains)
                ? HTTPAnswer.compressed(encoding) : nil
        }

        private static let compressions: Set = ["gzip", "x-gzip", "deflate", "compress", "x-compress", "br", "zstd"]
    }

    /// The longest header in total, in bytes.
    static let longestHeader = 65_536
    /// The number of bytes from which on the transfer waits. It exceeds the longest playlist.
    static let enough = 131_072
    /// The most titles that are kept.
    private static let mostTitles = 64

    var available: Int { bytes.count - start }

    func head(_ count: Int) -> [UInt8] { Array(bytes[start...].prefix(count)) }

    /// Accepts a line of the header.
    /// - Returns: false if the answer must not be received, for the reason in `refusal`.
    mutating func acceptHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        headerLength += line.count
        guard headerLength <= Self.longestHeader else {
            refusal = StreamError("the server sends an endless header")
            return false
        }
        // The status of another answer, such as one that announces the real one, is followed by another header.
        if line.starts(with: "HTTP/".utf8) { header = Header() }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon < 32 else { return true }
        let value = StreamText.decode(line[(colon + 1)...]).filter { !$0.isNewline }
        let text = StreamText.limited(String(value.prefix(1024)))
        switch StreamText.decode(line[..<colon]).lowercased() {
        case "content-type": header.type = text
        case "icy-name": header.stationName = text
        case "content-encoding": header.encoding = text
        case "icy-metaint": header.interval = text
        case "transfer-encoding":
            // libcurl decodes compressions here even though none was requested, also one within another. A few hundred
            // bytes can then expand to gigabytes.
            guard Self.items(of: value).allSatisfy(["chunked", "identity"].contains) else {
                refusal = Self.compressed(text)
                return false
            }
        default: break
        }
        return true
    }

    private static func items(of value: String) -> [String] {
        value.split(separator: ",").map { $0.trimmed.lowercased() }.filter { !$0.isEmpty }
    }

    private static func compressed(_ encoding: String) -> StreamError {
        StreamError("the server sends compressed data (\(encoding)), which was not requested")
    }

    /// Accepts a part of the body.
    /// - Returns: false if it was not accepted, because audio must be read first.
    mutating func accept(_ part: UnsafeRawBufferPointer) -> Bool {
        guard available < Self.enough else {
            isPaused = true
            return false
        }
        if !hasBody {
            hasBody = true
            splitter = ICYSplitter(interval: header.interval)
        }
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        guard var splitter else {
            bytes += part
            return true
        }
        let (base, consumed) = (bytes.count, self.consumed)
        var (audio, titles) = ([UInt8](), self.titles)
        splitter.accept(part) {
            audio += $0
        } title: {
            if titles.count == Self.mostTitles { titles.removeFirst() }
            titles.append((consumed + base + audio.count, $0))
        }
        bytes += audio
        (self.splitter, self.titles) = (splitter, titles)
        return true
    }

    /// Removes audio.
    /// - Returns: the number of bytes, and the newest title before their end, or nil if there is none.
    mutating func take(into buffer: UnsafeMutableRawPointer, limit: Int) -> (count: Int, title: String?) {
        let count = min(limit, available)
        bytes.withUnsafeBytes { bytes in
            if count > 0, let base = bytes.baseAddress { memcpy(buffer, base + start, count) }
        }
        start += count
        consumed += count
        var title: String?
        while let next = titles.first, next.position < consumed {
            title = next.text
            titles.removeFirst()
        }
        return (count, title)
    }
}

import CCurl
import Glibc
import Synchronization

/// The options of the connection.
public struct HTTPOptions: Sendable {
    /// The file with the certificates of the authorities that are trusted, or nil to use the system's.
    public var authorities: String?
    public var userAgent: String
    /// The path of the program that decodes AAC.
    public var ffmpeg: String

    public init(userAgent: String = "tacet", authorities: String? = nil, ffmpeg: String = "/usr/bin/ffmpeg") {
        (self.userAgent, self.authorities, self.ffmpeg) = (userAgent, authorities, ffmpeg)
    }
}

/// Ends the work of another thread. It is thread-safe.
final class Cancellation: Sendable {
    private struct State: @unchecked Sendable {
        var isCancelled = false
        /// The handle that waits for the network, or nil if there is none.
        var handle: UnsafeMutableRawPointer?
    }

    private let state = Mutex(State())

    var isCancelled: Bool { state.withLock(\.isCancelled) }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            if let handle = state.handle { curl_multi_wakeup(handle) }
        }
    }

    fileprivate func use(_ handle: UnsafeMutableRawPointer?) {
        nonisolated(unsafe) let handle = handle
        state.withLock { $0.handle = handle }
    }
}

/// Receives a stream over http or https with libcurl. Each call waits for the network, so use it on a separate thread.
final class HTTPSource {
    private let multi: UnsafeMutableRawPointer
    private var easy: UnsafeMutableRawPointer?
    /// The configured address.
    private let address: String
    private let options: HTTPOptions
    private let cancellation: Cancellation
    private var answer = HTTPAnswer()
    private var result: CURLcode?
    /// Where the server may be to which the transfer connects.
    private var redirection: Redirection
    /// True if no connection was made to an address, because a server must not refer to it.
    private var hasAvoidedAddress = false
    private let errorText: UnsafeMutablePointer<CChar>
    private let headers: UnsafeMutablePointer<curl_slist>?
    private let aliases: UnsafeMutablePointer<curl_slist>?
    /// The new title, or nil if it has not changed since it was taken.
    private var title: String?

    init(_ address: String, _ options: HTTPOptions, _ cancellation: Cancellation) throws(StreamError) {
        guard let multi = curl_multi_init() else { throw StreamError("there is not enough memory") }
        self.multi = multi
        self.address = address
        redirection = Redirection(from: address)
        self.options = options
        self.cancellation = cancellation
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        headers = curl_slist_append(nil, "Icy-MetaData: 1")
        aliases = curl_slist_append(nil, "ICY 200 OK")
        cancellation.use(multi)
    }

    deinit {
        cancellation.use(nil)
        close()
        curl_multi_cleanup(multi)
        curl_slist_free_all(headers)
        curl_slist_free_all(aliases)
        errorText.deallocate()
    }

    /// The name of the station, which may be empty.
    var stationName: String { answer.header.stationName }

    /// Returns the title that the server has sent with the audio that was read last, or nil if it has not changed.
    func takeTitle() -> String? {
        defer { title = nil }
        return title
    }

    // MARK: Opening

    /// Connects, and follows redirections and playlists.
    /// - Returns: the format of the audio, which `read` then returns.
    func open() throws(StreamError) -> StreamKind {
        var address = address
        var lists = 0
        while true {
            try start(address)
            try fill(StreamKind.headLength)
            redirection.handleAnswer(from: scope)
            if let location = try redirect() {
                address = location
                try redirection.follow(to: address)
                continue
            }
            if let problem = answer.header.problem { throw problem }
            let head = answer.head(StreamKind.headLength)
            switch StreamKind(type: answer.header.type, head: head) {
            case .playlist:
                lists += 1
                guard lists <= RadioPlaylist.depth else {
                    throw StreamError("more than \(RadioPlaylist.depth) playlists refer to each other")
                }
                address = try Self.resolve(try entry(), against: address)
                try redirection.follow(to: address)
            case .other(let words):
                throw StreamError(head.isEmpty ? "the server sends nothing" : "the server sends \(words)")
            case let kind: return kind
            }
        }
    }

    private func entry() throws(StreamError) -> String {
        try fill(RadioPlaylist.longest + 1)
        let bytes = answer.head(RadioPlaylist.longest + 1)
        guard bytes.count <= RadioPlaylist.longest else {
            throw StreamError("the server sends a playlist that is longer than \(RadioPlaylist.longest) bytes")
        }
        do throws(RadioPlaylist.Problem) { return try RadioPlaylist.address(in: bytes) } catch {
            switch error {
            case .empty: throw StreamError("the server sends a playlist without an address")
            case .parts:
                throw StreamError(
                    "the server sends HTTP Live Streaming, which is not supported; ask the station for another address")
            }
        }
    }

    /// Returns the address to which the server redirects, or nil if it sends the stream.
    private func redirect() throws(StreamError) -> String? {
        var status = 0
        stream_get_number(easy, CURLINFO_RESPONSE_CODE, &status)
        if (300..<400).contains(status) {
            var text: UnsafePointer<CChar>?
            stream_get_text(easy, CURLINFO_REDIRECT_URL, &text)
            if let text { return String(cString: text) }
        }
        guard status == 200 else {
            let words = [401: " (wrong user or password)", 403: " (forbidden)", 404: " (not found)", 410: " (gone)"]
            throw StreamError("the server answers with the status \(status)\(words[status] ?? "")")
        }
        return nil
    }

    /// The part of the network in which the server is.
    private var scope: NetworkScope {
        var text: UnsafePointer<CChar>?
        stream_get_text(easy, CURLINFO_PRIMARY_IP, &text)
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET6, text, &bytes) == 1 { return NetworkScope(of: bytes) }
        return inet_pton(AF_INET, text, &bytes) == 1 ? NetworkScope(of: Array(bytes.prefix(4))) : .global
    }

    private static func resolve(_ address: String, against base: String) throws(StreamError) -> String {
        let url = curl_url()
        defer { curl_url_cleanup(url) }
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_set(url, CURLUPART_URL, base, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK,
            curl_url_set(url, CURLUPART_URL, address, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK,
            curl_url_get(url, CURLUPART_URL, &text, 0) == CURLUE_OK, let text
        else { throw StreamError("the server sends a playlist whose address is not a URL") }
        defer { curl_free(text) }
        return String(cString: text)
    }

    // MARK: The transfer

    private func start(_ address: String) throws(StreamError) {
        close()
        guard let easy = curl_easy_init() else { throw StreamError("there is not enough memory") }
        self.easy = easy
        answer = HTTPAnswer()
        result = nil
        hasAvoidedAddress = false
        errorText[0] = 0
        stream_set_text(easy, CURLOPT_URL, address)
        stream_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        stream_set_text(easy, CURLOPT_USERAGENT, options.userAgent)
        if let file = options.authorities { stream_set_text(easy, CURLOPT_CAINFO, file) }
        for (option, value) in [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_CONNECTTIMEOUT, 10),
            (CURLOPT_TCP_KEEPALIVE, 1), (CURLOPT_BUFFERSIZE, 16_384), (CURLOPT_SSL_VERIFYPEER, 1),
            (CURLOPT_SSL_VERIFYHOST, 2),
            // The address of each connection is checked when it is opened.
            (CURLOPT_FRESH_CONNECT, 1),
        ] { stream_set_number(easy, option, value) }
        stream_set_list(easy, CURLOPT_HTTPHEADER, headers)
        stream_set_list(easy, CURLOPT_HTTP200ALIASES, aliases)
        stream_set_buffer(easy, CURLOPT_ERRORBUFFER, errorText)
        let me = Unmanaged.passUnretained(self).toOpaque()
        stream_set_buffer(easy, CURLOPT_WRITEDATA, me)
        stream_set_buffer(easy, CURLOPT_HEADERDATA, me)
        stream_set_function(easy, CURLOPT_WRITEFUNCTION) { bytes, _, count, me in
            guard let bytes, let me else { return 0 }
            let source = Unmanaged<HTTPSource>.fromOpaque(me).takeUnretainedValue()
            return source.answer.accept(UnsafeRawBufferPointer(start: bytes, count: count))
                ? count : Int(CURL_WRITEFUNC_PAUSE)
        }
        stream_set_function(easy, CURLOPT_HEADERFUNCTION) { bytes, _, count, me in
            guard let bytes, let me else { return 0 }
            let source = Unmanaged<HTTPSource>.fromOpaque(me).takeUnretainedValue()
            return source.answer.acceptHeader(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
        }
        stream_set_buffer(easy, CURLOPT_OPENSOCKETDATA, me)
        stream_set_opener(easy) { me, _, address in
            guard let me, let address else { return -1 }
            return Unmanaged<HTTPSource>.fromOpaque(me).takeUnretainedValue().openSocket(to: address)
        }
        guard curl_multi_add_handle(multi, easy) == CURLM_OK else { throw StreamError("the transfer cannot begin") }
    }

    /// Opens the socket of a connection, unless a server has referred to an address to which it must not refer.
    private func openSocket(to address: UnsafePointer<curl_sockaddr>) -> curl_socket_t {
        let target = address.pointee
        // The address of IPv6 is longer than the declared one, and libcurl's structure has room for it.
        let start = UnsafeRawPointer(address) + (MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0)
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(target.addrlen))
        // The port precedes it, and in IPv6 also the flow.
        let number = target.family == AF_INET ? bytes.dropFirst(4).prefix(4) : bytes.dropFirst(8).prefix(16)
        guard redirection.permits(NetworkScope(of: Array(number))) else {
            hasAvoidedAddress = true
            return -1
        }
        return socket(target.family, target.socktype | Int32(SOCK_CLOEXEC.rawValue), target.protocol)
    }

    private func close() {
        guard let easy else { return }
        curl_multi_remove_handle(multi, easy)
        curl_easy_cleanup(easy)
        self.easy = nil
    }

    /// Receives until this many bytes are there or the server has ended.
    private func fill(_ count: Int) throws(StreamError) {
        while answer.available < count, result == nil { try receive() }
        if let result, result != CURLE_OK, answer.available == 0 { throw failure(result) }
    }

    /// Receives more, and waits for it.
    private func receive() throws(StreamError) {
        guard !cancellation.isCancelled else { throw StreamError("it is no longer wanted") }
        if answer.isPaused {
            answer.isPaused = false
            curl_easy_pause(easy, CURLPAUSE_CONT)
        }
        let before = answer.available
        var running: Int32 = 0
        curl_multi_perform(multi, &running)
        let code = stream_result(multi)
        if code >= 0 { result = CURLcode(UInt32(code)) }
        if result == nil, answer.available == before { curl_multi_poll(multi, nil, 0, 1000, nil) }
    }

    private func failure(_ code: CURLcode) -> StreamError {
        if let refusal = answer.refusal { return refusal }
        if hasAvoidedAddress, code == CURLE_COULDNT_CONNECT {
            return StreamError(
                "the server refers to an address of this machine or of a private network, which is not followed;"
                    + " if the station is there, configure that address")
        }
        let text = String(cString: errorText)
        let words = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
        return StreamError("the server cannot be reached: \(StreamText.limited(words))")
    }

    /// Reads audio, and waits for it.
    /// - Returns: the number of bytes, or 0 after the end.
    func read(into buffer: UnsafeMutableRawPointer, limit: Int) throws(StreamError) -> Int {
        try fill(1)
        let (count, title) = answer.take(into: buffer, limit: limit)
        if let title { self.title = title }
        return count
    }
}

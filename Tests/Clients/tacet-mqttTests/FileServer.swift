import BrokerLab
import Foundation
import Glibc
import Synchronization

/// A small HTTP server on loopback.
final class FileServer: Sendable {
    private struct State {
        var files: [String: Data] = [:]
        var requests: [String] = []
    }

    let port: UInt16
    private let listener: Int32
    private let state: Holder

    // The thread retains this object and not the server.
    private final class Holder: Sendable {
        let state = Mutex(State())
    }

    struct Failure: Error {}

    init() throws {
        let (listener, port) = try Broker.boundSocket()
        guard listen(listener, 8) == 0 else { throw Failure() }
        self.listener = listener
        self.port = port
        let holder = Holder()
        state = holder
        Thread.detachNewThread { FileServer.serve(listener, holder) }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// The contents of the files, by path.
    var files: [String: Data] {
        get { state.state.withLock { $0.files } }
        set { state.state.withLock { $0.files = newValue } }
    }

    /// The paths that were requested.
    var requests: [String] { state.state.withLock { $0.requests } }

    private static func serve(_ listener: Int32, _ holder: Holder) {
        defer { close(listener) }
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { return }
            defer { close(client) }
            var request: [UInt8] = []
            var block = [UInt8](repeating: 0, count: 4096)
            while !String(decoding: request, as: UTF8.self).contains("\r\n\r\n") {
                let count = recv(client, &block, block.count, 0)
                guard count > 0 else { break }
                request += block.prefix(count)
            }
            let words = String(decoding: request, as: UTF8.self).split(separator: " ")
            let path = words.count > 1 ? String(words[1]) : ""
            let file = holder.state.withLock { state in
                state.requests.append(path)
                return state.files[path]
            }
            // The answer does not contain the length, so the client has to count the bytes.
            var answer = Data("HTTP/1.0 \(file == nil ? "404 Not Found" : "200 OK")\r\n\r\n".utf8)
            if let file { answer += file }
            var rest = Array(answer)[...]
            while !rest.isEmpty {
                let count = Array(rest).withUnsafeBytes {
                    send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { break }
                rest = rest.dropFirst(count)
            }
        }
    }
}

import Glibc

/// A socket in the role of the service manager, which receives a service's notifications.
public final class ServiceSocket {
    /// The value of `NOTIFY_SOCKET` for the service.
    public let name: String
    private let descriptor: Int32

    public init() throws {
        let number = UInt64.random(in: .min ... .max)
        // The socket is abstract, so its name starts with a null byte and there is no file.
        let path = "tacet-test-\(number)"
        name = "@" + path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) {
            UnsafeMutableRawBufferPointer(rebasing: $0[1...]).copyBytes(from: path.utf8)
        }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + 1 + path.utf8.count)
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard code == 0 else { throw Failure(description: "no socket: \(String(cString: strerror(errno)))") }
    }

    deinit { close(descriptor) }

    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    /// Returns the next message, or nil if none arrives within the timeout.
    public func receive(within timeout: Duration) -> String? {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, Int32(timeout / .milliseconds(1))) > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Waits for a message that satisfies a condition and discards others.
    @discardableResult
    public func wait(within timeout: Duration = .seconds(20), for isIt: (String) -> Bool) throws -> String {
        var others: [String] = []
        while let message = receive(within: timeout) {
            if isIt(message) { return message }
            others.append(message)
        }
        throw Failure(description: "no matching message, only \(others)")
    }

    /// Waits for one message of each kind, in any order.
    public func wait(forAll kinds: [(String) -> Bool]) throws {
        var kinds = kinds
        while !kinds.isEmpty {
            let message = try wait { message in kinds.contains { $0(message) } }
            kinds.removeAll { $0(message) }
        }
    }
}

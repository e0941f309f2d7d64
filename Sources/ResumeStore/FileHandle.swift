import Glibc

/// An open file, closed at the end of its scope.
struct FileHandle: ~Copyable {
    private let descriptor: CInt
    private let path: String

    init(opening path: String, _ flags: CInt) throws(StateError) {
        descriptor = open(path, flags | O_CLOEXEC, 0o644)
        self.path = path
        guard descriptor >= 0 else { throw .failed("open", path) }
    }

    borrowing func readAll() throws(StateError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count > 0 { bytes += chunk[..<count] } else if errno != EINTR { throw .failed("read", path) }
        }
    }

    borrowing func write(_ bytes: [UInt8]) throws(StateError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR { throw .failed("write", path) }
        }
    }

    borrowing func sync() throws(StateError) {
        guard fsync(descriptor) == 0 else { throw .failed("sync", path) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}

extension StateError {
    /// With the words for `errno`.
    static func failed(_ tried: String, _ path: String, code: Int32 = errno) -> StateError {
        .system(tried: tried, path: path, code: code, words: String(cString: strerror(code)))
    }
}

import Glibc

/// A file that is open for reading.
struct InputFile: ~Copyable {
    /// Far more than any configuration needs: who names a film or a device by mistake shall hear of it.
    private static let sizeLimit = 1 << 20

    private let descriptor: CInt

    private init?(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// All bytes of a file of at most 1 MiB.
    static func read(_ path: String) throws(Diagnostic) -> [UInt8] {
        guard let file = InputFile(path) else { throw .system("cannot open this file", path) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = Glibc.read(file.descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system("cannot read this file", path) }
            if count == 0 { return bytes }
            bytes += chunk.prefix(count)
            guard bytes.count <= sizeLimit else {
                throw Diagnostic(
                    .error, file: path, "this file is larger than 1 MiB", advice: "is it a configuration file?")
            }
        }
    }
}

extension Diagnostic {
    /// What the system just said of a file, in its own words.
    static func system(_ tried: String, _ path: String) -> Diagnostic {
        let code = errno
        return Diagnostic(
            .error, file: path, "\(tried): \(String(cString: strerror(code)))", advice: advice(code, path))
    }

    private static func advice(_ code: CInt, _ path: String) -> String? {
        switch code {
        case ENOENT: isLink(path) ? "it is a link that leads nowhere" : "check the path"
        case EACCES: "check the permissions of the file and of the folders above it"
        case EISDIR: "name a file, not a folder"
        case ENOTDIR: "a folder is expected there"
        default: nil
        }
    }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
}

import Glibc

/// A file that appears under its name only when it is whole.
///
/// It is written beside its final name and takes that name when it is committed; until then, an earlier file of that
/// name stays as it was. `-` is standard output. What is there and is no regular file (a device, a pipe) cannot be
/// replaced, so it is written to, at the commit.
final class OutputFile {
    let name: String
    /// Where to write, before the commit.
    let workPath: String
    private let isReplaceable: Bool
    private var isDone = false

    /// - Throws: if nothing can be written there.
    init(_ name: String) throws(SimulationError) {
        self.name = name
        isReplaceable = name != "-" && OutputFile.isRegularOrAbsent(name)
        let folder = isReplaceable ? OutputFile.folder(of: name) : OutputFile.temporaryFolder
        var template = Array("\(folder)/.tacet-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw SimulationError("cannot write \(name): \(OutputFile.words(errno))") }
        // mkstemp keeps others out; what a person asked for by name gets the usual permissions.
        let mask = umask(0)
        umask(mask)
        fchmod(descriptor, 0o666 & ~mask)
        close(descriptor)
        workPath = template.withUnsafeBufferPointer { $0.baseAddress.map(String.init(cString:)) ?? "" }
    }

    /// Writes all of a text.
    func write(_ text: String) throws(SimulationError) {
        let descriptor = open(workPath, O_WRONLY | O_TRUNC | O_CLOEXEC)
        guard descriptor >= 0 else { throw failed() }
        defer { close(descriptor) }
        try write(Array(text.utf8)[...], to: descriptor)
    }

    /// Gives the file its name.
    func commit() throws(SimulationError) {
        if isReplaceable {
            guard rename(workPath, name) == 0 else { throw failed() }
        } else {
            try copyToDestination()
            unlink(workPath)
        }
        isDone = true
    }

    private func copyToDestination() throws(SimulationError) {
        let source = open(workPath, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw failed() }
        defer { close(source) }
        let destination = name == "-" ? dup(STDOUT_FILENO) : open(name, O_WRONLY | O_CLOEXEC)
        guard destination >= 0 else { throw failed() }
        defer { close(destination) }
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(source, &chunk, chunk.count)
            if count == 0 { return }
            if count > 0 { try write(chunk[..<count], to: destination) } else if errno != EINTR { throw failed() }
        }
    }

    private func write(_ bytes: ArraySlice<UInt8>, to descriptor: CInt) throws(SimulationError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR { throw failed() }
        }
    }

    private func failed() -> SimulationError {
        SimulationError("cannot write \(name == "-" ? "standard output" : name): \(OutputFile.words(errno))")
    }

    private static func isRegularOrAbsent(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static var temporaryFolder: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }
    private static func words(_ code: CInt) -> String { String(cString: strerror(code)) }

    deinit { if !isDone { unlink(workPath) } }
}

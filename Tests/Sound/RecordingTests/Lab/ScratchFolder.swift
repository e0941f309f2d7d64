import Glibc
import SoundLab

/// A private folder for a test, which is removed with everything in it.
final class ScratchFolder {
    let path: String

    struct NoFolder: Error {}

    init() throws {
        var template = Array("/tmp/tacet-recording-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw NoFolder() }
        path = String(cString: made)
    }

    deinit { _ = try? Subprocess(["rm", "-rf", path]).wait() }

    static func bytes(of path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(descriptor, &piece, piece.count), count > 0 { bytes += piece[..<count] }
        return bytes
    }
}

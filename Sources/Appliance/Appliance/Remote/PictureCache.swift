import Glibc
import Playback

/// Stores the picture from a track's tags as a file, so that clients can get its URL. There is one file at a time, no
/// larger than `EmbeddedPicture` allows. For one thread, which can wait for a disk.
struct PictureCache {
    private static let prefix = "cover-"

    /// The service's own folder in /run, which systemd makes and removes; nil without one.
    static var systemFolder: String? {
        guard let folders = getenv("RUNTIME_DIRECTORY") else { return nil }
        return String(cString: folders).split(separator: ":").first.map(String.init)
    }

    private let folder: String?
    private var current: String?

    /// Removes the files that a killed process has left behind.
    /// - Parameter folder: nil to store no pictures.
    init(folder: String?) {
        self.folder = folder
        guard let folder, let entries = opendir(folder) else { return }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix(Self.prefix) { unlink(folder + "/" + name) }
        }
    }

    /// Replaces the previous picture; nil removes it.
    /// - Returns: the file's path; nil if it cannot be written.
    mutating func publish(_ picture: EmbeddedPicture?) -> String? {
        guard let folder, let picture else {
            remove()
            return nil
        }
        // Named by its content, because clients cache what they have loaded from a URL.
        let path = "\(folder)/\(Self.prefix)\(String(Self.digest(picture.bytes), radix: 16)).\(picture.format.rawValue)"
        guard path != current else { return path }
        remove()
        guard Self.write(picture.bytes, to: path) else { return nil }
        current = path
        return path
    }

    private mutating func remove() {
        if let current { unlink(current) }
        current = nil
    }

    /// Writes the file as a whole, so that no client reads half a picture.
    private static func write(_ bytes: [UInt8], to path: String) -> Bool {
        let draft = path + ".new"
        let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard file >= 0 else { return false }
        // Readable for everybody, whatever the umask.
        var isWritten = fchmod(file, 0o644) == 0
        var rest = bytes[...]
        while isWritten, !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else { isWritten = count < 0 && errno == EINTR }
        }
        isWritten = close(file) == 0 && isWritten
        if isWritten, rename(draft, path) == 0 { return true }
        unlink(draft)
        return false
    }

    /// FNV-1a.
    private static func digest(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}

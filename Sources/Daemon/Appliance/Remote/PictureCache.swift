import Files
import Glibc
import Playback

/// Stores the picture from a track's tags as a file, so that clients can get its URL. There is one file at a time,
/// which is no larger than `EmbeddedPicture` allows. Use it on one thread that may wait for a disk.
struct PictureCache {
    private static let prefix = "cover-"

    /// The service's own folder in /run, which systemd creates, or nil if there is none. The service also has a folder for
    /// pipes, and versions of systemd list them in different orders.
    static var systemFolder: String? {
        guard let text = getenv("RUNTIME_DIRECTORY") else { return nil }
        let folders = String(cString: text).split(separator: ":").map(String.init)
        return folders.first { $0.hasSuffix("/tacet-artwork") } ?? folders.first
    }

    private let folder: String?
    private var current: String?

    /// Removes the files that a killed process has left behind.
    /// - Parameter folder: The folder, or nil to store no pictures.
    init(folder: String?) {
        self.folder = folder
        guard let folder, let names = try? Folder.names(in: folder) else { return }
        for name in names where name.hasPrefix(Self.prefix) { unlink(folder + "/" + name) }
    }

    /// Replaces the previous picture. Nil removes it.
    /// - Returns: The file's path, or nil if it cannot be written.
    mutating func publish(_ picture: EmbeddedPicture?) -> String? {
        guard let folder, let picture else {
            remove()
            return nil
        }
        // The name depends on the content, because clients cache what they have loaded from a URL.
        let path = "\(folder)/\(Self.prefix)\(Checksum.text(of: picture.bytes)).\(picture.format.rawValue)"
        guard path != current else { return path }
        remove()
        // Every user can read the file, regardless of the umask.
        guard (try? OpenFile.replace(path, with: picture.bytes, mode: 0o644)) != nil else { return nil }
        current = path
        return path
    }

    private mutating func remove() {
        if let current { unlink(current) }
        current = nil
    }
}

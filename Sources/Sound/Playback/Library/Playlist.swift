import Files
import Glibc

/// An M3U playlist: one path per line; blank lines and those that start with `#` are ignored.
enum Playlist {
    static func matches(_ path: String) -> Bool {
        ["m3u", "m3u8"].contains(pathExtension(path))
    }

    /// The entries in order, whether or not their files exist.
    static func load(_ path: String) throws(LibraryError) -> [Track] {
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { Array(path.utf8[...$0]) } ?? []
        return entries(in: try bytes(of: path), from: folder) { path in
            Track(bytes: path).withPath { access($0, F_OK) == 0 }
        }
    }

    /// - Parameters:
    ///   - text: UTF-8 with or without a byte order mark, or another encoding with ASCII's line ends.
    ///   - folder: the playlist's folder, with a slash at its end, or empty.
    ///   - exists: whether a file exists; called only for ambiguous entries.
    static func entries(in text: [UInt8], from folder: [UInt8], where exists: ([UInt8]) -> Bool) -> [Track] {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let body = text.starts(with: byteOrderMark) ? text.dropFirst(byteOrderMark.count) : text[...]
        return body.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.compactMap { line in
            PlaylistEntry(line, in: folder).map { Track(bytes: $0.path(where: exists)) }
        }
    }

    private static func bytes(of path: String) throws(LibraryError) -> [UInt8] {
        do throws(FileError) { return try OpenFile.open(path, O_RDONLY).readAll() } catch {
            throw .system(error.code, operation: "read playlist", path: path)
        }
    }
}

import Files
import Glibc

/// An M3U playlist: one path per line; blank lines and those that start with `#` are ignored.
enum Playlist {
    static func matches(_ path: String) -> Bool {
        ["m3u", "m3u8"].contains(pathExtension(path))
    }

    struct Content {
        /// In order, whether or not their files exist.
        var entries: [Track] = []
        /// The number of lines that are too long to be a path.
        var longLines = 0
    }

    /// - Parameters:
    ///   - text: the playlist's bytes.
    ///   - folder: the playlist's folder, with a slash at its end, or empty.
    ///   - longestLine: in bytes; longer ones are left out.
    static func content(
        of text: [UInt8], from folder: [UInt8], longestLine: Int = LibraryLimits().line, disk: inout some PathLookup
    ) -> Content {
        var content = Content()
        for line in PlaylistText.lines(of: text) {
            guard let entry = PlaylistEntry(line, in: folder) else { continue }
            if line.count > longestLine {
                content.longLines += 1
            } else {
                content.entries.append(Track(bytes: entry.path(in: &disk)))
            }
        }
        return content
    }

    /// The folder of a playlist, with a slash at its end; empty if its path has none.
    static func folder(of list: Track) -> [UInt8] {
        let path = list.pathBytes
        return path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[...$0]) } ?? []
    }

    /// The bytes of a playlist.
    /// - Parameter limit: in bytes.
    static func bytes(of list: Track, limit: Int) throws(LibraryError) -> [UInt8] {
        let operation = "read playlist"
        // O_NONBLOCK: a pipe that has just replaced the file would otherwise wait for a writer.
        let descriptor = list.withPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
        guard descriptor >= 0 else { throw .system(errno, operation: operation, path: list.path) }
        let file = OpenFile(owning: descriptor, list.path)
        var status = stat()
        guard fstat(descriptor, &status) == 0, case .regular = FileKind(status) else {
            throw LibraryError(
                reason: .notALibrary, operation: operation, path: list.path, message: "it is not a regular file",
                advice: "save the playlist as a file")
        }
        let bytes: [UInt8]
        do throws(FileError) { bytes = try file.readAll(limit: limit) } catch {
            throw .system(error.code, operation: operation, path: list.path)
        }
        guard bytes.count <= limit else {
            throw .tooLarge(
                operation, list.path, "it is longer than \(limit >> 20) MiB",
                advice: "split it, or name the folder with its files")
        }
        return bytes
    }
}

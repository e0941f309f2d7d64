import Files
import Glibc

/// An M3U playlist, which contains one path per line. Blank lines and lines that start with `#` are ignored.
enum Playlist {
    static func matches(_ path: String) -> Bool {
        ["m3u", "m3u8"].contains(pathExtension(path))
    }

    /// The entries of a playlist, one by one, including those whose files do not exist.
    struct Entries {
        private var lines: PlaylistLines
        private let folder: [UInt8]
        private let longestLine: Int
        /// The number of lines read so far that are too long to be a path.
        private(set) var longLines = 0

        /// - Parameters:
        ///   - text: the playlist's bytes.
        ///   - folder: the playlist's folder, with a slash at its end, or empty.
        ///   - longestLine: the maximum length of a line, in bytes. Longer lines are omitted.
        init(of text: [UInt8], from folder: [UInt8], longestLine: Int = LibraryLimits().line) {
            lines = PlaylistText.lines(of: text)
            self.folder = folder
            self.longestLine = longestLine
        }

        mutating func next(_ disk: inout some PathLookup) -> Track? {
            while let line = lines.next() {
                if line.count > longestLine {
                    if !PlaylistEntry.isComment(line) { longLines += 1 }
                } else if let entry = PlaylistEntry(line, in: folder) {
                    return Track(bytes: entry.path(in: &disk))
                }
            }
            return nil
        }
    }

    /// The folder of a playlist, with a slash at its end, or empty if the playlist's path does not contain a folder.
    static func folder(of list: Track) -> [UInt8] {
        let path = list.pathBytes
        return path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[...$0]) } ?? []
    }

    /// Returns the bytes of a playlist.
    /// - Parameters:
    ///   - limit: the limit in bytes.
    ///   - words: the reason why a longer playlist is rejected.
    static func bytes(of list: Track, limit: Int, _ words: String) throws(LibraryError) -> [UInt8] {
        let operation = "read playlist"
        // Open with O_NONBLOCK. Otherwise, if a pipe had just replaced the file, the call would wait for a writer.
        let descriptor = list.withPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
        guard descriptor >= 0 else { throw .system(errno, .playlist, operation: operation, list) }
        let file = OpenFile(owning: descriptor, list.path)
        var status = stat()
        guard fstat(descriptor, &status) == 0, case .regular = FileKind(status) else {
            throw LibraryError(
                reason: .notALibrary, kind: .playlist, operation: operation, file: list,
                message: "it is not a regular file", advice: "save the playlist as a file")
        }
        let bytes: [UInt8]
        do throws(FileError) { bytes = try file.readAll(limit: limit) } catch {
            throw .system(error.code, .playlist, operation: operation, list)
        }
        guard bytes.count <= limit else {
            throw .tooLarge(operation, .playlist, list, words, advice: "split it, or name the folder with its files")
        }
        return bytes
    }
}

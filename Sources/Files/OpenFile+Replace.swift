import Glibc

extension OpenFile {
    /// Replaces a file as a whole: whenever the power fails, its name leads to all of the old bytes or to all of the new
    /// ones. Blocks for as long as the disk does. One writer at a time.
    public static func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
        let new = path + ".new"
        do throws(FileError) {
            let file = try open(new, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK)
            try file.write(bytes)
            try file.sync()
            guard rename(new, path) == 0 else { throw FileError("replace", path) }
        } catch {
            unlink(new)
            throw error
        }
        let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? "."
        try open(folder.isEmpty ? "/" : String(folder), O_RDONLY | O_DIRECTORY).sync()
    }
}

import Glibc

public enum Folder {
    /// Returns the names of everything in a folder, including `.` and `..`, in no particular order. Bytes that are not
    /// UTF-8 are replaced.
    public static func names(in path: String) throws(FileError) -> [String] {
        guard let folder = opendir(path) else { throw FileError("list", path) }
        defer { closedir(folder) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(folder) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
            errno = 0
        }
        if errno != 0 { throw FileError("list", path) }
        return names
    }

    /// Returns a path without links, or the path itself if it does not exist.
    public static func realPath(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}

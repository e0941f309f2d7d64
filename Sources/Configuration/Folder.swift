import Glibc

/// A folder that is open for listing.
struct Folder: ~Copyable {
    private let handle: OpaquePointer

    private init?(_ path: String) {
        guard let handle = opendir(path) else { return nil }
        self.handle = handle
    }

    deinit { closedir(handle) }

    /// The names in a folder, in no order; none if there is no such folder.
    static func names(in path: String) throws(Diagnostic) -> [String] {
        guard let folder = Folder(path) else {
            if errno == ENOENT { return [] }
            throw .system("cannot list this folder", path)
        }
        var names: [String] = []
        errno = 0
        while let entry = readdir(folder.handle) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
            errno = 0
        }
        if errno != 0 { throw .system("cannot list this folder", path) }
        return names
    }
}

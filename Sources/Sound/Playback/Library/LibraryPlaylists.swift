import Glibc

/// The playlists of a library, which are the M3U files in its folder and the folders in it that contain tracks.
public struct LibraryPlaylists: Hashable, Sendable {
    /// The most playlists that are listed.
    public static let most = 1000
    /// The limits on the names of files that are read, because a disk may contain anything.
    private static let limits = (names: 100_000, bytes: 1 << 20)

    /// The path of the library's folder.
    private let folder: String
    /// The names of the files and folders, under which they can be chosen, in alphabetical order.
    public let names: [String]

    public init(_ names: [String] = [], in folder: String = "") {
        self.folder = folder
        self.names = names
    }

    /// Finds the playlists of a library. The call blocks on the storage. A folder that cannot be read contains no M3U
    /// files.
    ///
    /// - Parameters:
    ///   - library: the path of the library. If it is a playlist itself, only folders are found, because nothing else can
    ///     be chosen from it.
    ///   - tracks: the library's tracks.
    public init(of library: String, _ tracks: [Track]) {
        let isFolder = Library.isFolder(library)
        var folder = isFolder ? library : Library.parent(of: library)
        while folder.hasSuffix("/"), folder != "/" { folder.removeLast() }
        let names = Self.folders(in: folder, tracks) + (isFolder ? Self.files(in: folder) : [])
        let sorted = Set(names).map { NaturalOrder(Track(path: $0)) }.sorted().prefix(Self.most)
        self.init(sorted.map(\.track.path), in: folder)
    }

    private static func folders(in folder: String, _ tracks: [Track]) -> [String] {
        let prefix = Array((folder == "/" ? "/" : folder + "/").utf8)
        var names: Set<String> = []
        for track in tracks {
            let path = track.path.utf8
            guard names.count < most, path.starts(with: prefix) else { continue }
            let rest = path.dropFirst(prefix.count)
            if let end = rest.firstIndex(of: UInt8(ascii: "/")), end > rest.startIndex {
                names.insert(String(Substring(rest[..<end])))
            }
        }
        return Array(names)
    }

    /// Returns the names of M3U files. A name that cannot be shown cannot be chosen either.
    private static func files(in folder: String) -> [String] {
        func text(_ name: [UInt8]) -> String? {
            guard name.first != UInt8(ascii: "."), let text = String(validating: name, as: UTF8.self),
                Playlist.matches(text), Track(path: text).pathBytes == name, Track(path: text).path == text
            else { return nil }
            return text
        }
        let found = try? FolderNames.read(Track(path: folder), limit: limits.names, mostBytes: limits.bytes) {
            name, _ in
            text(name) != nil
        }
        return (found?.names ?? []).compactMap(text)
    }

    /// Returns the name of the playlist that a request names, or nil if it names something else.
    /// - Parameter request: a path, absolute or relative to the library's folder.
    public func name(of request: String) -> String? {
        func parts(_ path: String) -> [Substring] { path.split(separator: "/").filter { $0 != "." } }
        var wanted = parts(request)[...]
        if request.hasPrefix("/") {
            let root = parts(folder)
            guard wanted.starts(with: root) else { return nil }
            wanted = wanted.dropFirst(root.count)
        }
        guard wanted.count == 1, let name = wanted.first else { return nil }
        return names.first { $0.utf8.elementsEqual(name.utf8) }
    }
}

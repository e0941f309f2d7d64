import Glibc

/// Finds the files to which a playlist's entries refer.
protocol PathLookup {
    mutating func exists(_ path: [UInt8]) -> Bool
    /// Returns the paths that exist and differ from a path only in their Unicode normalisation or, optionally, also in
    /// case.
    /// - Parameter base: the number of bytes at the path's start that must match exactly.
    mutating func paths(like path: [UInt8], after base: Int, ignoringCase: Bool) -> [[UInt8]]
}

/// Searches the disk. It lists each folder only once, even if many paths lead to it.
struct DiskLookup: PathLookup {
    /// The names in a folder, by their text. Strings are equal if they differ only in their Unicode normalisation.
    private struct Listing {
        var names: [String: [[UInt8]]] = [:]
        var lowercased: [String: [[UInt8]]] = [:]
    }

    private var listings: [FolderIdentity: Listing] = [:]
    /// The number of names that can still be read.
    private var namesLeft: Int
    /// True if some names were not read because there are too many.
    private(set) var isIncomplete = false
    /// The maximum number of folders whose names differ only in case. If there are more, they are not searched.
    private static let mostAlike = 16

    /// The total length that the paths of the searched folders can still have, in bytes.
    private var pathsLeft: Int
    /// True if some entries were not compared because they have too many or too deep folders.
    var isExhausted: Bool { pathsLeft < 0 }

    /// - Parameters:
    ///   - names: the maximum number of names that are read.
    ///   - paths: the maximum total length of the paths of all searched folders, in bytes.
    init(names: Int, paths: Int) { (namesLeft, pathsLeft) = (names, paths) }

    func exists(_ path: [UInt8]) -> Bool {
        !path.contains(0) && Track(bytes: path).withPath { access($0, F_OK) == 0 }
    }

    mutating func paths(like path: [UInt8], after base: Int, ignoringCase: Bool) -> [[UInt8]] {
        guard !path.contains(0) else { return [] }
        let isAbsolute = base == 0 && path.first == UInt8(ascii: "/")
        var found = [isAbsolute ? [UInt8(ascii: "/")] : Array(path.prefix(base))]
        for component in path.dropFirst(base).split(separator: UInt8(ascii: "/")) {
            if component.elementsEqual(".".utf8) { continue }
            var next: [[UInt8]] = []
            for folder in found {
                pathsLeft -= folder.count
                guard !isExhausted else { return [] }
                let start = folder.isEmpty || folder.last == UInt8(ascii: "/") ? folder : folder + [UInt8(ascii: "/")]
                if component.elementsEqual("..".utf8) {
                    next.append(start + component)
                } else {
                    next += names(like: component, in: start, ignoringCase: ignoringCase).map { start + $0 }
                }
            }
            if next.isEmpty || next.count > Self.mostAlike { return [] }
            found = next
        }
        return found
    }

    private mutating func names(
        like name: ArraySlice<UInt8>, in folder: [UInt8], ignoringCase: Bool
    ) -> [[UInt8]] {
        let text = CodePage1252.name(name)
        let listing = listing(of: folder)
        return (ignoringCase ? listing.lowercased[text.lowercased()] : listing.names[text]) ?? []
    }

    private mutating func listing(of folder: [UInt8]) -> Listing {
        let track = folder.isEmpty ? Track(path: ".") : Track(bytes: folder)
        guard case .folder(let identity)? = try? FileKind.of(track) else { return Listing() }
        if let listing = listings[identity] { return listing }
        var listing = Listing()
        guard namesLeft > 0 else {
            isIncomplete = true
            return listing
        }
        let found = (try? FolderNames.read(track, limit: namesLeft)) ?? FolderNames()
        if found.seen >= namesLeft { isIncomplete = true }
        // Add one because an empty folder also takes memory.
        namesLeft -= found.seen + 1
        for name in found.names {
            let text = CodePage1252.name(name)
            listing.names[text, default: []].append(name)
            listing.lowercased[text.lowercased(), default: []].append(name)
        }
        listings[identity] = listing
        return listing
    }
}

/// The names in a folder.
struct FolderNames {
    private(set) var names: [[UInt8]] = []
    /// The number of all names, including those that were not wanted.
    private(set) var seen = 0
    /// The total length of the names, in bytes.
    private(set) var bytes = 0

    /// - Parameters:
    ///   - limit: the number of names after which reading stops.
    ///   - mostBytes: the total length of the names beyond which reading stops.
    ///   - isWanted: returns true to keep a name. `isRegular` is true if the name is certainly that of a regular file.
    static func read(
        _ folder: Track, limit: Int, mostBytes: Int = .max,
        _ isWanted: (_ name: [UInt8], _ isRegular: Bool) -> Bool = { _, _ in true }
    ) throws(SystemError) -> FolderNames {
        guard let stream = folder.withPath({ opendir($0) }) else { throw SystemError(code: errno) }
        defer { closedir(stream) }
        var found = FolderNames()
        while found.seen < limit, found.bytes <= mostBytes {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw SystemError(code: errno) }
                break
            }
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let name = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
            let bytes = Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
            if bytes.elementsEqual(".".utf8) || bytes.elementsEqual("..".utf8) { continue }
            found.seen += 1
            guard isWanted(bytes, Int(entry.pointee.d_type) == Int(DT_REG)) else { continue }
            found.names.append(bytes)
            found.bytes += bytes.count
        }
        return found
    }
}

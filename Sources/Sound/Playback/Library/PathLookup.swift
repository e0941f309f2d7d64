import Glibc

/// Looks for the files that a playlist names.
protocol PathLookup {
    mutating func exists(_ path: [UInt8]) -> Bool
    /// The paths that exist and differ from a path only in the normalisation of Unicode, or in case, too.
    /// - Parameter base: how many bytes at the path's start are taken literally.
    mutating func paths(like path: [UInt8], after base: Int, ignoringCase: Bool) -> [[UInt8]]
}

/// Looks on the disk, and lists each folder only once.
struct DiskLookup: PathLookup {
    /// A folder's names, by their text. Strings are equal in all normalisations of Unicode.
    private struct Listing {
        var names: [String: [[UInt8]]] = [:]
        var lowercased: [String: [[UInt8]]] = [:]
    }

    private var listings: [[UInt8]: Listing] = [:]
    /// The names that can still be read.
    private var namesLeft: Int
    /// More folders that differ only in case are not searched.
    private static let mostAlike = 16

    /// - Parameter names: the number of names that are looked at.
    init(names: Int) { namesLeft = names }

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
        if let listing = listings[folder] { return listing }
        var listing = Listing()
        let track = folder.isEmpty ? Track(path: ".") : Track(bytes: folder)
        let names = (try? FolderNames.read(track, limit: namesLeft)) ?? []
        namesLeft -= names.count + 1
        for name in names {
            let text = CodePage1252.name(name)
            listing.names[text, default: []].append(name)
            listing.lowercased[text.lowercased(), default: []].append(name)
        }
        listings[folder] = listing
        return listing
    }
}

/// The names in a folder.
enum FolderNames {
    /// - Parameter limit: reading stops after this many names.
    static func read(_ folder: Track, limit: Int) throws(SystemError) -> [[UInt8]] {
        guard let stream = folder.withPath({ opendir($0) }) else { throw SystemError(code: errno) }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while names.count < limit {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw SystemError(code: errno) }
                break
            }
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let name = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
            let bytes = Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
            if !bytes.elementsEqual(".".utf8), !bytes.elementsEqual("..".utf8) { names.append(bytes) }
        }
        return names
    }
}

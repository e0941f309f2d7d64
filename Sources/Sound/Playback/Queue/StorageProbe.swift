import Glibc

/// Distinguishes lost storage from a missing file. A probe checks the library's folder or, for a playlist, the folder
/// that all tracks have in common. It never checks a single file, because playback does not need to wait if only one
/// track cannot be read.
public struct StorageProbe {
    /// The `errno` codes that indicate a lost disk or server.
    private static let lossCodes = [EIO, ENODEV, ENXIO, ESTALE, ENOTCONN, EREMOTEIO, ETIMEDOUT, EHOSTDOWN]

    /// The components of the folder's path.
    private let folder: [ArraySlice<UInt8>]
    private let isAbsolute: Bool
    /// The folder in which the kernel lists its block devices by number.
    private let devices: String

    /// - Parameters:
    ///   - library: the folder, playlist or audio file that the tracks come from, or nil if it is unknown.
    ///   - devices: the folder of the block devices, which tests replace.
    init(_ tracks: [Track], library: String? = nil, devices: String = "/sys/dev/block") {
        self.devices = devices
        // A playlist may be on a storage other than that of its tracks, and a playlist or a file may be missing itself.
        if let library, !Playlist.matches(library), !AudioExtension.matches(library) {
            folder = Array(library.utf8).split(separator: UInt8(ascii: "/"))
            isAbsolute = library.hasPrefix("/")
            return
        }
        var common: [ArraySlice<UInt8>]?
        var isAbsolute = true
        // Ignore network addresses in a playlist, because they are not on any storage.
        for track in tracks {
            let path = track.pathBytes
            if isForeign(path) { continue }
            if path.first != UInt8(ascii: "/") { isAbsolute = false }
            let folder = path.split(separator: UInt8(ascii: "/")).dropLast()
            common = common.map { zip($0, folder).prefix { $0.0 == $0.1 }.map(\.0) } ?? Array(folder)
        }
        folder = common ?? []
        self.isAbsolute = isAbsolute
    }

    /// True if the disk or server is lost. This is the case if the folder does not respond, if it is empty like a mount
    /// point without its disk, or if the storage's device no longer exists in the kernel. The call blocks on the
    /// storage.
    func isGone() -> Bool {
        var folder = folder[...]
        while !folder.isEmpty {
            switch look(at: folder) {
            case .absent: folder = folder.dropLast()
            case .dead, .empty: return true
            case .alive(let device): return !isPresent(device)
            case .unknown: return false
            }
        }
        return false
    }

    private enum Finding {
        case absent
        case empty
        case alive(device: dev_t)
        /// The folder does not respond.
        case dead
        /// The folder cannot be read, for a reason that is unrelated to the storage.
        case unknown

        init(_ code: Int32) {
            self =
                code == ENOENT || code == ENOTDIR ? .absent : StorageProbe.lossCodes.contains(code) ? .dead : .unknown
        }
    }

    private func look(at components: ArraySlice<ArraySlice<UInt8>>) -> Finding {
        let path = (isAbsolute ? [UInt8(ascii: "/")] : []) + components.joined(separator: [UInt8(ascii: "/")])
        guard let stream = Track(bytes: path).withPath({ opendir($0) }) else { return Finding(errno) }
        defer { closedir(stream) }
        var entries = 0
        errno = 0
        // Every folder contains the entries "." and "..".
        while entries < 3, readdir(stream) != nil { entries += 1 }
        if entries < 3 { return errno == 0 ? .empty : Finding(errno) }
        var status = stat()
        guard fstat(dirfd(stream), &status) == 0 else { return Finding(errno) }
        return .alive(device: status.st_dev)
    }

    /// Returns the major and the minor number of a device, 32 bits each. This is the inverse of makedev(3).
    static func numbers(of device: dev_t) -> (major: UInt32, minor: UInt32) {
        let device = UInt64(device)
        return (
            UInt32(truncatingIfNeeded: device >> 8 & 0xfff | device >> 32 & ~0xfff),
            UInt32(truncatingIfNeeded: device & 0xff | device >> 12 & ~0xff)
        )
    }

    /// Returns true if a device still exists in the kernel. This check is needed because an unplugged disk stays
    /// mounted and its cached folders can still be read.
    private func isPresent(_ device: dev_t) -> Bool {
        let (major, minor) = Self.numbers(of: device)
        // A file system without a block device, such as a network file system, does not have an entry in this folder.
        return major == 0 || access(devices, F_OK) != 0 || access("\(devices)/\(major):\(minor)", F_OK) == 0
    }
}

/// The reason why the storage cannot be read at the moment. The cause is not a single file, so playback waits until the
/// storage returns.
public struct StorageLoss: Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        /// The disk or server with all tracks is lost.
        case gone
        /// The process or the system has reached its limit of open files.
        case tooManyOpenFiles
    }

    public let reason: Reason
    /// The path of the track that cannot be read.
    public let path: String
    private let words: String

    /// Describes the loss of the storage that contains this track.
    public init(path: String) {
        reason = .gone
        self.path = path
        words = "the storage of \(path) is not available"
    }

    init(_ error: DecoderError) {
        reason = .tooManyOpenFiles
        path = error.path
        words = "\(error)"
    }

    /// A clause, such as `the storage of … is not available`.
    public var description: String { words }
}

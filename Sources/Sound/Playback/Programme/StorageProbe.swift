import Glibc

/// Tells storage that is gone from a file that is: by the library's folder or, for a playlist, by the folder that all
/// tracks have in common; never by one file. A track that cannot be read while others can is no reason to wait.
public struct StorageProbe {
    /// What the kernel answers when a disk or a server is not there any more.
    private static let signs = [EIO, ENODEV, ENXIO, ESTALE, ENOTCONN, EREMOTEIO, ETIMEDOUT, EHOSTDOWN]

    /// The components of the folder's path.
    private let folder: [ArraySlice<UInt8>]
    private let isAbsolute: Bool
    /// Where the kernel lists its block devices by number.
    private let devices: String

    /// - Parameters:
    ///   - library: where the tracks come from: a folder, a playlist or an audio file; nil: nobody knows.
    ///   - devices: another folder for tests.
    init(_ tracks: [Track], library: String? = nil, devices: String = "/sys/dev/block") {
        self.devices = devices
        // A playlist or a file may be elsewhere than what it names, or be what is gone.
        if let library, !Playlist.matches(library), !AudioExtension.matches(library) {
            folder = Array(library.utf8).split(separator: UInt8(ascii: "/"))
            isAbsolute = library.hasPrefix("/")
            return
        }
        var common: [ArraySlice<UInt8>]?
        var isAbsolute = true
        // An address in a playlist is on no storage.
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

    /// Whether the disk or server is gone: the folder does not answer, it is empty as a mount point without its disk is,
    /// or the kernel no longer has its device. Blocks on the storage.
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
        /// It does not answer.
        case dead
        /// It cannot be looked at for a reason that says nothing of the storage.
        case unknown

        init(_ code: Int32) {
            self = code == ENOENT || code == ENOTDIR ? .absent : StorageProbe.signs.contains(code) ? .dead : .unknown
        }
    }

    private func look(at components: ArraySlice<ArraySlice<UInt8>>) -> Finding {
        let path = (isAbsolute ? [UInt8(ascii: "/")] : []) + components.joined(separator: [UInt8(ascii: "/")])
        guard let stream = Track(bytes: path).withPath({ opendir($0) }) else { return Finding(errno) }
        defer { closedir(stream) }
        var entries = 0
        errno = 0
        // "." and ".." are always there.
        while entries < 3, readdir(stream) != nil { entries += 1 }
        if entries < 3 { return errno == 0 ? .empty : Finding(errno) }
        var status = stat()
        guard fstat(dirfd(stream), &status) == 0 else { return Finding(errno) }
        return .alive(device: status.st_dev)
    }

    /// As makedev(3) puts them together: 32 bits of each.
    static func numbers(of device: dev_t) -> (major: UInt32, minor: UInt32) {
        let device = UInt64(device)
        return (
            UInt32(truncatingIfNeeded: device >> 8 & 0xfff | device >> 32 & ~0xfff),
            UInt32(truncatingIfNeeded: device & 0xff | device >> 12 & ~0xff)
        )
    }

    /// A disk that was unplugged stays mounted, and what the kernel remembers of its folders can still be read.
    private func isPresent(_ device: dev_t) -> Bool {
        let (major, minor) = Self.numbers(of: device)
        // What is on no block device, such as a server, has no entry there.
        return major == 0 || access(devices, F_OK) != 0 || access("\(devices)/\(major):\(minor)", F_OK) == 0
    }
}

/// Why nothing can be read for the time being: worth waiting for, as it is not one file's fault.
public struct StorageLoss: Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        /// The disk or server with all of the tracks is gone.
        case gone
        /// The process, or the system, has as many files open as it may have.
        case tooManyOpenFiles
    }

    public let reason: Reason
    /// Of the track that cannot be read.
    public let path: String
    private let words: String

    /// The storage with this track is gone.
    public init(path: String) {
        reason = .gone
        self.path = path
        words = "the storage of \(path) is gone"
    }

    init(_ error: DecoderError) {
        reason = .tooManyOpenFiles
        path = error.path
        words = "\(error)"
    }

    /// A clause: `the storage of … is gone`.
    public var description: String { words }
}

import Glibc
import Playback

/// A user's access to a file or folder, according to the owner, group and mode of the path and of every folder above
/// it. Access control lists are ignored.
enum Access: Hashable {
    case granted
    /// - Parameters:
    ///   - path: the folder or file that denies access.
    ///   - verb: what the user cannot do with it: `enter`, `list`, `read`.
    case denied(at: String, verb: String)
    /// The user who runs this program cannot see the path, or it does not exist.
    case unknown(at: String)

    init(of account: Account, to path: String) { self.init(of: account, to: Track(path: path)) }

    init(of account: Account, to file: Track) {
        let path = Access.absolute(file.pathBytes)
        // The targets of symbolic links have to be accessible as well.
        let real = Track(bytes: path).withPath { realpath($0, nil) }.map(Access.takeBytes)
        let way = Access.folders(above: path) + (real == path ? [] : real.map(Access.folders) ?? [])
        for folder in way {
            let access = Access(of: account, at: Track(bytes: folder), isOnTheWay: true)
            guard access == .granted else {
                self = access
                return
            }
        }
        self = Access(of: account, at: Track(bytes: path), isOnTheWay: false)
    }

    private init(of account: Account, at file: Track, isOnTheWay: Bool) {
        var status = stat()
        guard file.withPath({ stat($0, &status) }) == 0 else {
            self = .unknown(at: file.path)
            return
        }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        let needed: mode_t = isOnTheWay ? 1 : isFolder ? 5 : 4
        let shift: mode_t = status.st_uid == account.user ? 6 : account.groups.contains(status.st_gid) ? 3 : 0
        if account.user == 0 || (status.st_mode >> shift) & needed == needed {
            self = .granted
        } else {
            self = .denied(at: file.path, verb: isOnTheWay ? "enter" : isFolder ? "list" : "read")
        }
    }

    /// The folders above a path. For `/srv/music/a.flac`, these are `/`, `/srv` and `/srv/music`.
    private static func folders(above path: [UInt8]) -> [[UInt8]] {
        let slash = UInt8(ascii: "/")
        let ends = path.indices.dropFirst().filter { path[$0] == slash && $0 + 1 < path.count }
        return [[slash]] + ends.map { Array(path[..<$0]) }
    }

    private static func absolute(_ path: [UInt8]) -> [UInt8] {
        guard path.first != UInt8(ascii: "/"), let folder = getcwd(nil, 0) else { return path }
        return takeBytes(folder) + [UInt8(ascii: "/")] + path
    }

    /// Returns the bytes of a C string and frees it.
    private static func takeBytes(_ text: UnsafeMutablePointer<CChar>) -> [UInt8] {
        defer { free(text) }
        return Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }
}

/// A user and its groups, which are the credentials by which the kernel decides who may open a file.
struct Account: Hashable {
    let name: String
    let user: uid_t
    let groups: Set<gid_t>

    /// The user that the service runs as, with the groups that its unit adds, or nil if this machine has no such user.
    static var service: Account? { Account(named: "tacet", and: ["audio", "gpio"]) }

    init(name: String, user: uid_t, groups: Set<gid_t>) {
        self.name = name
        self.user = user
        self.groups = groups
    }

    /// - Parameter more: additional groups, of which those that this machine lacks are ignored.
    init?(named name: String, and more: [String] = []) {
        guard let entry = getpwnam(name) else { return nil }
        let (user, group) = (entry.pointee.pw_uid, entry.pointee.pw_gid)
        var count: CInt = 256
        var groups = [gid_t](repeating: group, count: Int(count))
        // If a user is in more groups than this, only those that fit are used.
        _ = getgrouplist(name, group, &groups, &count)
        let extra = more.compactMap { getgrnam($0)?.pointee.gr_gid }
        self.init(name: name, user: user, groups: Set(groups.prefix(Int(max(0, count))) + [group] + extra))
    }
}

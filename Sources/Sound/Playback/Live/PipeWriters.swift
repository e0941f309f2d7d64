import CAlarm
import Glibc

/// Those who may write to a pipe, beside its owner.
public struct PipeWriters: Sendable {
    /// The number of the group that the pipe is given to, or nil to leave its group.
    public var group: gid_t?
    /// The number of another group, or nil if there is none.
    public var others: gid_t?

    public init(group: gid_t? = nil, others: gid_t? = nil) { (self.group, self.others) = (group, others) }

    /// Permits them to write.
    /// - Parameters:
    ///   - descriptor: the pipe, which belongs to this process.
    ///   - mode: the permissions of the owner and the group.
    /// - Returns: 0 or the `errno` code.
    func permit(_ descriptor: Int32, _ status: stat, mode: mode_t) -> Int32 {
        guard fchmod(descriptor, mode) == 0 else { return errno }
        if let group, status.st_gid != group, fchown(descriptor, uid_t.max, group) != 0 { return errno }
        if let others {
            let list = Self.accessList(mode, others)
            guard fsetxattr(descriptor, "system.posix_acl_access", list, list.count, 0) == 0 else { return errno }
        }
        return 0
    }

    /// Returns an access control list (`man 5 acl`) in the kernel's format, which has a version and sorted entries, in
    /// little-endian order.
    private static func accessList(_ mode: mode_t, _ group: gid_t) -> [UInt8] {
        let members = UInt16(mode >> 3 & 7)
        let entries: [(tag: UInt16, permissions: UInt16, number: UInt32)] = [
            // The owner, the group, another group, the most for all groups, and everybody else.
            (0x01, UInt16(mode >> 6 & 7), .max), (0x04, members, .max), (0x08, members, group), (0x10, members, .max),
            (0x20, UInt16(mode & 7), .max),
        ]
        var list: [UInt8] = []
        func add(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.littleEndian) { list += $0 } }
        add(UInt32(2))
        for entry in entries {
            add(entry.tag)
            add(entry.permissions)
            add(entry.number)
        }
        return list
    }
}

import Glibc

/// A user with groups, as the kernel judges who may open what.
struct Account: Hashable {
    let name: String
    let user: uid_t
    let groups: Set<gid_t>

    /// The user that the service runs as, with the groups that its unit adds; nil if this machine has no such user.
    static var service: Account? { Account(named: "tacet", and: ["audio", "gpio"]) }

    init(name: String, user: uid_t, groups: Set<gid_t>) {
        self.name = name
        self.user = user
        self.groups = groups
    }

    /// - Parameter more: further groups; those that this machine does not have are left out.
    init?(named name: String, and more: [String] = []) {
        guard let entry = getpwnam(name) else { return nil }
        let (user, group) = (entry.pointee.pw_uid, entry.pointee.pw_gid)
        var count: CInt = 256
        var groups = [gid_t](repeating: group, count: Int(count))
        // Somebody in even more groups has those that fit.
        _ = getgrouplist(name, group, &groups, &count)
        let extra = more.compactMap { getgrnam($0)?.pointee.gr_gid }
        self.init(name: name, user: user, groups: Set(groups.prefix(Int(max(0, count))) + [group] + extra))
    }
}

import Glibc
import Systemd

/// The programs that may report, which are those of root, of this process's user and of a helper's user. The policy of the
/// bus applies as well.
struct Reporter {
    /// The name of the helper's user.
    let userName: String
    /// What the helper reports, such as `what other players do`, for the error.
    let subject: String
    /// The number of the helper's user, or nil if it is unknown so far. The user may be created after this
    /// process has started.
    private var user: UInt32?

    /// Reports of what players do, which can make Tacet pause or resume.
    static var players: Reporter { Reporter(userName: "tacet-players", subject: "what players do") }

    /// Reports of what inputs play. Their answers contain the complete URLs.
    static var streams: Reporter { Reporter(userName: "tacet-stream", subject: "what inputs play") }

    private init(userName: String, subject: String) { (self.userName, self.subject) = (userName, subject) }

    /// - Throws: `BusError` if this user may not report.
    mutating func check(_ caller: BusCaller?) throws(BusError) {
        let asking = caller?.user
        if asking == 0 || asking == getuid() { return }
        // The policy of the bus keeps others away, so this is rarely looked up in vain.
        user = user ?? getpwnam(userName)?.pointee.pw_uid
        guard let asking, asking == user else {
            throw BusError(
                "org.freedesktop.DBus.Error.AccessDenied",
                "only root and the user \(userName) may report \(subject)")
        }
    }
}

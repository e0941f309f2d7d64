import AudioSession
import Glibc
import Systemd

/// The programs that may report what players do, because a report can make Tacet pause or resume. The policy of the bus
/// applies as well.
struct PlayerReporter {
    static let userName = "tacet-players"

    /// True if programs of this process's own user may report, which is the case on a user's bus.
    let includesOwnUser: Bool
    /// The number of the user `tacet-players`, or nil if it is unknown so far. The user may be created after this
    /// process has started.
    private var user: UInt32?

    init(on kind: BusKind) { includesOwnUser = kind == .user }

    /// - Throws: `BusError` if this user may not report.
    mutating func check(_ caller: BusCaller?) throws(BusError) {
        let asking = caller?.user
        if asking == 0 || includesOwnUser && asking == getuid() { return }
        // The policy of the bus keeps others away, so this is rarely looked up in vain.
        user = user ?? getpwnam(Self.userName)?.pointee.pw_uid
        guard let asking, asking == user else {
            throw BusError(
                "org.freedesktop.DBus.Error.AccessDenied",
                "only root and the user \(Self.userName) may report what players do")
        }
    }
}

/// The numbers of the orders to players. A report that was sent before an order arrived is recognised by them.
struct PlayerOrderNumbers {
    /// The number before the first order. It differs for each daemon, so that a report to another one is outdated.
    private let first: UInt64
    private var last: [PlayerID: UInt64] = [:]

    init(first: UInt64 = .random(in: 1...UInt64(UInt32.max) << 24)) { self.first = first }

    subscript(player: PlayerID) -> UInt64 { last[player] ?? first }

    /// Counts an order, and returns its number. Only orders whose outcome is reported have one of their own.
    mutating func count(_ command: PlayerCommand, to player: PlayerID) -> UInt64 {
        switch command {
        case .play, .pause: last[player] = self[player] + 1
        case .next, .previous, .seek: break
        }
        return self[player]
    }
}

extension RemoteView {
    /// The name, the address, the last report, the hold and the last order of each player, by which a program can derive
    /// what each of them should do.
    func players(_ lastOrder: (PlayerID) -> UInt64) -> BusValue {
        let (reports, kept) = (scene.session.playerReports, scene.session.keptPlayers)
        return .array(
            of: "{s(sssbt)}",
            scene.configuration.players.map { player in
                let (bus, socket) =
                    switch player.address {
                    case .bus(let name): (name, "")
                    case .mpd(let address): ("", address)
                    }
                let report = reports[player.id] ?? .gone
                return .entry(
                    .string(player.id.rawValue),
                    .structure([
                        .string(bus), .string(socket), .string(report.rawValue), .bool(kept.contains(player.id)),
                        .uint64(lastOrder(player.id)),
                    ]))
            })
    }
}

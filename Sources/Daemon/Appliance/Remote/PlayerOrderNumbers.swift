import AudioSession
import Systemd

/// The numbers of the orders to players. A report that was sent before an order arrived is recognised by them.
struct PlayerOrderNumbers {
    /// The number before the first order. It differs for each daemon, so that a report to another one is outdated.
    private let first: UInt64
    private var last: [PlayerID: UInt64] = [:]

    init(first: UInt64 = .random(in: 1...UInt64(UInt32.max) << 24)) { self.first = first }

    subscript(player: PlayerID) -> UInt64 { last[player] ?? first }

    /// Counts an order, and returns its number. Only orders whose outcome is reported have their own.
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

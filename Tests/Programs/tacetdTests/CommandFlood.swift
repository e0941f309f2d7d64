import CSystemd
import Foundation

@testable import Systemd

/// A client that sends commands as fast as the bus lets it, many at a time.
final class CommandFlood: @unchecked Sendable {
    /// What it sends.
    enum Call { case command, properties }

    private let call: Call
    private let count: Int
    private let reads: Bool
    private let client: BusClient
    private let over = DispatchSemaphore(value: 0)
    private var failure: (any Error)?
    /// How many commands had success; none for a client that does not read.
    private(set) var successes = 0

    /// - Parameter reads: whether it reads its answers, and whatever else the bus sends.
    init(_ bus: MessageBus, _ call: Call = .command, count: Int, reads: Bool) throws {
        self.call = call
        self.count = count
        self.reads = reads
        client = try BusClient(address: bus.address)
        Thread { [self] in
            do { try run() } catch { failure = error }
            over.signal()
        }.start()
    }

    /// Whether it is over within that time. It stays connected.
    func wait(_ time: DispatchTimeInterval) throws -> Bool {
        guard over.wait(timeout: .now() + time) == .success else { return false }
        over.signal()
        if let failure { throw failure }
        return true
    }

    /// The system's bus refuses calls beyond 128 that one connection has not been answered.
    private static let mostOpen = 100

    private func run() throws {
        var sent = 0
        var answers = 0
        while answers < count {
            while sent < count, !reads || sent - answers < Self.mostOpen {
                try send(sent)
                sent += 1
            }
            guard reads else {
                sd_bus_flush(client.bus)
                return
            }
            while let news = try client.next() {
                guard case .answer(_, let result) = news else { continue }
                answers += 1
                if result == .success([.string("success"), .string("")]) { successes += 1 }
            }
            if sent == count || sent - answers >= Self.mostOpen { _ = try client.wait(.seconds(1)) }
        }
    }

    private func send(_ number: Int) throws {
        let (member, interface, arguments): (String, String, [BusValue]) =
            switch call {
            case .command: ("Command", "org.tacet.Session1", [.string("volume -\(number % 60)dB")])
            case .properties: ("GetAll", "org.freedesktop.DBus.Properties", [.string("org.tacet.Session1")])
            }
        _ = try client.start(
            member, of: interface, at: "/org/mpris/MediaPlayer2", on: "org.mpris.MediaPlayer2.tacet", arguments)
    }
}

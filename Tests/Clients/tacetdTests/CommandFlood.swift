import BusLab
import CSystemd
import Foundation

@testable import Systemd

/// A client that sends commands as fast as the bus allows, many at a time.
final class CommandFlood: @unchecked Sendable {
    /// The kind of a call.
    enum Call { case command, properties }

    private let call: Call
    private let count: Int
    private let reads: Bool
    private let client: BusClient
    private let finished = DispatchSemaphore(value: 0)
    private var failure: (any Error)?
    /// The number of commands that succeeded, or 0 for a client that does not read.
    private(set) var successes = 0

    /// - Parameter reads: true if it reads its answers and everything else from the bus.
    init(_ bus: MessageBus, _ call: Call = .command, count: Int, reads: Bool) throws {
        self.call = call
        self.count = count
        self.reads = reads
        client = try BusClient(address: bus.address)
        Thread { [self] in
            do { try run() } catch { failure = error }
            finished.signal()
        }.start()
    }

    /// Returns true if it finishes within this time. It stays connected.
    func wait(_ time: DispatchTimeInterval) throws -> Bool {
        guard finished.wait(timeout: .now() + time) == .success else { return false }
        finished.signal()
        if let failure { throw failure }
        return true
    }

    /// The system bus refuses more than 128 unanswered calls from one connection.
    private static let maximumOpen = 100

    private func run() throws {
        var sent = 0
        var answers = 0
        while answers < count {
            while sent < count, !reads || sent - answers < Self.maximumOpen {
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
            if sent == count || sent - answers >= Self.maximumOpen { _ = try client.wait(.seconds(1)) }
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

extension CommandFlood {
    /// Limits of the bus that are so low that a few unread answers keep it from reading the daemon's messages.
    static let lowLimits = ["max_incoming_bytes": 100_000, "max_replies_per_connection": 250]
}

extension Service {
    /// Waits until programs that do not read their answers have made the daemon connect to the bus again.
    /// - Parameter bus: a bus with `CommandFlood.lowLimits`.
    /// - Returns: the programs that do not read their answers.
    func reconnects(to bus: MessageBus) throws -> [CommandFlood] {
        let first = try bus.supervisor
        let floods = try (0..<4).map { _ in try CommandFlood(bus, .properties, count: 250, reads: false) }
        try wait("new connection") {
            guard let second = try? bus.supervisor else { return false }
            return second.hasPrefix("s ") && second != first
        }
        return floods
    }
}

extension MessageBus {
    /// The daemon's connection as busctl prints it, such as `s ":1.7"`, or the text of an error if there is none.
    var supervisor: String {
        get throws {
            try run([
                "busctl", "--address=\(address)", "call", "org.freedesktop.DBus", "/org/freedesktop/DBus",
                "org.freedesktop.DBus", "GetNameOwner", "s", "org.mpris.MediaPlayer2.tacet",
            ]).text
        }
    }
}

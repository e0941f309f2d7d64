import CSystemd
import Foundation

@testable import Systemd

/// A client that sends commands as fast as it can, and waits for no answer before the next one.
final class CommandFlood: @unchecked Sendable {
    private let count: Int
    private let reads: Bool
    private let client: BusClient
    private let over = DispatchSemaphore(value: 0)
    private var failure: (any Error)?
    /// How many commands had success; none for a client that does not read.
    private(set) var successes = 0

    /// - Parameter reads: whether it reads its answers, and whatever else the bus sends.
    init(_ bus: MessageBus, count: Int, reads: Bool) throws {
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

    private func run() throws {
        for number in 0..<count {
            _ = try client.start(
                "Command", of: "org.tacet.Session1", at: "/org/mpris/MediaPlayer2",
                on: "org.mpris.MediaPlayer2.tacet", [.string("volume -\(number % 60)dB")])
        }
        guard reads else {
            sd_bus_flush(client.bus)
            return
        }
        var answers = 0
        while answers < count {
            while let news = try client.next() {
                guard case .answer(_, let result) = news else { continue }
                answers += 1
                if result == .success([.string("success"), .string("")]) { successes += 1 }
            }
            _ = try client.wait(.seconds(1))
        }
    }
}

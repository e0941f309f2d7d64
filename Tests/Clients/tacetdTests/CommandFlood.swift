import BusLab
import CSystemd
import Foundation

@testable import Systemd

/// A client that sends commands as fast as the bus allows, many at a time.
final class CommandFlood: @unchecked Sendable {
    /// The kind of a call.
    enum Call { case command, properties, tracks }

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
            case .tracks: ("Tracks", "org.tacet.Session1", [.string(""), .uint32(0)])
            case .properties: ("GetAll", "org.freedesktop.DBus.Properties", [.string("org.tacet.Session1")])
            }
        _ = try client.start(
            member, of: interface, at: "/org/mpris/MediaPlayer2", on: "org.mpris.MediaPlayer2.tacet", arguments)
    }
}

extension CommandFlood {
    /// Limits of the bus that are so low that a few unread answers keep it from reading the daemon's messages.
    static let lowLimits = ["max_incoming_bytes": 100_000]
}

extension Service {
    /// Creates a folder with a library of a thousand tracks with long names, so that the answer to `Tracks` is as long as
    /// possible.
    static func makeFolderWithLongNames() throws -> URL {
        let folder = try makeFolder(tracks: 1)
        let music = folder.appendingPathComponent("music").path
        for number in 1..<1000 {
            link("\(music)/0.wav", "\(music)/\(number) \(String(repeating: "x", count: 230)).wav")
        }
        return folder
    }

    /// Waits until a program that does not read its answers has made the daemon connect to the bus again. The library
    /// must have long names.
    /// - Parameter bus: a bus with low limits.
    /// - Returns: the program, and the largest memory of the daemon in KiB.
    func reconnects(to bus: MessageBus) throws -> (program: BusClient, memory: Int) {
        let first = try bus.supervisor
        let program = try BusClient(address: bus.address)
        var memory = 0
        try wait("new connection") {
            _ = try? program.start(
                "Tracks", of: "org.tacet.Session1", at: "/org/mpris/MediaPlayer2", on: "org.mpris.MediaPlayer2.tacet",
                [.string(""), .uint32(0)])
            sd_bus_flush(program.bus)
            memory = max(memory, (try? ProcessUse(pid).memory) ?? 0)
            guard let second = try? bus.supervisor else { return false }
            return second.hasPrefix("s ") && second != first
        }
        return (program, memory)
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

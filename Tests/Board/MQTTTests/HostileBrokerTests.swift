import BrokerLab
import Foundation
import Glibc
import Synchronization
import Testing

@testable import MQTT

/// Broker behaviour that mosquitto never shows.
@Suite struct HostileBrokerTests {
    /// A broker that accepts every client and then treats all of them in the same way.
    private final class Socket: Sendable {
        let port: UInt16
        private let listener: Int32
        private let times = Mutex<[ContinuousClock.Instant]>([])

        /// - Parameters:
        ///   - answer: the answer to CONNECT: success, no properties.
        ///   - serve: a function that is called with each connection once the client has been accepted, and with its
        ///     CONNECT without the fixed header. Afterwards the connection is closed.
        init(_ answer: [UInt8] = [0x20, 3, 0, 0, 0], _ serve: @escaping @Sendable (Int32, [UInt8]) -> Void) throws {
            let (listener, port) = try Broker.boundSocket()
            try #require(listen(listener, 8) == 0)
            self.listener = listener
            self.port = port
            Thread.detachNewThread { [weak self] in
                while true {
                    let connection = accept(listener, nil, nil)
                    guard connection >= 0 else { return }
                    self?.times.withLock { $0.append(.now) }
                    let connect = Socket.packet(connection)?.contents ?? []
                    Socket.send(answer, to: connection)
                    serve(connection, connect)
                    close(connection)
                }
            }
        }

        deinit { shutdown(listener, Int32(SHUT_RDWR)) }

        /// The times at which the connections were made.
        var connections: [ContinuousClock.Instant] { times.withLock { $0 } }

        static func send(_ bytes: [UInt8], to connection: Int32) {
            _ = Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }

        /// Returns the first byte of the next packet and the contents that follow its length, or nil at the end.
        static func packet(_ connection: Int32) -> (kind: UInt8, contents: [UInt8])? {
            func byte() -> UInt8? {
                var byte: UInt8 = 0
                return recv(connection, &byte, 1, 0) == 1 ? byte : nil
            }
            guard let kind = byte() else { return nil }
            var (length, shift) = (0, 0)
            while let next = byte() {
                length |= Int(next & 0x7F) << shift
                shift += 7
                if next < 0x80 { break }
            }
            var contents: [UInt8] = []
            for _ in 0..<length {
                guard let next = byte() else { return nil }
                contents.append(next)
            }
            return (kind, contents)
        }
    }

    private func connect(
        _ port: UInt16, _ change: @escaping @Sendable (inout MQTTSettings) -> Void = { _ in }
    ) -> MQTTConnection {
        MQTTConnection {
            var settings = MQTTSettings()
            (settings.host, settings.port, settings.clientID) = ("127.0.0.1", port, "test")
            change(&settings)
            return settings
        }
    }

    private func losses(_ events: [MQTTEvent]) -> [MQTTLoss] {
        events.compactMap { if case .disconnected(let loss) = $0 { loss } else { nil } }
    }

    /// Returns all events up to one that matches.
    private func events(_ connection: MQTTConnection, until matches: (MQTTEvent) -> Bool) throws -> [MQTTEvent] {
        var events: [MQTTEvent] = []
        let deadline = ContinuousClock.now + .seconds(60)
        while !events.contains(where: matches) {
            try #require(ContinuousClock.now < deadline)
            connection.news.wait(.milliseconds(100))
            events += connection.takeEvents()
        }
        return events
    }

    @Test func ordersDoNotShortenThePauseAfterALoss() throws {
        let broker = try Socket { _, _ in }
        let connection = connect(broker.port)
        var losses = 0
        while losses < 3 {
            _ = try events(connection) { if case .disconnected = $0 { true } else { false } }
            losses += 1
            for _ in 0..<10 { connection.subscribe(to: ["a"]) }
        }
        let times = broker.connections
        #expect(times.count >= 3 && times[1] - times[0] >= .seconds(1) && times[2] - times[1] >= .seconds(2))
    }

    @Test func unsolicitedSubscriptionAnswersAreIgnored() throws {
        let broker = try Socket { connection, _ in
            for _ in 0..<10_000 { Socket.send([0x90, 4, 0, 1, 0, 0x80], to: connection) }
            // This is a message to “a”, without properties.
            Socket.send([0x30, 5, 0, 1, 97, 0, 98], to: connection)
            while Socket.packet(connection) != nil {}
        }
        let connection = connect(broker.port)
        let events = try events(connection) { if case .message = $0 { true } else { false } }
        #expect(!events.contains { if case .subscribed = $0 { true } else { false } })
    }

    @Test func publicationAboveTheBrokersPacketSizeIsReported() throws {
        // This is a CONNACK with the property Maximum Packet Size: 20 bytes.
        let broker = try Socket([0x20, 8, 0, 0, 5, 0x27, 0, 0, 0, 20]) { connection, _ in
            while Socket.packet(connection) != nil {}
        }
        let connection = connect(broker.port)
        _ = try events(connection) { if case .connected = $0 { true } else { false } }
        connection.publish(MQTTPublication("state", "more than twenty bytes"))
        connection.subscribe(to: ["a/topic/of/twenty/bytes"])
        let events = try events(connection) { if case .notSubscribed = $0 { true } else { false } }
        #expect(events.contains { if case .notPublished("state", _) = $0 { true } else { false } }, "\(events)")
    }

    @Test func messageThatIsTooLargeEndsTheConnection() throws {
        let broker = try Socket { connection, _ in
            let size = 5 << 20
            let length = [size & 0x7F | 0x80, size >> 7 & 0x7F | 0x80, size >> 14 & 0x7F | 0x80, size >> 21].map(
                UInt8.init)
            Socket.send([0x30] + length + [0, 1, 97, 0] + [UInt8](repeating: 0, count: size - 4), to: connection)
            while Socket.packet(connection) != nil {}
        }
        let connection = connect(broker.port)
        let events = try events(connection) { if case .disconnected = $0 { true } else { false } }
        #expect(events.last == .disconnected(MQTTLoss("the broker sends a message of \((5 << 20) - 4) bytes")))
        #expect(!events.contains { if case .message = $0 { true } else { false } })
    }

    /// The library would read as many messages as there are publications to repeat, which may be hundreds of megabytes.
    @Test func oneTurnReceivesLittleMoreThanAMegabyte() throws {
        let size = 1 << 16
        // A message to “a”, without properties.
        let head: [UInt8] = [0x30, 0x84, 0x80, 4, 0, 1, 97, 0]
        let packet = head + [UInt8](repeating: 7, count: size)
        let broker = try Socket { connection, _ in
            for _ in 0..<200 { Socket.send(packet, to: connection) }
            while Socket.packet(connection) != nil {}
        }
        var settings = MQTTSettings()
        (settings.host, settings.port, settings.clientID) = ("127.0.0.1", broker.port, "test")
        let client = try MQTTClient(settings)
        for number in 0..<100 { try client.publish(MQTTPublication("a", "\(number)")) }
        try client.connect()
        var (total, most) = (0, 0)
        let deadline = ContinuousClock.now + .seconds(60)
        while total < 200, ContinuousClock.now < deadline {
            var ready = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&ready, 1, 100)
            client.proceed()
            var messages = 0
            while let event = client.next() { if case .message = event { messages += 1 } }
            (total, most) = (total + messages, max(most, messages))
        }
        #expect(total == 200 && most <= 17, "\(total), at most \(most) at once")
    }

    /// Otherwise, one answer to a topic that the broker forbids would keep the board offline for ever.
    @Test func messageThatEndsEveryConnectionIsDropped() throws {
        // This is a PUBLISH with quality of service 1.
        let broker = try Socket { connection, _ in
            while let packet = Socket.packet(connection), packet.kind & 0xF0 != 0x30 {}
        }
        let connection = connect(broker.port)
        connection.publish(MQTTPublication("kept", "1", isRetained: true))
        connection.publish(MQTTPublication("poison", "2"))
        let events = try events(connection) { if case .failed = $0 { true } else { false } }
        let losses = events.count { if case .disconnected = $0 { true } else { false } }
        #expect(losses == 3)
        // A retained message is repeated.
        let next = try self.events(connection) { if case .connected = $0 { true } else { false } }
        #expect(next.contains(.connected(unacknowledged: 1)))
    }

    /// The topic has a control character, which a broker may have retained but libmosquitto does not accept.
    @Test func malformedTopicEndsOnlyOneConnection() throws {
        // A session continues unless the client starts cleanly (the second bit of CONNECT's flags).
        let broker = try Socket { connection, connect in
            let topic: UInt8 = connect[7] & 2 == 0 ? 1 : 97
            Socket.send([0x30, 5, 0, 1, topic, 0, 98], to: connection)
            while Socket.packet(connection) != nil {}
        }
        let connection = connect(broker.port) { $0.sessionExpiry = 3600 }
        let events = try events(connection) { if case .message = $0 { true } else { false } }
        #expect(losses(events).map(\.cause) == [.malformed], "\(events)")
    }

    /// There are more messages of quality 2 than may be in flight. libmosquitto keeps them and would not accept another
    /// message.
    @Test func unfinishedMessagesEndOnlyOneConnection() throws {
        let count = Mutex(0)
        let broker = try Socket { connection, _ in
            let isFirst = count.withLock {
                $0 += 1
                return $0 == 1
            }
            if isFirst {
                for number in UInt8(1)...9 { Socket.send([0x34, 7, 0, 1, 97, 0, number, 0, 98], to: connection) }
            } else {
                Socket.send([0x32, 7, 0, 1, 99, 0, 77, 0, 98], to: connection)
            }
            while Socket.packet(connection) != nil {}
        }
        let connection = connect(broker.port) { $0.sessionExpiry = 3600 }
        let events = try events(connection) { if case .message = $0 { true } else { false } }
        #expect(losses(events).map(\.cause) == [.malformed], "\(events)")
    }

    /// With MQTT 3.1.1, the client cannot limit the number of such messages that the library keeps until the broker
    /// releases them.
    @Test(arguments: [MQTTSettings.ProtocolVersion.v311, .v5])
    func messageOfQualityTwoEndsTheConnection(_ version: MQTTSettings.ProtocolVersion) throws {
        let isOld = version == .v311
        // A message to “a”, number 7.
        let message: [UInt8] = isOld ? [0x34, 6, 0, 1, 97, 0, 7, 98] : [0x34, 7, 0, 1, 97, 0, 7, 0, 98]
        let broker = try Socket(isOld ? [0x20, 2, 0, 0] : [0x20, 3, 0, 0, 0]) { connection, _ in
            Socket.send(message, to: connection)
            while Socket.packet(connection) != nil {}
        }
        let connection = connect(broker.port) { $0.version = version }
        let events = try events(connection) { if case .disconnected = $0 { true } else { false } }
        let reason = "the broker sends a message with quality of service 2, although this client subscribes with 1"
        #expect(losses(events) == [MQTTLoss(reason, .malformed)])
    }

    @Test func secondAnswerToOneConnectionEndsIt() throws {
        let broker = try Socket { connection, _ in
            for _ in 0..<1000 { Socket.send([0x20, 3, 0, 0, 0], to: connection) }
            while Socket.packet(connection) != nil {}
        }
        let connection = connect(broker.port)
        let events = try events(connection) { if case .disconnected = $0 { true } else { false } }
        #expect(events.count { if case .connected = $0 { true } else { false } } == 1)
        #expect(losses(events) == [MQTTLoss("the broker answers one connection twice")])
    }

    /// CONNACK with the property Server Keep Alive.
    @Test(arguments: [UInt8.min, .max]) func silentBrokerIsNoticedWhateverKeepAliveItWants(_ byte: UInt8) throws {
        let broker = try Socket([0x20, 6, 0, 0, 3, 0x13, byte, byte]) { connection, _ in
            while Socket.packet(connection) != nil {}
        }
        let connection = connect(broker.port) { $0.keepAlive = 5 }
        let events = try events(connection) { if case .disconnected = $0 { true } else { false } }
        #expect(losses(events) == [MQTTLoss("the broker does not answer")])
    }

    /// A client that may use the board's identifier must not delay an alarm by a minute or longer, or make the broker
    /// drop the board's messages.
    @Test func clientThatIsReplacedAgainAndAgainReturnsSoonWithItsMessages() throws {
        // DISCONNECT: Session taken over.
        let broker = try Socket { connection, _ in
            Socket.send([0xE0, 2, 0x8E, 0], to: connection)
            while Socket.packet(connection) != nil {}
        }
        let connection = connect(broker.port)
        connection.publish(MQTTPublication("answer", "1"))
        // With pauses that double, the seventh connection would come after a minute.
        var events: [MQTTEvent] = []
        let deadline = ContinuousClock.now + .seconds(60)
        while losses(events).count < 7, ContinuousClock.now < deadline {
            connection.news.wait(.milliseconds(100))
            events += connection.takeEvents()
        }
        #expect(losses(events).map(\.cause) == Array(repeating: .rival, count: 7))
        #expect(!events.contains { if case .failed = $0 { true } else { false } })
    }
}

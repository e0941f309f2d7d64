import CSystemd
import Glibc
import Testing

@testable import Systemd

/// The values that are read from a message, and the limits.
@Suite struct BusReaderTests {
    /// Reads a message as it arrives, which means that it is written, sealed and read from its beginning.
    private func read(_ values: [BusValue], upTo limit: BusReader.Limit) throws -> [BusValue] {
        var bus: OpaquePointer?
        try check(sd_bus_new(&bus), "make a connection")
        defer { sd_bus_unref(bus) }
        // A message requires a connection that has begun.
        var pair: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        defer { close(pair[1]) }
        try check(sd_bus_set_fd(bus, pair[0], pair[0]), "make a connection")
        try check(sd_bus_start(bus), "make a connection")
        var message: OpaquePointer?
        try check(sd_bus_message_new_signal(bus, &message, "/a", "org.example.Lamp", "Lit"), "make a message")
        defer { sd_bus_message_unref(message) }
        let made = try #require(message)
        try BusMessage(message: made).append(values)
        try check(sd_bus_message_seal(made, 1, 0), "seal a message")
        try check(sd_bus_message_rewind(made, 1), "rewind a message")
        return try BusReader.read(made, upTo: limit).values
    }

    @Test func valuesOfEveryTypeAreReadAsTheyWereWritten() throws {
        let values: [BusValue] = [
            .byte(1), .bool(true), .int16(-2), .uint16(3), .int32(-4), .uint32(5), .int64(-6), .uint64(7), .double(0.5),
            .string("text"), .objectPath("/a/b"), .signature("a{sv}"), .strings(["one", "two"]), .bytes([0, 255, 7]),
            .bytes([]), .structure([.byte(1), .string("x")]), .dictionary(["key": .bytes([1])]),
            .variant(.array(of: "ay", [.bytes([1]), .bytes([])])),
        ]
        #expect(try read(values, upTo: .signal) == values)
    }

    /// A single file name must not break the connection.
    @Test(arguments: [0, 0xFFFE, 0x10FFFF, 0xFDD0, 0xFDEF] as [UInt32])
    func charactersThatTheBusRefusesAreReplaced(value: UInt32) throws {
        func values(_ scalar: Unicode.Scalar) -> [BusValue] {
            [.string("a\(scalar)b"), .dictionary(["\(scalar)": .variant(.strings(["\(scalar)"]))])]
        }
        #expect(try read(values(try #require(Unicode.Scalar(value))), upTo: .signal) == values("\u{FFFD}"))
    }

    /// Bytes are not boxed, so an array of bytes takes only its own size and not 50 times as much.
    @Test func arrayOfBytesIsReadAsBytesUpToTheLimit() throws {
        let bytes = [UInt8](repeating: 7, count: BusReader.Limit.signal.rawValue - 16)
        #expect(try read([.bytes(bytes)], upTo: .signal) == [.bytes(bytes)])
        #expect(try read([.array(of: "y", [.byte(1), .byte(2)])], upTo: .signal) == [.bytes([1, 2])])
        let tooLarge = SystemdError("read a message", code: EMSGSIZE)
        #expect(throws: tooLarge) { try read([.bytes(bytes + [7])], upTo: .signal) }
    }

    @Test func textsAndManyValuesBeyondTheLimitAreNotRead() throws {
        let limit = BusReader.Limit.call
        let text = String(repeating: "x", count: limit.rawValue - 16)
        #expect(try read([.string(text)], upTo: limit) == [.string(text)])
        let tooLarge = SystemdError("read a message", code: EMSGSIZE)
        let many = limit.rawValue / 16
        for values in [
            [.string(text + "x")], [.objectPath("/" + text)], [.variant(.string(text))],
            [.strings(Array(repeating: "", count: many))],
            [.array(of: "b", Array(repeating: .bool(true), count: many))],
            [.array(of: "v", Array(repeating: .variant(.byte(1)), count: many / 2))],
        ] as [[BusValue]] {
            #expect(throws: tooLarge) { try read(values, upTo: limit) }
        }
    }

    @Test func queueCountsTheBytesThatTheBusHasNotAccepted() {
        var queue = BusQueue()
        queue.add(100, queued: 0)
        #expect(queue.bytes == 0)
        queue.add(100, queued: 1)
        queue.add(1000, queued: 2)
        #expect(queue.bytes == 1100)
        queue.settle(queued: 1)
        #expect(queue.bytes == 1000)
        queue.settle(queued: 5)
        #expect(queue.bytes == 1000)
        queue.settle(queued: 0)
        #expect(queue.bytes == 0)
    }

    /// The oldest call is executed without the identity of its caller.
    @Test func waitingCallsAreBoundedInBytes() throws {
        var bus: OpaquePointer?
        try check(sd_bus_new(&bus), "make a connection")
        defer { sd_bus_unref(bus) }
        let callers = BusCallers(try #require(bus))
        callers.isHeld = true
        var carriedOut: [Int] = []
        for number in 0..<40 { callers.take(from: nil, size: 64 << 10) { _ in carriedOut.append(number) } }
        #expect(carriedOut == Array(0..<24))
        callers.isHeld = false
        #expect(carriedOut == Array(0..<40))
    }
}

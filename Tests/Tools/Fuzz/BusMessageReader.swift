// Fuzzes the code that reads messages from a bus with libFuzzer. `make fuzz` compiles this together with `BusReader`.
// Each message comes over a real socket, so libsystemd handles it first, as on a board.

import CSystemd
import Glibc

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    guard let kind = bytes.first else { return 0 }
    // Most inputs get a valid head, because libsystemd does not read a body without one.
    let message = kind & 3 == 0 ? Array(bytes.dropFirst()) : framed(Array(bytes.dropFirst()), isCall: kind & 4 != 0)
    guard let message else { return 0 }
    let connection = Peer.current
    if !connection.receive(message, upTo: kind & 8 != 0 ? .signal : .call) { Peer.current = Peer() }
    return 0
}

/// Puts a head in front of a body. The input's first byte is the length of the body's signature, which follows.
private func framed(_ input: [UInt8], isCall: Bool) -> [UInt8]? {
    guard let length = input.first, input.count > Int(length) else { return nil }
    let signature = Array(input.dropFirst().prefix(Int(length)))
    let body = Array(input.dropFirst(1 + Int(length)))
    var fields: [UInt8] = []
    func add(_ code: UInt8, _ type: String, _ value: [UInt8]) {
        while fields.count % 8 != 0 { fields.append(0) }
        fields += [code, 1] + Array(type.utf8) + [0]
        if type == "g" { fields.append(UInt8(value.count)) } else { fields += number(UInt32(value.count)) }
        fields += value + [0]
    }
    add(1, "o", Array("/org/tacet".utf8))
    add(2, "s", Array("org.tacet.Fuzz1".utf8))
    add(3, "s", Array("Member".utf8))
    add(8, "g", signature)
    var message = Array("l".utf8) + [isCall ? 1 : 4, 0, 1] + number(UInt32(body.count)) + number(1)
    message += number(UInt32(fields.count)) + fields
    while message.count % 8 != 0 { message.append(0) }
    return message + body
}

private func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

/// A connection without a bus, whose other end is a plain socket of the test.
private final class Peer {
    nonisolated(unsafe) static var current = Peer()

    private var bus: OpaquePointer?
    private var socket: CInt = -1

    init() {
        var ends: [CInt] = [-1, -1]
        precondition(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
        socket = ends[0]
        precondition(sd_bus_new(&bus) >= 0 && sd_bus_set_fd(bus, ends[1], ends[1]) >= 0)
        precondition(sd_bus_set_server(bus, 1, sd_id128_t()) >= 0 && sd_bus_set_anonymous(bus, 1) >= 0)
        precondition(sd_bus_set_trusted(bus, 1) >= 0 && sd_bus_start(bus) >= 0)
        let user = String(getuid()).utf8.map { "3" + String($0 - 48) }.joined()
        write(Array("\0AUTH EXTERNAL \(user)\r\nBEGIN\r\n".utf8))
        while sd_bus_is_ready(bus) == 0 { precondition(sd_bus_process(bus, nil) >= 0) }
    }

    deinit {
        sd_bus_close_unref(bus)
        close(socket)
    }

    private func write(_ bytes: [UInt8]) {
        precondition(bytes.isEmpty || send(socket, bytes, bytes.count, 0) == bytes.count)
    }

    /// - Returns: False if libsystemd has ended the connection or still waits for the rest of the message.
    func receive(_ bytes: [UInt8], upTo limit: BusReader.Limit) -> Bool {
        write(bytes)
        var isDone = false
        while true {
            var message: OpaquePointer?
            let code = sd_bus_process(bus, &message)
            defer { sd_bus_message_unref(message) }
            guard code >= 0 else { return false }
            guard code > 0 else { break }
            if let message {
                isDone = true
                check(message, limit)
            }
        }
        // libsystemd answers calls to unknown objects.
        var answer = [UInt8](repeating: 0, count: 65_536)
        while recv(socket, &answer, answer.count, 0) > 0 {}
        return isDone
    }

    private func check(_ message: OpaquePointer, _ limit: BusReader.Limit) {
        _ = BusReader.name(sd_bus_message_get_path(message))
        guard let (values, cost) = try? BusReader.read(message, upTo: limit) else { return }
        precondition((0...limit.rawValue).contains(cost))
        // The values that were read can be sent, and are then read as the same values.
        var copy: OpaquePointer?
        precondition(sd_bus_message_new_signal(bus, &copy, "/a", "a.b", "c") >= 0)
        defer { sd_bus_message_unref(copy) }
        guard let copy, (try? BusMessage(message: copy).append(values)) != nil else { return }
        precondition(sd_bus_message_seal(copy, 1, 0) >= 0 && sd_bus_message_rewind(copy, 1) >= 0)
        let again = try? BusReader.read(copy, upTo: limit)
        // The texts are compared because NaN is not equal to itself.
        precondition(again.map { "\($0.values)" == "\(values)" } ?? false)
    }
}

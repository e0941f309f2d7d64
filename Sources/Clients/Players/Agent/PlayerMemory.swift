import Files

/// The text of the file in which the records survive the process. A damaged text is recognised as such.
public enum PlayerMemory {
    private static let heading = "tacet-players 1"
    /// The longest text that is read, in bytes.
    public static let longestText = 1 << 16
    private static let mostRecords = 256
    private static let longestName = 255

    public struct Damage: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String
    }

    /// Returns the text of these records, of which it omits those that exceed the limits.
    public static func text(of records: [PlayerRecord]) -> [UInt8] {
        let lines = records.filter(isWithinLimits).prefix(mostRecords).map(line)
        let body = ([heading] + lines).map { $0 + "\n" }.joined()
        return Array((body + "sum \(Checksum.text(of: body.utf8))\n").utf8)
    }

    /// Reads the records.
    ///
    /// - Throws: the reason why the text cannot be used.
    public static func records(in bytes: [UInt8]) throws(Damage) -> [PlayerRecord] {
        guard bytes.count <= longestText else { throw Damage(description: "it has more than \(longestText) bytes") }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // The text ends with a line feed, after which the last piece is empty.
        guard lines.count >= 3, lines.last?.isEmpty == true, lines.count <= mostRecords + 3 else {
            throw Damage(description: "it is incomplete")
        }
        let sum = lines[lines.count - 2]
        let body = bytes[..<sum.startIndex]
        guard String(decoding: sum, as: UTF8.self) == "sum \(Checksum.text(of: body))" else {
            throw Damage(description: "its checksum is wrong")
        }
        guard String(decoding: lines[0], as: UTF8.self) == heading else {
            throw Damage(description: "it is from another version of Tacet")
        }
        var records: [PlayerRecord] = []
        for line in lines[1..<lines.count - 2] {
            guard let record = record(in: String(decoding: line, as: UTF8.self)) else {
                throw Damage(description: "one of its lines is not a record")
            }
            records.append(record)
        }
        return records
    }

    private static func isWithinLimits(_ record: PlayerRecord) -> Bool {
        var texts = [record.player]
        if case .process(let connection, _, let started) = record.identity { texts += [connection, started] }
        return texts.allSatisfy { $0.utf8.count <= longestName } && record.track.utf8.count <= Sighting.longestTrack
    }

    private static func line(_ record: PlayerRecord) -> String {
        let identity =
            switch record.identity {
            case .process(let connection, let number, let started):
                ["process", hex(connection), "\(number)", hex(started)]
            case .remote(let startedAt): ["remote", "\(startedAt)"]
            }
        return ([hex(record.player), record.stage.rawValue, hex(record.track), "\(record.order)"] + identity).joined(
            separator: " ")
    }

    private static func record(in line: String) -> PlayerRecord? {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count >= 6, let player = text(words[0]), !player.isEmpty,
            let stage = PlayerRecord.Stage(rawValue: words[1]), let track = text(words[2]),
            let order = UInt64(words[3])
        else { return nil }
        let identity: PlayerIdentity
        switch (words[4], words.count) {
        case ("process", 8):
            guard let connection = text(words[5]), let number = Int32(words[6]), number > 0,
                let started = text(words[7])
            else { return nil }
            identity = .process(connection: connection, number: number, started: started)
        case ("remote", 6):
            guard let startedAt = Int64(words[5]) else { return nil }
            identity = .remote(startedAt: startedAt)
        default: return nil
        }
        let record = PlayerRecord(player: player, identity: identity, stage: stage, track: track, order: order)
        return isWithinLimits(record) ? record : nil
    }

    /// Returns a text in hexadecimal after an x, because names can contain any character or be empty.
    private static func hex(_ text: String) -> String {
        "x" + text.utf8.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
    }

    private static func text(_ hex: String) -> String? {
        let digits = Array(hex.utf8)
        guard digits.first == UInt8(ascii: "x"), digits.count % 2 == 1, digits.count <= 2 * longestName + 1 else {
            return nil
        }
        var bytes: [UInt8] = []
        for index in stride(from: 1, to: digits.count, by: 2) {
            guard let high = value(of: digits[index]), let low = value(of: digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

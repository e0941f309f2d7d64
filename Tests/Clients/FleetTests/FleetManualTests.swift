import Foundation
import MQTT
import Testing

@testable import Fleet

/// The figures in tacet-mqtt(8) are those of the source.
@Suite struct FleetManualTests {
    private static let retry = Int(ReconnectBackoff.longest / .seconds(1))

    /// Returns a file in words that are separated by single spaces, without the escapes of troff.
    ///
    /// - Parameter path: the path of the file, relative to the folder `deploy`.
    private func text(_ path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("deploy/\(path)"), encoding: .utf8)
            .replacingOccurrences(of: "\\-", with: "-").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test func manualPageStatesTheLimitsOfTheSource() throws {
        let page = try text("man/tacet-mqtt.8")
        let sentences = [
            "at least once every \(Self.retry) s", "after pauses of 0.5 to 1.5 s",
            "at most \(FleetAgent.longestCorrelation) bytes serves as an id",
            "It may have at most \(CarriedAudio.longest >> 20) MiB",
            "at most \(WriteBudget.mostBytes >> 20) MiB and \(WriteBudget.mostFiles) files per hour",
            "The name has at most \(FleetTopics.longestSignal) bytes. At most \(FleetSignals.most) signals",
            "lost at most \(Int(FleetSignals.lease / .seconds(1))) s after tacet-mqtt has noticed it",
            "payloads of more than \(FleetAgent.longestPayload >> 10) KiB (\(FleetAgent.longestAnnouncement >> 20) MiB",
            "nested more than \(JSONBounds.deepest) levels deep or has more than \(JSONBounds.mostValues) values",
            "at most \(FloodLimit.mostPerHour) commands and \(FloodLimit.mostPerHour) announcements per hour",
            "At most \(FleetAgent.mostAnnouncements) announcements from the broker may be open at a time, or "
                + "\(FleetAgent.mostWithAudioParts) with",
            "remembers the last \(IDMemory.capacity) ids", "lists at most \(RuterAudioMessage.mostParts) files",
        ]
        for sentence in sentences { #expect(page.contains(sentence), "\(sentence)") }
    }

    @Test func catalogStatesHowOftenTheBoardTriesToConnect() throws {
        #expect(try text("tacet-mqtt.catalog").contains("pauses of at most \(Self.retry) seconds"))
    }
}

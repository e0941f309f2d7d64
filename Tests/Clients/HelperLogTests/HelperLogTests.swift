import Systemd
import Testing

@testable import HelperLog

/// The entries that the programs beside the daemon write to the journal.
@Suite struct HelperLogTests {
    private func lines(_ fields: HelperLog.Fields) -> [String] { fields.map { "\($0.name)=\($0.value)" } }

    private let entry = HelperLog.fields(
        of: "tacet-test", "tested", id: "0123", .notice, "Played by ‘a\nb\u{1B}[2J’.", [("TACET_COUNT", "1")])

    @Test func delayedEntryStatesItsDelay() {
        #expect(lines(HelperLog.delayed(entry, by: .milliseconds(999))) == lines(entry))
        #expect(
            lines(HelperLog.delayed(entry, by: .milliseconds(1500))) == lines(entry) + ["TACET_DELAY_USEC=1500000"])
    }

    @Test func repeatedEntriesAboutTheSamePlayerAreLimitedAndOthersAreNot() {
        let log = HelperLog(thread: "test-log") { _ in [] }
        let limiter = RepetitionLimiter(burst: 3)
        func written(_ player: String) -> [String] {
            let fields = HelperLog.fields(
                of: "tacet-test", "tested", id: "0", .notice, "It fails.", [("TACET_PLAYER", player)])
            return log.limit(fields, to: limiter, at: .seconds(1)).map { [$0.first?.value ?? ""] } ?? []
        }
        let entries = (1...1000).flatMap { _ in written("mpd") }
        #expect(
            entries == ["It fails.", "It fails.", "It fails. (Further repeats are logged at most once an hour.)"])
        #expect(written("vlc") == ["It fails."])
    }

    @Test func messageOfAStrangerIsOneVisibleLine() {
        #expect(
            lines(entry).dropFirst() == [
                "MESSAGE_ID=0123", "PRIORITY=5", "TACET_EVENT=tested", "SYSLOG_IDENTIFIER=tacet-test", "TACET_COUNT=1",
            ])
        #expect(entry.first?.name == "MESSAGE")
        #expect(entry.first?.value.unicodeScalars.allSatisfy { $0.value >= 0x20 } == true)
    }
}

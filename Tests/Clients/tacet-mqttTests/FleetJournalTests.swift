import HelperLog
import Testing

@testable import tacet_mqtt

/// The entries that tacet-mqtt writes to the journal.
@Suite struct FleetJournalTests {
    private func lines(_ fields: HelperLog.Fields) -> [String] { fields.map { "\($0.name)=\($0.value)" } }

    @Test func entryOfLostEntriesCountsThem() {
        let many = lines(FleetJournal.fields(.entriesLost(7)))
        #expect(many.contains("TACET_EVENT=fleet-entries-lost") && many.contains("TACET_COUNT=7"))
        #expect(many.first?.hasSuffix("7 of them are lost.") == true)
        #expect(lines(FleetJournal.fields(.entriesLost(1))).first?.hasSuffix("1 of them is lost.") == true)
    }
}

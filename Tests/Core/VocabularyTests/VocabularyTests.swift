import Testing

@testable import Vocabulary

/// The names that other programs receive.
@Suite struct VocabularyTests {
    @Test func eachEventHasItsOwnIdentifier() {
        let identifiers = JournalEvent.allCases.map(\.messageID) + FleetJournalEvent.allCases.map(\.messageID)
        #expect(Set(identifiers).count == identifiers.count)
        for identifier in identifiers {
            #expect(
                identifier.count == 32 && identifier.allSatisfy { "0123456789abcdef".contains($0) }, "\(identifier)")
        }
    }

    /// People filter by these words, and fleets collect them. Renaming a case must therefore not rename its event.
    @Test func wordsOfEventsNeverChange() {
        let words = JournalEvent.allCases.map(\.rawValue) + FleetJournalEvent.allCases.map(\.rawValue)
        #expect(Set(words) == Set(VocabularyTests.words.split(separator: " ").map(String.init)))
    }

    private static let words = """
        started start-refused stopping reloaded reload-refused configuration-rejected configuration-not-kept \
        interruption-began interruption-ended interruption-heard duck-began duck-changed duck-ended sound-began \
        sound-heard sound-ended sound-cut sound-expired sound-broken signal signal-suppressed output remark \
        microphone command programme-ended idle track-skipped media-services-lost media-services-reset \
        configuration-changed route-changed source-changed underrun not-real-time fault fault-cleared lines-polled edge-lost output-not-released recording-began \
        recording-ended recording-file recording-overrun recording-storage-lost recording-storage-back capture-lost \
        capture-back library-empty library-found folders-unreadable files-unplayable storage-lost storage-back \
        storage-slow storage-recovered state-unreadable place-lost state-unwritable state-written-again bus-lost asleep awake \
        sleep-undelayed hung entries-lost broker-connected broker-lost broker-refused fleet-storage-failed fleet-request \
        fleet-request-rejected fleet-flood broker-unstable fleet-entries-lost
        """

    @Test func programsDoNotShareEvents() {
        let names = Set(JournalEvent.allCases.map(\.rawValue))
        #expect(names.isDisjoint(with: FleetJournalEvent.allCases.map(\.rawValue)))
    }

    /// systemd accepts upper case, digits and underscores, and at most 64 characters.
    @Test(arguments: JournalField.allCases) func fieldIsOneThatTheJournalAccepts(field: JournalField) {
        #expect(field.name.count <= 64 && field.name.allSatisfy { ("A"..."Z").contains($0) || $0 == "_" })
    }

    @Test func explanationsAreSentences() {
        let rows = JournalEvent.allCases.map(\.row) + FleetJournalEvent.allCases.map(\.row)
        let texts = rows.map(\.meaning) + rows.compactMap(\.remedy) + JournalField.allCases.compactMap(\.summary)
        for text in texts { #expect(text.hasSuffix(".") && !text.contains("\n"), "\(text)") }
        let members =
            SessionMethod.allCases.map(\.summary) + SessionProperty.allCases.map(\.summary)
            + SessionSignal.allCases.compactMap(\.summary)
        for text in members { #expect(text.hasSuffix("."), "\(text)") }
        #expect(JournalField.allCases.last?.summary != nil && SessionSignal.allCases.last?.summary != nil)
    }
}

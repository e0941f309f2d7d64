import Testing

@testable import Vocabulary

/// The names that leave the process.
@Suite struct VocabularyTests {
    @Test func eachEventHasItsOwnIdentifier() {
        let identifiers = JournalEvent.allCases.map(\.messageID) + FleetJournalEvent.allCases.map(\.messageID)
        #expect(Set(identifiers).count == identifiers.count)
        for identifier in identifiers {
            #expect(
                identifier.count == 32 && identifier.allSatisfy { "0123456789abcdef".contains($0) }, "\(identifier)")
        }
    }

    @Test func programsDoNotShareEvents() {
        let names = Set(JournalEvent.allCases.map(\.rawValue))
        #expect(names.isDisjoint(with: FleetJournalEvent.allCases.map(\.rawValue)))
    }

    /// systemd accepts upper case, digits and underscores, and at most 64 characters.
    @Test(arguments: JournalField.allCases) func fieldIsOneThatTheJournalAccepts(field: JournalField) {
        #expect(field.name.count <= 64 && field.name.allSatisfy { ("A"..."Z").contains($0) || $0 == "_" })
    }

    @Test func explanationsAreSentences() {
        let texts = JournalEvent.allCases.map(\.row.summary) + JournalField.allCases.compactMap(\.summary)
        for text in texts { #expect(text.hasSuffix(".") && !text.contains("\n"), "\(text)") }
        #expect(JournalField.allCases.last?.summary != nil && SessionSignal.allCases.last?.summary != nil)
    }
}

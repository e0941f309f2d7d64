import Testing
import Vocabulary

@testable import Configuration
@testable import random_scenarios

/// `Tests/Tools/unchanged` compares two versions of Tacet on these scenarios, so they have to use everything.
@Suite struct RandomCoverageTests {
    private static let scenarios = (0..<300).map { RandomScenario(seed: $0).extended(seed: $0) }

    /// Keys that affect only a board, and `Enabled`, because a scenario may not name what is disabled.
    private static let unused: Set = [
        "Bias", "Call", "Card", "Channels", "Chip", "CloseAfter", "Code", "Device", "Directory", "Drive", "Enabled",
        "FallbackDevices", "Format", "Grab", "Input", "Jack", "Keep", "Latency", "Lease", "MPD", "Offset", "Poll",
        "Segment", "Source", "Threshold",
    ]

    @Test func scenariosHaveEveryEventAndCommand() {
        let events = Self.scenarios.flatMap { $0.scenario.split(separator: "\n") }.map { $0.split(separator: " ") }
        let words = Set(events.map { String($0[1]) })
        #expect(words == Set(ScenarioWord.allCases.map(\.rawValue)))
        let commands = Set(events.filter { $0[1] == "command" }.map { String($0[2]) })
        #expect(commands.isSuperset(of: WrittenCommand.words))
    }

    @Test func configurationsHaveEveryKeyThatAffectsARehearsal() {
        var found: [Substring: Set<String>] = [:]
        for (configuration, _) in Self.scenarios {
            var section: Substring = ""
            for line in configuration.split(separator: "\n") {
                if line.hasPrefix("[") {
                    section = line.dropFirst().prefix { $0 != " " && $0 != "]" }
                } else if let key = line.split(separator: "=").first {
                    found[section, default: []].insert(String(key))
                }
            }
        }
        var all: Set<String> = []
        for kind in SectionKind.allCases {
            let keys = Set(KeyTable.names(of: kind))
            all.formUnion(keys)
            let missing = keys.subtracting(found[kind.rawValue[...]] ?? []).subtracting(Self.unused)
            #expect(missing.isEmpty, "[\(kind.rawValue)]")
        }
        #expect(Self.unused.isSubset(of: all))
    }
}

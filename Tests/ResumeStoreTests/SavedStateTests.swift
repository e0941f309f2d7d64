import Glibc
import Testing

@testable import ResumeStore

@Suite struct SavedStateTests {
    static let state = SavedState(
        savedAt: .seconds(1_700_000_000), intent: "playing", track: "/srv/music/a \\ b\nc.flac",
        position: .nanoseconds(12_345_678_901), volume: -10.5, shuffleSeed: .max,
        held: [
            SavedState.Held(signal: "phone-call", standing: "inForce", age: .milliseconds(1500), isStuck: false),
            SavedState.Held(signal: "alarm", standing: "dropped", age: .seconds(90), isStuck: true),
        ],
        episode: SavedState.Episode(reason: "default", lastWord: "pause", recommendsResuming: false))

    @Test func textAndBack() throws {
        #expect(try SavedState(text: Self.state.text) == Self.state)
        var plain = Self.state
        plain.track = nil
        plain.held = []
        plain.episode = nil
        #expect(try SavedState(text: plain.text) == plain)
    }

    @Test func noPrefixOfItIsTakenForWhole() {
        let text = Self.state.text
        for length in 0..<text.count {
            #expect(throws: StateError.self) { try SavedState(text: String(text.prefix(length))) }
        }
    }

    @Test func noFlippedBitGoesUnnoticed() {
        let bytes = Array(Self.state.text.utf8)
        for index in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[index] ^= 1 << bit
                guard let text = String(validating: damaged, as: UTF8.self) else { continue }
                #expect(throws: StateError.self) { try SavedState(text: text) }
            }
        }
    }

    @Test func anotherVersion() {
        let body = "tacet-state 99\n"
        #expect(throws: StateError.unknownVersion("99")) {
            try SavedState(text: body + "checksum \(Checksum.fnv1a(body.utf8))\n")
        }
    }

    @Test func agesBeyondReason() throws {
        var absurd = Self.state
        absurd.held[0].age = .seconds(1_000_000_000_000)
        absurd.savedAt = .seconds(Int64.max)
        let read = try SavedState(text: absurd.text)
        #expect(read.held[0].age == SavedState.longest)
    }
}

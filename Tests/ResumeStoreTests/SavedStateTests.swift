import Glibc
import ResumeStore
import Testing

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
        #expect(throws: StateError.self) { try SavedState(text: "tacet-state 99\nchecksum 0\n") }
    }
}

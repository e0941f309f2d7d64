import Files
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
        episode: SavedState.Episode(reason: "default", lastCommand: "pause", recommendsResuming: false),
        run: SavedState.Run(boot: "0123456789abcdef0123456789abcdef", time: .nanoseconds(987_654_321), isStopping: true)
    )

    /// Returns a file of version 1.
    static func firstVersion(_ state: SavedState) -> [UInt8] {
        let body = Array("tacet-state 1\n".utf8) + state.facts
        return body + Array("checksum \(Checksum.text(of: body))\n".utf8)
    }

    private func roundTrip(_ state: SavedState) throws -> SavedState { try SavedState(facts: state.facts[...]) }

    @Test func textRoundTripPreservesTheState() throws {
        #expect(try roundTrip(Self.state) == Self.state)
        for cause in [nil, "user", "ends door phone-call"] {
            var quiet = Self.state
            quiet.quiet = SavedState.Quiet(age: .seconds(125), pauseCause: cause)
            #expect(try roundTrip(quiet) == quiet)
        }
        var chosen = Self.state
        chosen.repeats = SavedState.Mode(configured: "playlist", chosen: "track")
        chosen.shuffle = SavedState.Mode(configured: "no", chosen: "yes")
        #expect(try roundTrip(chosen) == chosen)
        // An earlier version can read a state that does not contain them.
        let text = String(decoding: Self.state.facts, as: UTF8.self)
        #expect(!text.contains("repeat ") && !text.contains("\nshuffle "))
        var plain = Self.state
        plain.track = nil
        plain.held = []
        plain.episode = nil
        #expect(try roundTrip(plain) == plain)
        // Early releases with version 2 did not save a run.
        plain.run = nil
        #expect(try roundTrip(plain) == plain)
    }

    /// The names include some in which Swift combines several bytes or scalars into one character.
    @Test(arguments: [
        "", "/a\r", "/a\r\nb", "/a\nb\\n", "\u{301}accent.flac", "/ü/\u{1F3B5} .mp3", " ", "/a\u{2028}b",
        "/\\", "/a\u{0}b", "/" + String(repeating: "long/", count: 819),
    ]) func preservesAnyFileName(name: String) throws {
        var state = Self.state
        state.track = name
        #expect(try roundTrip(state).track.map { Array($0.utf8) } == Array(name.utf8))
        let read = try StateImage(of: state).outcome.get().state
        #expect(read == state && read.track.map { Array($0.utf8) } == Array(name.utf8))
    }

    /// The caller does not find a valid intent in an empty state, but the state can be written again.
    @Test func readsAndWritesAnEmptyState() throws {
        for number in [Int.max, Int.min] {
            let state = try SavedState(facts: Array("track \(number) /music/1\n".utf8)[...])
            #expect((0..<Int.max / 2).contains(state.trackNumber) && state.track == "/music/1")
        }
        let nothing = try SavedState(facts: [])
        #expect(try nothing.intent == "" && roundTrip(nothing) == nothing)
        var empty = Self.state
        empty.held[0].signal = ""
        empty.episode?.reason = ""
        #expect(try roundTrip(empty) == empty)
    }

    @Test func limitsImpossibleAgesAndPositions() throws {
        var absurd = Self.state
        absurd.held[0].age = .seconds(1_000_000_000_000)
        absurd.held[1].age = .seconds(-1)
        absurd.savedAt = .seconds(Int64.max)
        absurd.position = .seconds(-3)
        let read = try roundTrip(absurd)
        #expect(read.held.map(\.age) == [SavedState.longest, .zero])
        #expect(read.position == .zero)
    }

    @Test(arguments: [
        ("intent playing", "its last line is truncated"),
        ("intent\n", "unknown or malformed line ‘intent’"),
        ("colour red\n", "unknown or malformed line ‘colour red’"),
        ("position soon\n", "‘soon’ is not a number"),
        ("position 99999999999999999999\n", "‘99999999999999999999’ is not a number"),
        ("held inForce 1\n", "unknown or malformed line ‘held inForce 1’"),
        ("\n", "unknown or malformed line ‘’"),
    ]) func rejectsMalformedLines(text: String, complaint: String) {
        #expect(throws: StateError.damaged(complaint)) { try SavedState(facts: Array(text.utf8)[...]) }
    }

    // MARK: Version 1

    @Test func readsVersion1() throws {
        let image = StateImage(Self.firstVersion(Self.state))
        #expect(try image.outcome.get() == StateReading(state: Self.state, place: .firstVersion))
    }

    @Test func rejectsEveryTruncatedFileOfVersion1() {
        let file = Self.firstVersion(Self.state)
        for length in file.indices {
            #expect(throws: StateError.self) { try StateImage(Array(file[..<length])).outcome.get() }
        }
    }

    @Test func detectsEveryFlippedBitInVersion1() {
        let file = Self.firstVersion(Self.state)
        for index in file.indices {
            for bit in 0..<8 {
                var damaged = file
                damaged[index] ^= 1 << bit
                #expect(throws: StateError.self) { try StateImage(damaged).outcome.get() }
            }
        }
    }
}

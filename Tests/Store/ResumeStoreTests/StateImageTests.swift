import Testing

@testable import ResumeStore

@Suite struct StateImageTests {
    static func file(_ slots: [UInt8]...) -> [UInt8] {
        slots.flatMap { $0 + [UInt8](repeating: 0, count: StateSlot.size - $0.count) }
    }

    static func record(_ position: Int, sequence: Int) throws -> [UInt8] {
        var state = SavedStateTests.state
        state.position = .seconds(position)
        return try #require(StateSlot.record(state.facts, sequence: sequence))
    }

    private func position(_ file: [UInt8]) throws -> Duration { try StateImage(file).outcome.get().state.position }

    @Test func usesTheSlotWithTheHighestSequenceNumber() throws {
        let (older, newer) = (try Self.record(1, sequence: 9), try Self.record(2, sequence: 10))
        for file in [Self.file(older, newer), Self.file(newer, older)] {
            let reading = try StateImage(file).outcome.get()
            #expect(reading.state.position == .seconds(2))
            let slot = file.starts(with: newer) ? 0 : 1
            #expect(reading.place == .slot(slot, sequence: 10, other: .older(sequence: 9)))
            #expect("\(reading)" == "state 10 in slot \(slot)")
        }
    }

    @Test func usesTheOlderSlotWhenTheNewestIsDamaged() throws {
        var torn = try Self.record(2, sequence: 10)
        torn[200] ^= 1
        let reading = try StateImage(Self.file(try Self.record(1, sequence: 9), torn)).outcome.get()
        #expect(reading.state.position == .seconds(1))
        #expect("\(reading)" == "state 9 in slot 0 (slot 1 is ignored because the checksum does not match)")
    }

    @Test func recordIsReadableAsText() throws {
        let text = String(decoding: try Self.record(3, sequence: 12).prefix { $0 != 0 }, as: UTF8.self)
        let lines = text.split(separator: "\n")
        #expect(lines[0].hasPrefix("tacet-state 2 sequence 0000000000000000012 length 00"))
        #expect(lines[0].count + 1 == StateSlot.headerLength)
        #expect(lines.contains("position 3000000000"))
    }

    @Test func reportsWhyAFileHoldsNoState() throws {
        let zeros = [UInt8](repeating: 0, count: StateImage.longest)
        let whole = try Self.record(1, sequence: 1)
        let later = Array("tacet-state 3 and something new\n".utf8)
        let cases: [([UInt8], StateError)] = [
            ([], .damaged("it is empty")),
            (zeros, .damaged("it contains only zeros")),
            (Array("rubbish\n".utf8), .damaged("it does not start with a state header")),
            (Self.file(later, later), .unknownVersion(3)),
            (Array(whole[..<60]), .damaged("it is truncated")),
            (Array(whole[..<120]), .damaged("it is truncated")),
            (Array("tacet-state ".utf8), .damaged("it is truncated")),
            (Self.file(Array("tacet-state ?".utf8)), .damaged("its header line is malformed")),
        ]
        for (file, error) in cases {
            #expect(throws: error) { try StateImage(file).outcome.get() }
        }
        #expect(
            "\(StateError.unknownVersion(3))"
                == "the saved state has version 3, but this Tacet reads only versions 1 and 2")
    }

    /// After a downgrade of Tacet, an older state is better than none.
    @Test func usesTheOlderSlotWhenTheNewestHasAnUnknownVersion() throws {
        let later = Array("tacet-state 3 and something new\n".utf8)
        let reading = try StateImage(Self.file(try Self.record(1, sequence: 1), later)).outcome.get()
        #expect(reading.place == .slot(0, sequence: 1, other: .otherVersion(3)))
    }

    @Test func usesTheOlderSlotWhenTheNewestIsMalformed() throws {
        let odd = try #require(StateSlot.record(Array("colour red\n".utf8), sequence: 8))
        #expect(try position(Self.file(odd, try Self.record(1, sequence: 7))) == .seconds(1))
        #expect(throws: StateError.damaged("unknown or malformed line ‘colour red’")) { try position(Self.file(odd)) }
    }

    @Test func handlesTheLargestSequenceNumberAndEqualOnes() throws {
        for sequence in [Int.max, Int.max - 1, Int.max / 2 + 1, Int.max / 2] {
            let file = Self.file(try Self.record(1, sequence: sequence))
            #expect((try? position(file)) == (sequence > Int.max / 2 ? nil : .seconds(1)))
        }
        let twice = try Self.record(1, sequence: 5)
        #expect(try position(Self.file(twice, twice)) == .seconds(1))
    }

    @Test func acceptsAStateThatFillsItsSlotAndRejectsALongerOne() throws {
        let facts = [UInt8](repeating: 0x61, count: StateSlot.capacity)
        #expect(StateSlot.record(facts, sequence: 1)?.count == StateSlot.size)
        #expect(StateSlot.record(facts + [0x61], sequence: 1) == nil)
        var state = SavedStateTests.state
        state.track = String(repeating: "\n", count: 4096)
        #expect(try StateImage(of: state).outcome.get().state == state)
        state.track = String(repeating: "\n", count: 10_000)
        #expect {
            try StateImage(of: state)
        } throws: {
            "\($0)".contains("a slot holds \(StateSlot.capacity), so give the track a shorter path")
        }
    }
}

import Chance
import Configuration
import Systemd
import Testing

@testable import Appliance

@Suite struct CallTableTests {
    private func call(_ path: String, _ state: BusValue) -> [BusValue] {
        [.objectPath(path), .dictionary(["State": state, "LineIdentification": .string("+49")])]
    }

    @Test(arguments: [
        ("incoming", true, false), ("waiting", true, false), ("active", false, true), ("held", false, true),
        ("dialing", false, true), ("alerting", false, true), ("disconnected", false, false), ("nonsense", false, false),
    ])
    func eachStateOfACall(_ state: String, _ isRinging: Bool, _ isActive: Bool) {
        var book = CallTable()
        book.add(call("/modem/voicecall01", .string(state)))
        #expect(book.contains(.ringing) == isRinging && book.contains(.active) == isActive)
    }

    @Test func callIsFollowedFromRingToEnd() {
        var book = CallTable()
        book.add(.array(of: "(oa{sv})", [.structure(call("/a", .string("incoming")))]))
        #expect(book.contains(.ringing) && !book.contains(.active))
        book.set("/a", "active")
        book.add(call("/b", .string("waiting")))
        #expect(book.contains(.ringing) && book.contains(.active))
        book.set("/a", "disconnected")
        book.remove("/b")
        book.remove("/unknown")
        #expect(book == CallTable())
    }

    @Test func malformedMessagesAreIgnored() {
        var book = CallTable()
        book.add([])
        book.add([.string("/a"), .dictionary(["State": .string("active")])])
        book.add(call("/a", .uint32(3)))
        book.add([.objectPath("/a"), .string("active")])
        book.add(.string("x"))
        book.add(.array(of: "s", [.string("x")]))
        #expect(book == CallTable())
        #expect(CallTable.modems(nil).isEmpty && CallTable.modems(.string("x")).isEmpty)
    }

    /// Only a path with a state of type string is a call, whatever else an implementation sends.
    @Test func randomlyDamagedMessagesAddNoOtherCalls() {
        var chance = SplitMix(seed: 20)
        var added = 0
        for _ in 0..<5000 {
            var book = CallTable()
            let members = damaged(call("/a", damaged(.string("active"), &chance)), &chance)
            book.add(damaged(.array(of: "(oa{sv})", [damaged(.structure(members), &chance)]), &chance))
            book.add(members)
            _ = CallTable.modems(.array(of: "(oa{sv})", [.structure(members)]))
            if book.calls == ["/a": "active"] { added += 1 } else { #expect(book.calls.isEmpty) }
        }
        #expect(500..<4500 ~= added)
    }

    /// Returns the members. Sometimes one of them is missing, has another value, or occurs twice.
    private func damaged(_ members: [BusValue], _ chance: inout SplitMix) -> [BusValue] {
        members.flatMap { member -> [BusValue] in
            switch Int.random(in: 0..<12, using: &chance) {
            case 0: []
            case 1: [member, member]
            default: [damaged(member, &chance)]
            }
        }
    }

    private func damaged(_ value: BusValue, _ chance: inout SplitMix) -> BusValue {
        switch Int.random(in: 0..<32, using: &chance) {
        case 0: .uint32(3)
        case 1: .bool(true)
        case 2: .structure([value])
        case 3: .array(of: value.signature, [value, value])
        case 4: .array(of: "{sv}", [])
        case 5: .array(of: "{sv}", [.entry(.string("State"), .uint32(0))])
        case 6: .array(of: "{sv}", [.entry(.string("Interfaces"), .variant(value))])
        case 7: .variant(value)
        default: value
        }
    }

    @Test func onlyModemsWithCallsAreRead() {
        let modems: BusValue = .array(
            of: "(oa{sv})",
            [
                .structure([
                    .objectPath("/voice"), .dictionary(["Interfaces": .strings(["x", "org.ofono.VoiceCallManager"])]),
                ]),
                .structure([.objectPath("/data"), .dictionary(["Interfaces": .strings([])])]),
                .structure([.objectPath("/broken"), .dictionary([:])]),
            ])
        #expect(CallTable.modems(modems) == ["/voice"])
    }
}

import Configuration
import Systemd
import Testing

@testable import Appliance

@Suite struct CallBookTests {
    private func call(_ path: String, _ state: BusValue) -> [BusValue] {
        [.objectPath(path), .dictionary(["State": state, "LineIdentification": .string("+49")])]
    }

    @Test(arguments: [
        ("incoming", true, false), ("waiting", true, false), ("active", false, true), ("held", false, true),
        ("dialing", false, true), ("alerting", false, true), ("disconnected", false, false), ("nonsense", false, false),
    ])
    func eachStateOfACall(_ state: String, _ isRinging: Bool, _ isActive: Bool) {
        var book = CallBook()
        book.add(call("/modem/voicecall01", .string(state)))
        #expect(book.contains(.ringing) == isRinging && book.contains(.active) == isActive)
    }

    @Test func callIsFollowedFromRingToEnd() {
        var book = CallBook()
        book.add(.array(of: "(oa{sv})", [.structure(call("/a", .string("incoming")))]))
        #expect(book.contains(.ringing) && !book.contains(.active))
        book.set("/a", "active")
        book.add(call("/b", .string("waiting")))
        #expect(book.contains(.ringing) && book.contains(.active))
        book.set("/a", "disconnected")
        book.remove("/b")
        book.remove("/unknown")
        #expect(book == CallBook())
    }

    @Test func malformedMessagesAreIgnored() {
        var book = CallBook()
        book.add([])
        book.add([.string("/a"), .dictionary(["State": .string("active")])])
        book.add(call("/a", .uint32(3)))
        book.add([.objectPath("/a"), .string("active")])
        book.add(.string("x"))
        book.add(.array(of: "s", [.string("x")]))
        #expect(book == CallBook())
        #expect(CallBook.modems(nil).isEmpty && CallBook.modems(.string("x")).isEmpty)
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
        #expect(CallBook.modems(modems) == ["/voice"])
    }
}

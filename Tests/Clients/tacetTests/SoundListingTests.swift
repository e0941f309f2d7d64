import Systemd
import Testing

@testable import tacet

@Suite struct SoundListingTests {
    private func sound(_ name: String, _ length: Double, _ problem: String, _ state: String) -> BusValue {
        .structure([.string(name), .double(length), .bool(problem.isEmpty), .string(problem), .string(state)])
    }

    private var listing: SoundListing {
        SoundListing(
            .array(
                of: "(sdbss)",
                [
                    sound("gong", 2.46, "", "due"), sound("next-stop", 61, "", "waiting"),
                    sound("siren", 0, "cannot open siren.wav: No such file or directory", "idle"),
                ]))
    }

    @Test func tableShowsLengthStateAndWhyAFileCannotBeRead() {
        #expect(
            listing.lines.joined(separator: "\n") == """
                NAME       LENGTH  STATE    FILE
                gong       2.5 s   playing  readable
                next-stop  61.0 s  queued   readable
                siren      –       –        CANNOT BE READ: cannot open siren.wav: No such file or directory
                """)
    }

    @Test func jsonHasNullForAnUnknownLength() {
        #expect(
            listing.json.hasSuffix(
                "{\"name\":\"siren\",\"length\":null,\"readable\":false,"
                    + "\"problem\":\"cannot open siren.wav: No such file or directory\",\"state\":\"idle\"}]}"),
            "\(listing.json)")
    }

    @Test func configurationWithoutSoundsIsReported() {
        let listing = SoundListing(.array(of: "(sdbss)", []))
        #expect(listing.lines == ["The configuration has no sounds."] && listing.json == "{\"sounds\":[]}")
    }

    /// A different version of the daemon may send any value.
    @Test func valuesOfOtherTypesAreSkipped() {
        #expect(SoundListing(.string("gong")).sounds.isEmpty)
        let odd = BusValue.array(of: "(s)", [.structure([.string("gong")])])
        #expect(SoundListing(odd).sounds.isEmpty)
        let endless = SoundListing(.array(of: "(sdbss)", [sound("gong", .infinity, "", "idle")]))
        #expect(endless.lines.count == 2)
    }
}

import ALSA
import Testing

@testable import tacet

@Suite struct DeviceListingTests {
    private let listing = DeviceListing(
        [
            CardDevice(
                card: SoundCard(number: 0, id: "vc4hdmi0"), number: 0, name: "MAI\u{1b}[31m PCM", plays: true,
                captures: false),
            CardDevice(
                card: SoundCard(number: 1, id: "Device"), number: 0, name: "USB Audio", plays: true, captures: true),
        ], holder: { $0 == "hw:CARD=Device,DEV=0" ? DeviceHolder(process: 812, program: "mpd") : nil })

    @Test func eachLineCanBePasted() {
        #expect(
            listing.text == [
                "[Playback]",
                "# card 1, USB Audio, used by mpd (pid 812)", "Device=hw:CARD=Device",
                "# card 0, MAI\\x1b[31m PCM", "Device=sysdefault:CARD=vc4hdmi0",
                "[Recording]",
                "# card 1, USB Audio", "Device=hw:CARD=Device",
            ])
    }

    @Test func jsonListsEveryDevice() {
        #expect(listing.json.contains(#""device":"sysdefault:CARD=vc4hdmi0","card":0,"card_id":"vc4hdmi0""#))
        #expect(listing.json.contains(#""user":"mpd (pid 812)""#))
    }

    @Test func boardWithoutCardsHasNoLines() {
        #expect(DeviceListing([]).text.isEmpty)
    }
}

import ALSA
import Foundation
import Testing

@testable import tacet

/// The output of `tacet devices`.
@Suite struct DeviceListingTests {
    private static let hdmi = SoundCard(number: 0, id: "vc4hdmi0")
    private static let usb = SoundCard(number: 1, id: "Device")

    private let listing = DeviceListing(
        [
            CardDevice(card: hdmi, number: 0, name: "MAI\u{1b}[31m PCM", plays: true, captures: false),
            CardDevice(card: usb, number: 0, name: "USB Audio", plays: true, captures: true),
            CardDevice(card: usb, number: 1, name: "USB Audio #1", plays: true, captures: false),
        ],
        holder: { address, capturing in
            switch (address, capturing) {
            case ("hw:CARD=Device,DEV=0", false): DeviceHolder(process: 812, program: "tacetd")
            case ("hw:CARD=Device,DEV=0", true): DeviceHolder(process: 900, program: "baresip\u{1b}")
            default: nil
            }
        },
        jacks: { card in
            guard card == Self.usb else { return nil }
            return [
                JackInfo(name: "Headphone Jack", number: 4, isPlugged: true),
                JackInfo(name: "Mic Jack", number: 5, isPlugged: false),
            ]
        })

    @Test func eachLineCanBePasted() {
        #expect(
            listing.text == [
                "[Playback]",
                "# card 1, USB Audio, used by tacetd (pid 812)", "Device=hw:CARD=Device",
                "# jack (plugged in)", "#Jack=Headphone Jack",
                "# card 1, USB Audio #1", "Device=hw:CARD=Device,DEV=1",
                "# card 0, MAI\\x1b[31m PCM", "Device=sysdefault:CARD=vc4hdmi0",
                "[Recording]",
                "# card 1, USB Audio, used by baresip\\x1b (pid 900)", "Device=hw:CARD=Device",
            ])
    }

    @Test func jsonListsEveryDevice() throws {
        let object = try JSONSerialization.jsonObject(with: Data(listing.json.utf8)) as? [String: Any]
        let devices = try #require(object?["devices"] as? [[String: Any]])
        #expect(
            devices.map { $0["device"] as? String } == [
                "sysdefault:CARD=vc4hdmi0", "hw:CARD=Device", "hw:CARD=Device,DEV=1",
            ])
        #expect(devices[0]["jacks"] is NSNull && devices[0]["player"] is NSNull && devices[0]["hdmi"] as? Bool == true)
        #expect(devices[1]["player"] as? String == "tacetd (pid 812)")
        #expect((devices[1]["jacks"] as? [[String: Any]])?.map { $0["plugged"] as? Bool } == [true, false])
        #expect(devices[2]["recorder"] is NSNull && devices[2]["capture"] as? Bool == false)
    }

    @Test func soundServerReleasesItsCard() {
        let device = CardDevice(card: Self.usb, number: 0, name: "USB Audio", plays: true, captures: false)
        let listing = DeviceListing(
            [device], holder: { _, _ in DeviceHolder(process: 812, program: "pipewire") }, jacks: { _ in nil })
        #expect(
            listing.text.contains(
                "# card 1, USB Audio, used by pipewire (pid 812) until a program of its session asks for it"))
    }

    @Test func boardWithoutCardsHasNoLines() {
        let listing = DeviceListing([], holder: { _, _ in nil }, jacks: { _ in nil })
        #expect(listing.text.isEmpty && listing.json == #"{"devices":[]}"#)
    }
}

import Glibc
import Testing

@testable import ALSA

/// libasound's “No such device”, which has several causes, each with its own advice.
@Suite struct PCMErrorTests {
    private let cards = [SoundCard(number: 0, id: "Headphones"), SoundCard(number: 1, id: "HDMI", accessError: EACCES)]

    private func advice(_ device: String, _ code: Int32 = ENODEV, cards: [SoundCard]? = nil) -> String {
        PCMError.opening(device, code: -code, cards: cards ?? self.cards).advice
    }

    @Test(arguments: ["hw:Headphone", "plughw:CARD=Headphone,DEV=0", "sysdefault:CARD=Headphone"])
    func listsTheCardsWhenANameIsMisspelt(device: String) {
        #expect(
            advice(device)
                == "there is no card ‘Headphone’, only 0 (Headphones), 1 (HDMI): is the name misspelt, or is the card "
                + "unplugged?")
    }

    @Test func reportsAnUnpluggedCard() {
        #expect(advice("hw:2,0") == "there is no card ‘2’, only 0 (Headphones), 1 (HDMI): is the card unplugged?")
        #expect(advice("hw:0", cards: []) == "there is no sound card: check its connection, power and driver")
    }

    @Test func reportsMissingPermissionForACard() {
        for device in ["hw:1", "plughw:HDMI", "hw:CARD=HDMI,DEV=3"] {
            #expect(advice(device).hasPrefix("this user does not have permission to use the card ‘HDMI’: add it to"))
        }
    }

    @Test func reportsADeviceThatTheCardLacks() {
        #expect(advice("hw:0,7", ENOENT).hasPrefix("the card ‘Headphones’ does not have this device: "))
    }

    @Test func reportsABusyDevice() {
        #expect(advice("hw:0", EBUSY).hasPrefix("close the program that uses the device"))
    }

    @Test func givesGeneralAdviceForAnAddressWithoutACard() {
        #expect(advice("nowhere", ENOENT) == "check the name among the devices that `aplay -L` lists")
    }
}

import Glibc
import Testing

@testable import ALSA

/// What libasound calls "No such device" has causes of its own, each with its remedy.
@Suite struct PCMErrorTests {
    private let cards = [SoundCard(number: 0, id: "Headphones"), SoundCard(number: 1, id: "HDMI", refusal: EACCES)]

    private func advice(_ device: String, _ code: Int32 = ENODEV, cards: [SoundCard]? = nil) -> String {
        PCMError.opening(device, code: -code, cards: cards ?? self.cards).advice
    }

    @Test(arguments: ["hw:Headphone", "plughw:CARD=Headphone,DEV=0", "sysdefault:CARD=Headphone"])
    func aMisspeltCardIsNamedWithTheAvailableOnes(device: String) {
        #expect(
            advice(device)
                == "there is no card ‘Headphone’, only 0 (Headphones), 1 (HDMI): is the name misspelt, or is its card "
                + "unplugged?")
    }

    @Test func anUnpluggedCardIsMissing() {
        #expect(advice("hw:2,0") == "there is no card ‘2’, only 0 (Headphones), 1 (HDMI): is the card unplugged?")
        #expect(advice("hw:0", cards: []) == "there is no sound card at all: check its plug, power and driver")
    }

    @Test func aCardThatMayNotBeOpenedIsThere() {
        for device in ["hw:1", "plughw:HDMI", "hw:CARD=HDMI,DEV=3"] {
            #expect(advice(device).hasPrefix("the card ‘HDMI’ is there, but this user may not open it"))
        }
    }

    @Test func aDeviceThatTheCardLacksIsNamedSo() {
        #expect(advice("hw:0,7", ENOENT).hasPrefix("the card ‘Headphones’ is there, but not this device of it"))
    }

    @Test func aCardThatAnotherProgramHoldsIsBusy() {
        #expect(advice("hw:0", EBUSY).hasPrefix("another program holds the device"))
    }

    @Test func anAddressWithoutACardHasTheGeneralAdvice() {
        #expect(advice("nowhere", ENOENT) == "check the name; `aplay -L` lists the devices there are")
    }
}

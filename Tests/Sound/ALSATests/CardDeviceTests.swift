import Testing

@testable import ALSA

@Suite struct CardDeviceTests {
    private let cards = [
        SoundCard(number: 0, id: "vc4hdmi0"), SoundCard(number: 1, id: "Headphones"),
        SoundCard(number: 2, id: "Device"),
        SoundCard(number: 3, id: "Loopback"),
    ]
    private let list = """
        00-00: MAI PCM i2s-hifi-0 : MAI PCM i2s-hifi-0 : playback 1
        01-00: bcm2835 Headphones : bcm2835 Headphones : playback 8
        02-00: USB Audio : USB Audio : playback 1 : capture 1
        02-01: USB Audio #1 : USB: Audio #1 : capture 1
        03-00: Loopback PCM : Loopback PCM : playback 8 : capture 8
        07-00: gone : gone : playback 1
        rubbish
        """

    @Test func readsTheKernelsList() {
        let devices = CardDevice.all(in: list, of: cards)
        #expect(devices.map { "\($0.card.id) \($0.number) \($0.name)" }.first == "vc4hdmi0 0 MAI PCM i2s-hifi-0")
        #expect(devices.count == 5)
        #expect(devices[3] == CardDevice(card: cards[2], number: 1, name: "Audio #1", plays: false, captures: true))
    }

    @Test func addressOpensTheDeviceMostDirectly() {
        #expect(
            CardDevice.all(in: list, of: cards).map(\.address) == [
                "sysdefault:CARD=vc4hdmi0", "hw:CARD=Headphones", "hw:CARD=Device", "hw:CARD=Device,DEV=1",
                "hw:CARD=Loopback",
            ])
    }

    @Test func likeliestDeviceComesFirst() {
        let devices = CardDevice.all(in: list, of: cards)
        #expect(devices.forPlayback.map(\.card.id) == ["Headphones", "Device", "vc4hdmi0", "Loopback"])
        #expect(devices.forCapture.map(\.address) == ["hw:CARD=Device", "hw:CARD=Device,DEV=1", "hw:CARD=Loopback"])
    }

    @Test func longNamesAreCut() {
        let name = String(repeating: "ä", count: 200)
        let devices = CardDevice.all(in: "00-00: \(name) : \(name) : playback 1", of: cards)
        #expect(devices.map(\.name) == [String(repeating: "ä", count: 40)])
    }

    /// The kernel returns a list in pieces of a page.
    @Test func listOfManyDevicesIsReadToItsEnd() throws {
        let path = "/proc/self/smaps"
        #expect(KernelText.read(path).utf8.count > 8192)
    }

    @Test func boardWithoutCardsHasNoDevices() {
        #expect(CardDevice.all(in: "", of: []).isEmpty)
    }
}

import Configuration
import Testing

@Suite("The devices of [Playback]")
struct RouteKeyTests {
    @Test("Blanks separate the fallbacks, because ALSA's names contain commas")
    func devices() throws {
        let loaded = try load(
            "[Playback]\nDevice=hw:0\nFallbackDevices=hw:1,0  plughw:CARD=B,DEV=0\nJack=Headphone Jack\n")
        #expect(loaded.configuration.playback.fallbackDevices == ["hw:1,0", "plughw:CARD=B,DEV=0"])
        #expect(loaded.configuration.playback.jack == "Headphone Jack")
        #expect(
            loaded.configuration.summary.contains("hw:0, else hw:1,0, plughw:CARD=B,DEV=0, jack Headphone Jack, volume")
        )
        #expect(try load("[Playback]\nFallbackDevices=\n").configuration.playback.fallbackDevices == [])
    }

    @Test("A device is named once")
    func duplicates() throws {
        #expect(
            try diagnose("[Playback]\nFallbackDevices=a b a") == [
                "2: error: FallbackDevices=a b a names a twice (write each device once)"
            ])
        #expect(
            try diagnose("[Playback]\nDevice=a\nFallbackDevices=b a") == [
                "3: error: FallbackDevices= names a, which is already Device= (remove it)"
            ])
        #expect(try diagnose("[Playback]\nFallbackDevices=1 2 3 4 5 6 7 8 9").count == 1)
    }
}

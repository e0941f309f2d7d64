import ALSA
import Testing

@Suite struct DeviceAudibilityTests {
    @Test func cardIsAsQuietAsWhatItsControlsDoInAll() {
        let cases: [(String, [(String, Double)], DeviceAudibility)] = [
            ("no mixer", [], .audible),
            ("ordinary", [("Master", 20), ("PCM", 15)], .audible),
            ("muted", [("Master", .infinity), ("PCM", 0)], .muted(.mixer(card: 1, control: "Master"))),
            ("both turned down", [("Master", 15), ("PCM", 30)], .quiet(.mixer(card: 1, control: "PCM"))),
            ("exactly 40 dB", [("PCM", 40)], .audible),
            ("converter on a board", [("Digital", 50), ("Analogue", 0)], .quiet(.mixer(card: 1, control: "Digital"))),
            ("one output is on", [("Master", 0), ("Headphone", .infinity), ("Speaker", 10)], .audible),
            (
                "every output is off", [("Master", 0), ("Headphone", .infinity), ("Speaker", .infinity)],
                .muted(.mixer(card: 1, control: "Headphone"))
            ),
            ("loopback of a microphone", [("PCM", 0), ("Mic", .infinity), ("Beep", .infinity)], .audible),
            ("unknown controls", [("Mic", .infinity), ("Beep", .infinity)], .audible),
            ("the only control", [("Amplifier", .infinity)], .muted(.mixer(card: 1, control: "Amplifier"))),
            ("more than anybody hears", [("Master", 60), ("PCM", 60)], .muted(.mixer(card: 1, control: "Master"))),
        ]
        for (name, controls, expected) in cases {
            let controls = controls.map { PlaybackControl(name: $0, attenuation: $1) }
            #expect(DeviceAudibility(controls, ofCard: 1) == expected, "\(name)")
        }
    }

    @Test func unknownCodesAreAudible() {
        let codes: [Int: DeviceAudibility] = [
            0: .audible, 1: .muted(.policy), 4: .muted(.suspension), 5: .audible, 16: .audible, 18: .quiet(.stream),
            33: .audible, -1: .audible, .min: .audible, .max: .audible,
        ]
        for (code, expected) in codes { #expect(DeviceAudibility(code: code) == expected, "\(code)") }
    }
}

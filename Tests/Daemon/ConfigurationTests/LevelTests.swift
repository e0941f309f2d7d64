import AudioSession
import Configuration
import Testing

@Suite("Levels need their unit")
struct LevelTests {
    @Test(
        "Valid levels are parsed",
        arguments: [
            ("-14dB", -14.0, "-14dB"), ("-14 dB", -14, "-14dB"), ("-10.5dB", -10.5, "-10.5dB"), ("0dB", 0, "0dB"),
            ("+0dB", 0, "0dB"), ("-0dB", 0, "0dB"), ("mute", -120, "mute"), ("-120dB", -120, "mute"),
        ])
    func reads(text: String, decibels: Double, written: String) {
        #expect(Level.parse(text) == Level(decibels: decibels))
        #expect(Level.parse(text)?.text == written)
    }

    /// An MPRIS volume slider sets a factor, such as 0.5.
    @Test(
        "Levels are written to a hundredth of a decibel",
        arguments: [(-6.020599913279624, "-6.02dB"), (-0.001, "0dB"), (-119.999, "-120dB")])
    func isRounded(decibels: Double, written: String) {
        #expect(Level(decibels: decibels)?.text == written)
    }

    @Test(
        "Invalid levels are rejected",
        arguments: [
            "", "-14", "dB", "- 14dB", "1dB", "-121dB", "-14db", "nandB", "-infdB", "-0x1dB", "-1e1dB", "--1dB", "Mute",
            "−14dB",
        ])
    func rejects(text: String) {
        #expect(Level.parse(text) == nil)
    }
}

import Testing

@testable import Spelling

@Suite("Suggestions")
struct SpellingTests {
    @Test(
        "Counts insertions, deletions, replacements and swaps",
        arguments: [
            ("", "", 0), ("a", "", 1), ("abc", "abd", 1), ("abc", "acb", 1), ("abc", "xabcx", 2),
            ("kitten", "sitting", 3),
        ])
    func distance(a: String, b: String, distance: Int) {
        #expect(Spelling.distance(a, b) == distance)
        #expect(Spelling.distance(b, a) == distance)
    }

    @Test("Suggests near words only")
    func nearest() {
        let known = ["FadeIn", "FadeOut", "Device"]
        #expect(Spelling.nearest(to: "FADEIN", in: known) == "FadeIn")
        #expect(Spelling.nearest(to: "Fadeot", in: known) == "FadeOut")
        #expect(Spelling.nearest(to: "Volume", in: known) == nil)
        #expect(Spelling.nearest(to: "x", in: []) == nil)
    }

    @Test("Gives the alternative advice, or none, if no word is near")
    func unknown() {
        let message = { Spelling.unknown("key", $0, among: ["FadeIn"], otherwise: $1) }
        #expect(message("Fadein", "write FadeIn") == "there is no key ‘Fadein’: did you mean ‘FadeIn’?")
        #expect(message("Volume", "write FadeIn") == "there is no key ‘Volume’: write FadeIn")
        #expect(message("Volume", nil) == "there is no key ‘Volume’")
    }
}

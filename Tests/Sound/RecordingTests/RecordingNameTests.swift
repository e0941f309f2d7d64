import Chance
import Testing

@testable import Recording

@Suite struct RecordingNameTests {
    @Test func nameIsTheTimeInUTC() {
        #expect(RecordingName(at: .seconds(1_795_356_192)).stem == "2026-11-22T14-03-12Z")
        #expect(RecordingName(at: .zero).stem == "1970-01-01T00-00-00Z")
        // The year of this time has more than four digits.
        #expect(RecordingName(at: .seconds(1 << 60)).stem == "9999-12-31T23-59-59Z")
        #expect(RecordingName(at: .seconds(-5)).stem == "1970-01-01T00-00-00Z")
    }

    @Test func onlyNamesOfRecordingsAreRecognised() {
        for name in ["2026-11-22T14-03-12Z.flac", "2026-11-22T14-03-12Z_0001.wav"] {
            #expect(RecordingName(of: name).map { $0.stem } == String(name.prefix { $0 != "." }))
        }
        for name in [
            "", ".flac", "song.flac", "2026-11-22T14-03-12Z", "2026-11-22T14-03-12Z.mp3", "2026-11-22T14-03-12Z_1.flac",
            "2026-11-22T14:03:12Z.flac", "x2026-11-22T14-03-12Z.flac", "2026-11-22T14-03-12Z_0001.flac.part",
            "2026-11-22T14-03-12Z-copy.flac", "２026-11-22T14-03-12Z.flac", "2026-02-30T14-03-12Z.flac",
            "2026-11-22T14-03-12Z_0000.flac", "2026-11-22T14-03-12Z_10000.flac", "2026-11-22T14-03-12.5Z.flac",
            "2026-11-22T14-03-12Z_0001_0002.flac", "_.flac", "-.flac",
        ] {
            #expect(RecordingName(of: name) == nil, "\(name)")
        }
    }

    /// The names are unique and sorted even if the clock is set back or jumps back and forth.
    @Test func namesAreUniqueAndSortInTheOrderOfRecording() {
        var random = SplitMix(seed: 2)
        var names: [String] = []
        var newest: RecordingName?
        var latest = 1_795_356_192
        for _ in 0..<5000 {
            latest += [0, 0, 1, 900, 100_000_000].randomElement(using: &random) ?? 0
            // The clock is set back by a month at most, or has not been set since the board was turned on.
            let back = [0, 900, 30 * 86_400, latest - 5].randomElement(using: &random) ?? 0
            let name = RecordingName.following([newest].compactMap { $0 }, at: .seconds(latest - back))
            names.append(name.stem + ".flac")
            #expect(RecordingName(of: name.stem + ".wav") == name)
            newest = name
        }
        #expect(Set(names).count == names.count)
        #expect(names == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    @Test func tenThousandFilesOfOneSecondBorrowTheNext() {
        var name = RecordingName(at: .seconds(1_795_356_192))
        for _ in 0..<9999 { name = name.next }
        #expect(name.stem == "2026-11-22T14-03-12Z_9999")
        #expect(name.next.stem == "2026-11-22T14-03-13Z")
    }
}

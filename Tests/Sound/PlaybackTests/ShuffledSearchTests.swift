import SoundLab
import Testing

@testable import Playback

@Suite struct ShuffledSearchTests {
    /// The list has billions of numbers, but only a few files.
    @Test func searchInAShuffledListTriesEachFileOnce() throws {
        let folder = try TemporaryFolder()
        let paths = try (0..<6).map { try folder.write("rubbish", to: "\($0).wav") }
        let list = TrackList(paths.map { Track(path: $0) }, shuffledBy: 3, repeats: true)
        var skipped: [String] = []
        var tries = 0
        let order = TrackOrder(successor: { $0 + 1 }, next: { $0 + 1 }, previous: { $0 - 1 })
        let finder = TrackFinder(tracks: list, order: order) { number, _ in skipped.append(list[number].path) }
        finder.onTry = { tries += 1 }
        // The search starts in the middle of a round, whose rest does not contain all tracks.
        #expect(finder.source(for: 9, at: .zero, searching: .forward) == nil)
        #expect(skipped.sorted() == paths && tries == 6)
        try folder.encode(music(frames: 4800), to: "4.wav", .wav16)
        let found = finder.source(for: 9, at: .zero, searching: .forward)
        #expect(found.map { list[$0.track].name } == "4.wav")
    }
}

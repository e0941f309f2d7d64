import ALSA
import Foundation
import Playback
import SoundLab
import Testing

@testable import Appliance

@Suite struct ClipLoaderTests {
    private static let format = StreamFormat(rate: 48_000, channels: 2)
    private let disk = FakeClips()

    /// Waits for outcomes as the event loop does.
    private func wait(for count: Int, of loader: ClipLoader) -> [Int: Bool] {
        var loaded: [Int: Bool] = [:]
        let deadline = ContinuousClock.now + .seconds(30)
        while loaded.count < count, ContinuousClock.now < deadline {
            var entry = pollfd(fd: loader.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&entry, 1, 1000)
            for (number, clip) in loader.takeOutcomes() { loaded[number] = (try? clip.get()) != nil }
        }
        return loaded
    }

    @Test func outcomesCarryTheNumbersOfTheirRequests() throws {
        let path = FileManager.default.temporaryDirectory.path + "/tacet-\(UUID().uuidString).wav"
        defer { unlink(path) }
        try TestMusic.writeNumbers(to: path, frames: 4800)
        let loader = ClipLoader(disk.load, places: .init(2))
        let good = try #require(loader.load(path, format: Self.format))
        let bad = try #require(loader.load("/missing.wav", format: Self.format))
        #expect(wait(for: 2, of: loader) == [good: true, bad: false])
        #expect(loader.takeOutcomes().isEmpty)
    }

    @Test func hungFileKeepsItsSlotAndDelaysNoOthers() throws {
        let places = FilePlaces(2)
        disk.hold()
        var loader: ClipLoader? = ClipLoader(disk.load, places: places)
        #expect(loader?.load("/hung", format: Self.format) != nil)
        let second = try #require(loader?.load("/second", format: Self.format))
        #expect(loader?.load("/third", format: Self.format) == nil)
        disk.release("/second")
        #expect(try wait(for: 1, of: #require(loader)) == [second: false])
        // A reload creates another loader while the thread still hangs.
        loader = nil
        let next = ClipLoader(disk.load, places: places)
        let third = try #require(next.load("/third", format: Self.format))
        #expect(next.load("/fourth", format: Self.format) == nil)
        disk.release("/third")
        #expect(wait(for: 1, of: next) == [third: false])
        disk.release("/hung")
    }
}

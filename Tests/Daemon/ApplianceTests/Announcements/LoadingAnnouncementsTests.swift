import ALSA
import AudioSession
import Foundation
import Playback
import SoundLab
import Systemd
import Testing

@testable import Appliance
@testable import Playback

/// The order in which announcements with slow files are requested, and their deadlines.
@Suite struct LoadingAnnouncementsTests {
    private var loading = LoadingAnnouncements()
    private static let failure = Result<SoundClip, DecoderError>.failure(
        DecoderError(.cannotOpen, "open", "/a.wav", message: "No such file"))

    private func item(
        _ number: Int, priority: Int = 30, at requested: Duration = .zero, timeout: Duration? = .seconds(10)
    ) -> LoadingAnnouncements.Item {
        LoadingAnnouncements.Item(
            Announcement("gong"), path: "/\(number).wav", number: number, priority: priority,
            from: .bus(BusCaller()), at: requested, timeout: timeout, then: { _, _ in })
    }

    private static func clip() throws -> Result<SoundClip, DecoderError> {
        let path = FileManager.default.temporaryDirectory.path + "/tacet-\(UUID().uuidString).wav"
        defer { unlink(path) }
        try TestMusic.writeNumbers(to: path, frames: 480)
        return .success(try SoundClip.load(path, format: StreamFormat(rate: 48_000, channels: 2)))
    }

    private mutating func ready() -> [Int] {
        var numbers: [Int] = []
        while let (item, _) = loading.takeLoaded() { numbers.append(item.number) }
        return numbers
    }

    @Test mutating func announcementsOfOnePriorityKeepTheirOrder() throws {
        for number in 1...3 { loading.add(item(number)) }
        loading.add(item(4, priority: 90))
        for number in [3, 4, 2] { loading.loaded(number, try Self.clip()) }
        // The urgent announcement does not wait for the file of another one.
        #expect(ready() == [4])
        loading.loaded(1, try Self.clip())
        #expect(ready() == [1, 2, 3] && loading.count == 0)
    }

    @Test mutating func failureIsAnsweredAtOnceAndNoLongerDelaysOthers() throws {
        for number in 1...3 { loading.add(item(number)) }
        loading.loaded(2, Self.failure)
        #expect(ready() == [2])
        loading.loaded(3, try Self.clip())
        #expect(ready() == [])
        loading.loaded(1, Self.failure)
        #expect(ready() == [1, 3])
    }

    @Test mutating func announcementThatLoadsLongerThanItsExpiryIsDropped() throws {
        loading.add(item(1, at: .seconds(100), timeout: .seconds(3)))
        loading.add(item(2, at: .seconds(101), timeout: nil))
        loading.add(item(3, at: .seconds(102), timeout: .seconds(500)))
        #expect(loading.deadline == .seconds(103))
        #expect(loading.takeOverdue(by: .seconds(103) - .nanoseconds(1)) == nil)
        loading.loaded(3, try Self.clip())
        #expect(loading.takeOverdue(by: .seconds(103))?.number == 1)
        #expect(ready() == [] && loading.deadline == .seconds(121))
        #expect(loading.takeOverdue(by: .seconds(121))?.number == 2)
        #expect(ready() == [3])
        // The file arrives too late.
        loading.loaded(1, try Self.clip())
        #expect(ready() == [] && loading.deadline == nil)
    }

    @Test func expiryCountsFromTheRequest() {
        let item = item(1, at: .seconds(100), timeout: .seconds(3))
        #expect(item.expire(at: .seconds(101)) == .after(.seconds(2)))
        #expect(item.expire(at: .seconds(200)) == .after(.zero))
        #expect(self.item(1, timeout: nil).expire(at: .seconds(200)) == .never)
    }

    @Test mutating func takesAllAnnouncementsInOrder() throws {
        for number in [4, 2, 3] { loading.add(item(number)) }
        loading.loaded(2, try Self.clip())
        #expect(loading.takeAll().map(\.number) == [4, 2, 3] && loading.count == 0)
    }
}

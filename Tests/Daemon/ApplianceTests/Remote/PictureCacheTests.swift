import Foundation
import Testing

@testable import Appliance
@testable import Playback

@Suite struct PictureCacheTests {
    private func files(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private func picture(_ byte: UInt8) throws -> EmbeddedPicture {
        try #require(EmbeddedPicture([0xff, 0xd8, 0xff, byte][...]))
    }

    @Test func keepsOnlyOneFile() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tacet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data([1]).write(to: folder.appendingPathComponent("cover-left-behind.jpg"))
        try Data([1]).write(to: folder.appendingPathComponent("of-others"))

        var cache = PictureCache(folder: folder.path)
        #expect(try files(in: folder) == ["of-others"])
        let first = try #require(cache.publish(try picture(1)))
        #expect(FileManager.default.contents(atPath: first) == Data([0xff, 0xd8, 0xff, 1]))
        let permissions = try FileManager.default.attributesOfItem(atPath: first)[.posixPermissions] as? Int
        #expect(permissions == 0o644)
        // The same picture has the same URL, and another picture has another URL.
        #expect(cache.publish(try picture(1)) == first)
        let second = try #require(cache.publish(try picture(2)))
        #expect(second != first && second.hasSuffix(".jpg"))
        #expect(try files(in: folder).count == 2 && !FileManager.default.fileExists(atPath: first))
        #expect(cache.publish(nil) == nil)
        #expect(try files(in: folder) == ["of-others"])
    }

    @Test func publishesNothingWithoutAFolder() throws {
        var cache = PictureCache(folder: nil)
        #expect(cache.publish(try picture(1)) == nil)
        cache = PictureCache(folder: "/nowhere/at/all")
        #expect(cache.publish(try picture(1)) == nil)
    }

    @Test func leavesOutALargePictureBesideATrackAndWhatIsNotAFile() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tacet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let cover = folder.appendingPathComponent("cover.jpg").path
        let reader = TagReader(pictures: nil)
        func art() throws -> String? {
            reader.read(Track(path: folder.appendingPathComponent("track.mp3").path))
            var news = pollfd(fd: reader.descriptor, events: Int16(POLLIN), revents: 0)
            #expect(poll(&news, 1, 10_000) == 1)
            return try #require(reader.takeCard()).art
        }
        #expect(FileManager.default.createFile(atPath: cover, contents: nil))
        #expect(truncate(cover, 8 << 20) == 0)
        #expect(try art() == cover)
        #expect(truncate(cover, (8 << 20) + 1) == 0)
        #expect(try art() == nil)
        #expect(unlink(cover) == 0 && mkfifo(cover, 0o600) == 0)
        #expect(try art() == nil)
        reader.quit()
    }

    /// A picture in a file becomes a path for clients. The file contains only its tags.
    @Test func publishesThePictureOfATrack() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tacet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let content: [UInt8] = [0] + Array("image/jpeg".utf8) + [0, 3, 0, 0xff, 0xd8, 0xff, 0xe0]
        let frame = Array("APIC".utf8) + [0, 0, 0, UInt8(content.count), 0, 0] + content
        let track = folder.appendingPathComponent("track.mp3").path
        try Data(Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame).write(
            to: URL(fileURLWithPath: track))

        let reader = TagReader(pictures: folder.path)
        reader.read(Track(path: track))
        var news = pollfd(fd: reader.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&news, 1, 10_000) == 1)
        let card = try #require(reader.takeCard())
        let art = try #require(card.art)
        #expect(FileManager.default.contents(atPath: art) == Data([0xff, 0xd8, 0xff, 0xe0]))
        reader.quit()
    }
}

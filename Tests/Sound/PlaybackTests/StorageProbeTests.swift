import Foundation
import Testing

@testable import Playback

/// The probe, which checks the library's folder or, without a library, the folder that all tracks have in common.
@Suite struct StorageProbeTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("usb/one")
        try folder.makeFolder("usb/two")
        for name in ["usb/one/1.wav", "usb/two/2.wav", "other"] { try folder.write("x", to: name) }
    }

    private func probe(_ names: [String], devices: String = "/nowhere") -> StorageProbe {
        StorageProbe(
            names.map { Track(path: $0.first == "/" || $0.contains(":") ? $0 : folder.path($0)) }, devices: devices)
    }

    private func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: folder.path(name)) }

    private let both = ["usb/one/1.wav", "usb/two/2.wav"]

    @Test func storageIsAvailableWhenOneFileIsMissing() throws {
        try remove("usb/one/1.wav")
        #expect(!probe(both).isGone())
    }

    @Test func storageIsAvailableWhenOneAlbumIsEmptiedOrDeleted() throws {
        try remove("usb/one/1.wav")
        #expect(!probe(both).isGone())
        try remove("usb/one")
        #expect(!probe(both).isGone())
    }

    @Test func storageIsLostWhenItsMountPointIsEmpty() throws {
        try remove("usb/one")
        try remove("usb/two")
        #expect(probe(both).isGone())
        #expect(probe(["usb/one/1.wav"]).isGone())
        #expect(probe(both + ["http://host/x.mp3"]).isGone())
    }

    /// All tracks are in one album, but the library's folder decides.
    @Test func storageIsAvailableWhenTheOnlyAlbumIsEmptiedOrReplaced() throws {
        try remove("usb/two")
        let probe = StorageProbe([Track(path: folder.path("usb/one/1.wav"))], library: folder.path("usb"))
        try remove("usb/one/1.wav")
        #expect(!probe.isGone())
        try remove("usb/one")
        #expect(probe.isGone())
        try folder.makeFolder("usb/new")
        #expect(!probe.isGone())
    }

    @Test func ignoresTheFolderOfAPlaylist() throws {
        let probe = StorageProbe([Track(path: folder.path("usb/one/1.wav"))], library: folder.path("list.m3u"))
        try remove("usb/one/1.wav")
        #expect(probe.isGone())
    }

    @Test func storageIsLostWhenItsMountPointIsMissingBelowAnEmptyFolder() throws {
        try folder.makeFolder("media/usb")
        try remove("media/usb")
        #expect(probe(["media/usb/one/1.wav", "media/usb/two/2.wav"]).isGone())
    }

    @Test func storageIsAvailableWhenOnlyOneOfSeveralDisksIsMissing() throws {
        try remove("usb/one")
        try remove("usb/two")
        #expect(!probe(both + ["other"]).isGone())
        #expect(!probe(["/nowhere/1.wav", "relative/2.wav"]).isGone())
        #expect(!probe([]).isGone())
    }

    @Test func splitsDeviceNumbersIntoMajorAndMinor() {
        #expect(StorageProbe.numbers(of: 0x811) == (8, 17))
        #expect(StorageProbe.numbers(of: 0x1234_5678_9abc_def0) == (0x1234_5cde, 0x6789_abf0))
    }

    /// After a disk was unplugged, cached folders can still be read.
    @Test func storageIsLostWhenTheKernelNoLongerHasItsDevice() throws {
        var status = stat()
        #expect(stat(folder.path, &status) == 0)
        let (major, minor) = StorageProbe.numbers(of: status.st_dev)
        try folder.makeFolder("block")
        #expect(probe(both, devices: folder.path("block")).isGone() == (major != 0))
        try folder.write("", to: "block/\(major):\(minor)")
        #expect(!probe(both, devices: folder.path("block")).isGone())
    }
}

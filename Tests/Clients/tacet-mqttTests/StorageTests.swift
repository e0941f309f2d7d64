import Foundation
import Glibc
import Synchronization
import Testing

@testable import Fleet
@testable import tacet_mqtt

/// The files that tacet-mqtt writes to the disk.
struct StorageTests {
    /// A separate folder that is deleted when this object is deallocated.
    private final class Scratch {
        let folder: URL

        init() throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("storage-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

        func names(_ name: String) throws -> Set<String> {
            Set(try FileManager.default.contentsOfDirectory(atPath: path(name)))
        }
    }

    private func audio(_ number: Int, size: Int = 8) -> CarriedAudio {
        CarriedAudio(Array("\(number)".utf8) + [UInt8](repeating: 0, count: size))
    }

    /// Stages audio and gives Tacet's answer.
    private func announce(
        _ audio: CarriedAudio, _ cache: AudioCache, accepted: Bool = true, at now: Duration = .zero
    ) throws -> Bool {
        guard case .staged = try cache.file(of: audio) else { return false }
        return try cache.settle(audio.hash, wasAccepted: accepted, at: now)
    }

    @Test func audioIsWrittenToTheDiskOnlyWhenTacetHasAcceptedIt() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path("disk"), withIntermediateDirectories: true)
        let cache = AudioCache(folder: scratch.path("disk"), staging: scratch.path("memory"))
        guard case .staged(let path) = try cache.file(of: audio(1)) else { return #expect(Bool(false)) }
        #expect(FileManager.default.contents(atPath: path).map(Array.init) == audio(1).bytes)
        #expect(try scratch.names("disk").isEmpty)
        #expect(try cache.settle(audio(1).hash, wasAccepted: false, at: .zero))
        #expect(try scratch.names("disk").isEmpty && scratch.names("memory").isEmpty)
        #expect(try announce(audio(1), cache))
        #expect(try scratch.names("disk") == [audio(1).hash] && scratch.names("memory").isEmpty)
        guard case .kept(let kept) = try cache.file(of: audio(1)) else { return #expect(Bool(false)) }
        #expect(FileManager.default.contents(atPath: kept).map(Array.init) == audio(1).bytes)
    }

    @Test func audioStaysForTheLastOfTwoAnnouncements() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path("disk"), withIntermediateDirectories: true)
        let cache = AudioCache(folder: scratch.path("disk"), staging: scratch.path("memory"))
        for _ in 0..<2 {
            guard case .staged = try cache.file(of: audio(1)) else { return #expect(Bool(false)) }
        }
        #expect(try cache.settle(audio(1).hash, wasAccepted: true, at: .zero))
        #expect(try scratch.names("memory") == [audio(1).hash])
        #expect(try cache.settle(audio(1).hash, wasAccepted: true, at: .zero))
        #expect(try scratch.names("memory").isEmpty)
    }

    @Test func stagedAudioIsBoundedAndThatOfAnEarlierRunIsDeleted() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path("memory"), withIntermediateDirectories: true)
        for name in [audio(0).hash, audio(1).hash + ".new", "notes"] {
            try Data().write(to: URL(fileURLWithPath: scratch.path("memory/\(name)")))
        }
        let cache = AudioCache(folder: scratch.path("disk"), staging: scratch.path("memory"))
        #expect(try scratch.names("memory") == ["notes"])
        for number in 10..<18 {
            guard case .staged = try cache.file(of: audio(number, size: (2 << 20) - 2)) else {
                return #expect(Bool(false), "\(number)")
            }
        }
        guard case .noRoom = try cache.file(of: audio(18)) else { return #expect(Bool(false)) }
    }

    @Test func writesOfAnHourAreBounded() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path("disk"), withIntermediateDirectories: true)
        let cache = AudioCache(folder: scratch.path("disk"), staging: scratch.path("memory"))
        for number in 0..<WriteBudget.mostFiles { #expect(try announce(audio(number), cache)) }
        #expect(try !announce(audio(1000), cache, at: .seconds(3599)))
        #expect(try scratch.names("disk").count == WriteBudget.mostFiles && scratch.names("memory").isEmpty)
        #expect(try announce(audio(1000), cache, at: .seconds(3600)))
        #expect(try scratch.names("disk").contains(audio(1000).hash))
    }

    /// Otherwise, a power cut could make the board execute a request twice.
    @Test func idsAreOnTheDiskBeforeTheirRequestsArePassedOn() throws {
        let scratch = try Scratch()
        let file = IDFile(scratch.path("ids"))
        #expect(try file.load().isEmpty)
        let entries = [IDMemory.Entry(id: "a", checksum: 1), IDMemory.Entry(id: "b", checksum: 2)]
        try file.add(entries, of: entries)
        var status = stat()
        #expect(stat(scratch.path("ids"), &status) == 0)
        #expect(Syncs.size(ofFile: status.st_ino) == Int(status.st_size), "some bytes were not synced")
        #expect(try IDFile(scratch.path("ids")).load() == entries)
    }
}

/// The size that each file had when it was last synced.
private enum Syncs {
    private static let sizes = Mutex<[ino_t: Int]>([:])

    static func size(ofFile number: ino_t) -> Int? { sizes.withLock { $0[number] } }

    static func note(_ descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return }
        sizes.withLock { $0[status.st_ino] = Int(status.st_size) }
    }
}

/// Replaces the system's function in this process.
@_cdecl("fsync") public func notedSync(_ descriptor: Int32) -> Int32 {
    Syncs.note(descriptor)
    return fdatasync(descriptor)
}

import ALSA
import Foundation
import Glibc
import SoundLab
import Testing

@testable import Playback

/// Files that are loaded in order to be played once, with the conditions for accepting them and the parts that are
/// kept.
@Suite struct SoundClipTests {
    let folder: TemporaryFolder
    private static let format = StreamFormat(rate: 48_000, channels: 2)

    init() throws {
        folder = try TemporaryFolder()
    }

    private func load(_ path: String) throws(DecoderError) -> SoundClip {
        try SoundClip.load(path, format: Self.format)
    }

    private func error(_ path: String) -> DecoderError? {
        do throws(DecoderError) {
            _ = try load(path)
            return nil
        } catch { return error }
    }

    /// Returns the numbers that the frames in memory contain.
    private func numbers(_ memory: SoundMemory) -> [Int] {
        (0..<memory.frames).map { Int((memory.samples[$0 * memory.format.channels] * 0x1p23).rounded()) }
    }

    @Test(arguments: Encoding.allCases) func everyFormatOfALibraryIsLoaded(encoding: Encoding) throws {
        let name = encoding == .mp3 ? "clip.mp3" : "clip"
        let clip = try load(folder.encode(music(frames: 48_000), to: name, encoding))
        #expect(clip.memory.isWhole && clip.memory.format == Self.format)
        // An MP3 contains padding.
        #expect(abs(clip.length / .seconds(1) - 1) < (encoding == .mp3 ? 0.06 : 0.001))
    }

    @Test func mp3ThatBeginsWithSomethingElseIsLoaded() throws {
        try folder.encode(music(frames: 48_000), to: "song.mp3", .mp3)
        let bytes = try Array("An address of a web site, perhaps. ".utf8) + folder.bytes(of: "song.mp3")
        let path = try folder.write(bytes, to: "odd.mp3")
        let expected = try SoundMemory.read(Sound(file: Track(path: path), gain: 1), format: Self.format)
        let clip = try load(path)
        #expect(clip.memory.frames == expected.frames && clip.memory.isWhole)
    }

    @Test func clipIsReadWithoutItsFile() throws {
        let path = folder.path("clip.wav")
        try TestMusic.writeNumbers(to: path, frames: 24_000)
        let clip = try load(path)
        unlink(path)
        #expect(numbers(clip.memory) == Array(1...24_000))
        #expect(try numbers(clip.read(in: Self.format)) == Array(1...24_000))
        let other = StreamFormat(rate: 44_100, channels: 1)
        let again = try clip.read(in: other)
        #expect(again.format == other && again.frames == 22_050 && again.isWhole)
    }

    /// Otherwise, 17 clips would need hundreds of megabytes.
    @Test func onlyTenSecondsAreDecodedInAdvance() throws {
        let path = folder.path("long.flac")
        try folder.encode(music(frames: 8000 * 30), to: "long.flac", .flac16, rate: 8000)
        let clip = try load(path)
        unlink(path)
        #expect(!clip.memory.isWhole && clip.memory.frames == 480_000 && clip.length == .seconds(30))
        let stream = SoundStream(
            clip.file, format: Self.format, repeats: false, fileSize: clip.memory.fileSize)
        try stream.open(at: 0, after: clip.memory.frames)
        stream.fill()
        #expect(stream.failure == nil && stream.rest.pointee.readiness.value == 1)
    }

    @Test func fileThatIsNotAudioIsRejectedWithoutWaiting() throws {
        try folder.makeFolder("folder")
        mkfifo(folder.path("pipe"), 0o644)
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        let cases: [(String, DecoderError.Reason, String)] = [
            ("missing.wav", .cannotOpen, "No such file"), ("folder", .cannotOpen, "not a regular file"),
            ("pipe", .cannotOpen, "not a regular file"),
            (try folder.write([], to: "empty.wav"), .noAudio, "0 bytes"),
            (try folder.write("Dear diary\n", to: "text.opus"), .notAudio, ""),
            (try folder.write("Dear diary\n", to: "text.mp3"), .notAudio, ""),
            ("/dev/zero", .cannotOpen, "not a regular file"), ("/dev/full", .cannotOpen, "not a regular file"),
            ("/proc/self/mem", .noAudio, "0 bytes"), ("/", .cannotOpen, "not a regular file"),
            ("clip\0.wav", .cannotOpen, "zero byte"),
        ]
        for (name, reason, words) in cases {
            let error = error(name.hasPrefix("/") ? name : folder.path(name))
            #expect(error?.reason == reason, "\(name): \(String(describing: error))")
            #expect(words.isEmpty || error?.message.contains(words) == true, "\(name): \(String(describing: error))")
        }
    }

    @Test func unreadableFolderIsAReasonWithThePath() throws {
        let deep = UnreadableFolder(in: folder.path)
        let path = folder.path(Array(repeating: String(repeating: "x", count: 250), count: 17).joined(separator: "/"))
        #expect(error(path + "/clip.wav")?.reason == .cannotOpen)
        withExtendedLifetime(deep) {}
    }

    @Test func largestFileIsLoadedAndALargerOneIsNot() throws {
        let path = folder.path("clip.wav")
        try TestMusic.writeNumbers(to: path, frames: 24_000)
        let bytes = try folder.bytes(of: "clip.wav")
        let filler = [UInt8](repeating: 0, count: SoundClip.largestFile - bytes.count)
        #expect(error(try folder.write(bytes + filler, to: "largest.wav")) == nil)
        let error = error(try folder.write(bytes + filler + [0], to: "larger.wav"))
        #expect(error?.message == "it has more than 2097152 bytes")
        // The file is sparse, so it takes no disk space.
        #expect(truncate(path, 1 << 40) == 0)
        #expect(self.error(path)?.message == "it has more than 2097152 bytes")
    }

    /// As in a sound's own file, damage beyond the part that is decoded in advance is also detected.
    @Test(arguments: [Encoding.flac16, .wav16])
    func damageWithinTheFirstMinuteIsRejected(_ encoding: Encoding) throws {
        try folder.encode(music(frames: 8000 * 30), to: "whole", encoding, rate: 8000)
        let bytes = try folder.bytes(of: "whole")
        let error = error(try folder.write(Array(bytes[..<(bytes.count * 9 / 10)]), to: "cut"))
        #expect(error?.reason == .damaged, "\(String(describing: error))")
    }

    /// The seeds are fixed, because a new seed for each run would not be reproducible. They are enough to cover the
    /// parsers' paths.
    @Test(arguments: Encoding.allCases) func brokenFilesAreRejectedOrLoadedButHarmNothing(encoding: Encoding) throws {
        try folder.encode(music(frames: 12_000), to: "whole.mp3", encoding)
        let bytes = try folder.bytes(of: "whole.mp3")
        for step in 1...60 {
            var broken = bytes
            for index in stride(from: step * 7, to: broken.count, by: step * 97 + 31) {
                broken[index] ^= UInt8(step | 1)
            }
            broken.removeLast(step * broken.count / 200)
            let path = try folder.write(broken, to: "broken.mp3")
            if let error = error(path) { #expect(error.path == path) }
        }
    }

    @Test func manyAtOnceAreLoadedAndReleased() throws {
        let path = folder.path("clip.wav")
        try TestMusic.writeNumbers(to: path, frames: 4800)
        let descriptors = { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        var clips = try (0..<17).map { _ in try load(path) }
        let before = try descriptors()
        clips += try (0..<100).map { _ in try load(path) }
        // A clip does not keep a descriptor. (Other tests may open some at the same time.)
        #expect(try descriptors() < before + 90)
        #expect(Set(clips).count == 117)
    }
}

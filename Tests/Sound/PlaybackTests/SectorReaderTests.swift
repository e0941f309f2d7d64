import Glibc
import SoundLab
import Testing

@testable import Playback

/// Files on disks with bad sectors, and on disks that fail.
@Suite struct SectorReaderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A disk that cannot read some bytes.
    private final class BadDisk {
        private let bad: Range<Int>
        private let code: CInt
        private(set) var failures = 0

        init(_ bad: Range<Int>, _ code: CInt = EIO) { (self.bad, self.code) = (bad, code) }

        /// Reads as the kernel does, which is up to the bad sector and not beyond it.
        func read(_ descriptor: CInt, _ buffer: UnsafeMutableRawBufferPointer, _ place: Int) -> Int {
            guard !bad.contains(place) else {
                failures += 1
                return -Int(code)
            }
            let count = place < bad.lowerBound ? min(buffer.count, bad.lowerBound - place) : buffer.count
            return pread(descriptor, buffer.baseAddress, count, place)
        }
    }

    private func open(_ path: String, on disk: BadDisk) throws -> any AudioFileReader {
        let (descriptor, bytes) = try Decoder.openRegular(Track(path: path))
        return try FileFormat.open(
            path, FileInput(owning: descriptor, SectorReader(descriptor, disk.read), bytes: bytes))
    }

    private func decode(_ reader: any AudioFileReader) throws -> (samples: [Float], gaps: [DecoderError]) {
        var (samples, gaps): ([Float], [DecoderError]) = ([], [])
        var block = [Float](repeating: 0, count: 2000)
        while case let count = try reader.read(into: &block, frames: 1000), count > 0 {
            samples += block[..<(2 * count)]
            if let gap = reader.takeGap() { gaps.append(gap) }
        }
        return (samples, gaps)
    }

    @Test(arguments: [Encoding.wav16, .flac16, .vorbis, .opus, .mp3], [1, 5])
    func badSectorsCostOnlyWhatTheyContain(_ encoding: Encoding, sectors: Int) throws {
        let path = try folder.encode(music(frames: 480_000), to: "music", encoding)
        let whole = try decodeAll(path)
        let start = try folder.bytes(of: "music").count / 2 / 4096 * 4096
        let (samples, gaps) = try decode(open(path, on: BadDisk(start..<start + sectors * 4096)))
        #expect(abs(samples.count - whole.count) < 2 * 2000, "\(samples.count) of \(whole.count)")
        #expect(gaps.first?.reason == .gap, "\(gaps)")
        #expect(gaps.first?.description.contains("Input/output error") == true, "\(gaps)")
        guard encoding == .wav16 || encoding == .flac16 else { return }
        #expect(samples.prefix(240_000) == whole.prefix(240_000) && samples.suffix(300_000) == whole.suffix(300_000))
    }

    /// The same happens on a disk that has been unplugged.
    @Test(arguments: [Encoding.wav16, .flac16, .vorbis, .mp3])
    func endOfAllReadingIsAFailure(_ encoding: Encoding) throws {
        let path = try folder.encode(music(frames: 480_000), to: "music", encoding)
        let bytes = try folder.bytes(of: "music").count
        let disk = BadDisk(bytes / 2..<Int.max)
        let reader = try open(path, on: disk)
        let error = thrown(DecoderError.self) { _ = try decode(reader) }
        #expect(error?.reason == .unreadable && reader.takeGap() == nil, "\(error as Any)")
        // libmpg123 reads the tag at the end first.
        let least = encoding == .mp3 ? 0 : 48_000
        #expect((least..<400_000).contains(reader.position), "\(reader.position)")
        #expect(disk.failures < 200, "\(disk.failures)")
    }

    @Test func otherErrorsConcernTheWholeFile() throws {
        let path = try folder.encode(music(frames: 480_000), to: "music", .wav16)
        let error = thrown(DecoderError.self) { _ = try decode(open(path, on: BadDisk(8192..<12_288, ESTALE))) }
        #expect(error?.reason == .unreadable)
        let unknown = thrown(DecoderError.self) { _ = try open(path, on: BadDisk(0..<4096)) }
        #expect(unknown?.reason == .unreadable)
    }
}

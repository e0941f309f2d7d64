import CSndfile
import DiskLab
import Glibc
import Testing

@testable import Playback
@testable import Recording

/// Files in the form in which other programs read them.
@Suite struct LargeFileTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func write(_ bytes: [UInt8], _ name: String, length: Int? = nil) -> Int32 {
        let descriptor = open(folder.path + "/" + name, O_RDWR | O_CREAT | O_TRUNC, 0o600)
        _ = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if let length { ftruncate(descriptor, length) }
        lseek(descriptor, 0, SEEK_SET)
        return descriptor
    }

    /// The file is sparse, so only its head is written.
    @Test(arguments: [1_000_000_000, 4_294_966_000, 4_294_967_296, 20_000_000_000] as [Int])
    func wavBecomesRF64BeyondFourGigabytes(data: Int) throws {
        let format = RecordedFormat(.init(rate: 48_000, channels: 2), bits: 16)
        let head = WAVStreamFormat.head(format, data: data, tags: [("ICMT", "test")], length: 512)
        #expect(head.count == 512)
        let descriptor = write(head, "large.wav", length: 512 + data)
        defer { close(descriptor) }
        var info = SF_INFO()
        let file = try #require(sf_open_fd(descriptor, Int32(SFM_READ), &info, 0))
        defer { sf_close(file) }
        #expect(Int(info.frames) == data / 4)
        let isLarge = data + 504 > Int(UInt32.max)
        #expect(Int(info.format) & Int(SF_FORMAT_TYPEMASK) == Int(isLarge ? SF_FORMAT_RF64 : SF_FORMAT_WAV))
        #expect(sf_get_string(file, Int32(SF_STR_COMMENT)).map { String(cString: $0) } == "test")
    }

    private func read(_ descriptor: Int32) throws -> [Float] {
        let input = FileInput(owning: descriptor, bytes: Int(lseek(descriptor, 0, SEEK_END)))
        let reader = try FLACReader.open("recording.flac", input, isOgg: false)
        var samples: [Float] = []
        var block = [Float](repeating: 0, count: 1000 * reader.format.channels)
        while case let count = try reader.read(into: &block, frames: 1000), count > 0 {
            samples += block[..<(count * reader.format.channels)]
        }
        return samples
    }

    /// A power cut leaves such a file.
    @Test func playerReadsAFLACFileOfUnknownLength() throws {
        let disk = LabDisk.forRecordings()
        var run = WriterRun(disk, seed: 1, type: .flac) { $0.segment = .seconds(100) }
        for _ in 0..<30 {
            try run.write(777)
            if run.frames % 2 == 0 { try run.writer.flush() }
        }
        try run.writer.flush()
        let path = try #require(run.writer.currentFile)
        let bytes = try #require(disk[path])
        let scale = Float(Int32(1) << Int32(run.format.bits - 1))
        #expect(try read(write(bytes, "recording.flac")) == run.samples.map { Float($0) / scale })
    }

    /// The numbers have up to 36 bits, in up to seven bytes.
    @Test(arguments: [0, 127, 128, 2047, 2048, 65_535, 65_536, 1 << 21, 1 << 26, 1 << 31, 1 << 35])
    func blocksAreNumberedBySample(number: Int) throws {
        let format = RecordedFormat(.init(rate: 48_000, channels: 1), bits: 16)
        let samples = (0..<100).map { Int32($0) }
        let bytes = try #require(FLACStreamFormat.encode(samples, frames: 100, from: number, format))
        #expect(try read(write(bytes, "block.flac")) == samples.map { Float($0) / 32_768 })
        #expect(bytes[1] & 1 == 1)
    }
}

import ALSA
import Foundation
import SoundLab
import Testing

@testable import Playback

@Suite struct OutputTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func writesToTheNullDevice() throws {
        let output = try ALSAOutput("null", format: StreamFormat(rate: 96_000, channels: 2))
        #expect(output.format == StreamFormat(rate: 96_000, channels: 2))
        #expect(output.configuration.bufferFrames >= output.configuration.periodFrames)
        try output.write(counter(frames: 20_000), frames: 20_000)
        try output.finish()
    }

    @Test func reportsAnUnknownDevice() {
        let error = thrown(PCMError.self) {
            _ = try ALSAOutput("no-such-device", format: StreamFormat(rate: 48_000, channels: 2))
        }
        #expect(error?.code == ENOENT)
        #expect(error?.description.contains("open \"no-such-device\": No such file or directory") == true)
        #expect(error?.description.contains("aplay -L") == true)
    }

    @Test func reportsAnImpossibleFormat() {
        let error = thrown(PCMError.self) {
            _ = try ALSAOutput("null", format: StreamFormat(rate: 48_000, channels: 0))
        }
        #expect(error?.code == EINVAL)
        #expect(error?.operation.contains("0 channels") == true)
    }

    @Test(arguments: [1, 2, 8], [1, 100, 5000, 70_000])
    func captureDeliversEverySample(channels: Int, blockFrames: Int) throws {
        let frames = 90_000
        let sent = (0..<frames * channels).map { Int32(truncatingIfNeeded: $0 &* 2_654_435) }
        var got: [Int32] = []
        let output = try CapturedOutput(format: StreamFormat(rate: 44_100, channels: channels)) { samples, count in
            got.append(contentsOf: UnsafeBufferPointer(start: samples, count: count * channels))
        }
        var done = 0
        let limit = blockFrames == 1 ? 9000 : frames
        try sent.withUnsafeBufferPointer { buffer in
            while done < limit, let start = buffer.baseAddress {
                let count = min(blockFrames, limit - done)
                try output.write(start + done * channels, frames: count)
                done += count
            }
        }
        try output.finish()
        try output.finish()
        #expect(got == Array(sent[..<(limit * channels)]))
        let error = thrown(PCMError.self) { try output.write(sent, frames: 1) }
        #expect(error?.description.contains("because it is closed") == true)
    }

    @Test func captureFinishesWithoutAnyFrames() throws {
        let output = try CapturedOutput(format: StreamFormat(rate: 48_000, channels: 2)) { _, _ in
            Issue.record("nothing was written")
        }
        try output.finish()
    }

    @Test func captureThrowsTheConsumersError() throws {
        let output = try CapturedOutput(format: StreamFormat(rate: 48_000, channels: 2)) { _, _ throws(PCMError) in
            throw .system(ENOSPC, operation: "write to", device: "disk")
        }
        let error = thrown(PCMError.self) { try output.write(counter(frames: 9000), frames: 9000) }
        #expect(error?.code == ENOSPC)
    }

    @Test func writesAPlainWAVFile() throws {
        let path = folder.path("out.wav")
        let samples = music(frames: 10_000)
        let writer = try AudioFileWriter.create(path, format: StreamFormat(rate: 44_100, channels: 2))
        try writer.write(samples, frames: 9000)
        try writer.write(samples[18_000...].map { Float(Double($0) / 0x1p31) }, frames: 1000)
        #expect(writer.frames == 10_000)
        try writer.finish()
        try writer.finish()
        let bytes = try folder.bytes(of: "out.wav")
        #expect(bytes.count == 44 + 10_000 * 8)
        #expect(Array(bytes[20..<22]) == [1, 0])
        let integers = bytes[44...].withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
        #expect(Array(integers[..<18_000]) == Array(samples[..<18_000]))
        #expect(zip(integers[18_000...], samples[18_000...]).allSatisfy { abs(Int($0) - Int($1)) <= 128 })
        #expect(try Decoder.open(path).frameCount == 10_000)
        let late = thrown(PCMError.self) { try writer.write(samples, frames: 1) }
        #expect(late?.description.contains("finished") == true)
    }

    @Test func creatingAFileReportsAFullDisk() throws {
        let descriptor = open("/dev/full", O_RDWR)
        try #require(descriptor >= 0)
        let error = thrown(PCMError.self) {
            _ = try AudioFileWriter(
                descriptor: descriptor, path: "/mnt/full.wav", format: StreamFormat(rate: 48_000, channels: 2))
        }
        #expect(error?.code == ENOSPC)
        #expect(error?.description.contains("\"/mnt/full.wav\": No space left on device") == true)
    }

    @Test func writingReportsADiskThatFillsUp() throws {
        let descriptor = open(folder.path("filling.wav"), O_RDWR | O_CREAT, 0o600)
        try #require(descriptor >= 0)
        let writer = try AudioFileWriter(
            descriptor: descriptor, path: "filling.wav", format: StreamFormat(rate: 48_000, channels: 2))
        try writer.write(counter(frames: 5000), frames: 5000)
        // From here on, writes fail with ENOSPC.
        let full = open("/dev/full", O_RDWR)
        try #require(dup2(full, descriptor) == descriptor)
        close(full)
        let error = thrown(PCMError.self) { try writer.write(counter(frames: 5000), frames: 5000) }
        #expect(error?.code == ENOSPC)
        #expect(error?.operation == "write to")
        let last = thrown(PCMError.self) { try writer.finish() }
        #expect(last?.code == ENOSPC)
        try writer.finish()
    }

    @Test func reportsADescriptorThatIsNotWritable() throws {
        try folder.write("", to: "readonly.wav")
        let descriptor = open(folder.path("readonly.wav"), O_RDONLY)
        try #require(descriptor >= 0)
        let error = thrown(PCMError.self) {
            _ = try AudioFileWriter(
                descriptor: descriptor, path: "readonly.wav", format: StreamFormat(rate: 48_000, channels: 2))
        }
        #expect(error?.code == EBADF)
    }

    @Test func reportsAFileThatCannotBeCreated() {
        let error = thrown(PCMError.self) {
            _ = try AudioFileWriter.create(
                folder.path("no/such/folder.wav"), format: StreamFormat(rate: 48_000, channels: 2))
        }
        #expect(error?.code == ENOENT)
    }
}

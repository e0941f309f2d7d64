import CALSA
import Testing

@testable import ALSA

@Suite struct PCMTests {
    private func null(_ name: String = "silent") throws -> PCM {
        try PCM.open(PCMAddress(name, definedBy: "pcm.\(name) { type null }"), blocks: false)
    }

    private func error(_ body: () throws -> Void) -> PCMError? {
        do {
            try body()
            return nil
        } catch {
            return error as? PCMError
        }
    }

    @Test(arguments: SampleFormat.allCases)
    func configuresEverySampleFormat(format: SampleFormat) throws {
        let pcm = try null()
        let request = PCMRequest(
            StreamFormat(rate: 44_100, channels: 2), sampleFormats: [format], periodFrames: 512, bufferFrames: 4096)
        let configuration = try pcm.configure(request)
        #expect(configuration.sampleFormat == format)
        #expect(configuration.format == StreamFormat(rate: 44_100, channels: 2))
        #expect(configuration.bytesPerFrame == 2 * format.bytesPerSample)
        #expect(configuration.description.contains("44100 Hz, 2 ch, period of \(configuration.periodFrames) frames"))
        let samples = [UInt8](repeating: 0, count: 100 * configuration.bytesPerFrame)
        #expect(try pcm.write(samples, frames: 100) == 100)
    }

    /// Many cards support only one format and rate.
    @Test func usesTheNearestSupportedConfiguration() throws {
        let definition = """
            pcm.fixed { type rate slave { pcm "inner" format S16_LE rate 48000 } }
            pcm.inner { type null }
            """
        let pcm = try PCM.open(PCMAddress("fixed", definedBy: definition), blocks: false)
        let configuration = try pcm.configure(
            PCMRequest(StreamFormat(rate: 48_000, channels: 2), periodFrames: 480, bufferFrames: 4800))
        #expect(configuration.format.channels == 2)
    }

    @Test func errorsContainTheOperationAndALSAsMessage() throws {
        let missing = error { _ = try PCM.open(PCMAddress("nowhere"), quietly: true) }
        #expect(missing?.code == ENOENT && missing?.operation == "open" && missing?.device == "nowhere")
        #expect(missing?.message == "No such file or directory")
        let nonsense = error {
            _ = try PCM.open(PCMAddress("odd", definedBy: "pcm.odd { type of a kind }"), quietly: true)
        }
        #expect(nonsense?.description.contains("\"odd\"") == true)
        let pcm = try null()
        let wide = error {
            var request = PCMRequest(StreamFormat(rate: 48_000, channels: 0), periodFrames: 480, bufferFrames: 4800)
            request.needsChannels = true
            _ = try pcm.configure(request)
        }
        #expect(wide?.operation == "set 0 channels on")
    }

    @Test func callsFailWithEBADFAfterClose() throws {
        var pcm = try null()
        pcm.close()
        #expect(pcm.state == .disconnected)
        for call in 0..<9 {
            var fault: PCMFault?
            do throws(PCMFault) {
                switch call {
                case 0: _ = try pcm.write([UInt8](repeating: 0, count: 4), frames: 1)
                case 1: _ = try pcm.available()
                case 2: _ = try pcm.delay()
                case 3: try pcm.prepare()
                case 4: try pcm.start()
                case 5: try pcm.resume()
                case 6: _ = try pcm.readable()
                case 7:
                    var frame = [UInt8](repeating: 0, count: 4)
                    _ = try pcm.read(&frame, frames: 1)
                default: try pcm.drop()
                }
            } catch {
                fault = error
            }
            #expect(fault?.code == EBADF, "call \(call)")
        }
        #expect(
            PCMError(PCMFault(.write, code: -ENODEV), device: "hw:0").description.hasPrefix("cannot write to \"hw:0\""))
    }

    @Test func capturesFrames() throws {
        let pcm = try PCM.open(
            PCMAddress("silent", definedBy: "pcm.silent { type null }"), for: .capture, blocks: false)
        let configuration = try pcm.configure(
            PCMRequest(
                StreamFormat(rate: 48_000, channels: 1), sampleFormats: [.s16], periodFrames: 480, bufferFrames: 4800))
        try pcm.start()
        #expect(pcm.state == .running)
        #expect(try pcm.readable() > 0)
        var samples = [Int16](repeating: 0, count: 100)
        #expect(configuration.bytesPerFrame == 2)
        #expect(try pcm.read(&samples, frames: 100) == 100)
    }

    @Test func providesPollDescriptors() throws {
        let pcm = try null()
        _ = try pcm.configure(
            PCMRequest(StreamFormat(rate: 48_000, channels: 2), periodFrames: 480, bufferFrames: 4800))
        #expect(try !pcm.pollDescriptors().isEmpty)
    }
}

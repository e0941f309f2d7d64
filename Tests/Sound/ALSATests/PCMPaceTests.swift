import CALSA
import Testing

@testable import ALSA

/// Devices that end in ALSA's null PCM, which run in real time on request.
@Suite struct PCMPaceTests {
    private let second = 1_000_000_000
    private var pace = PCMPace(
        PCMConfiguration(
            format: .init(rate: 48_000, channels: 2), sampleFormat: .s16, periodFrames: 480, bufferFrames: 9600,
            card: nil))

    @Test mutating func bufferIsPlayedInRealTime() {
        #expect(pace.isActive && pace.room(at: second) == 9600 && pace.queued(at: second) == 0)
        pace.write(9600, at: second)
        #expect(pace.room(at: second) == 0)
        #expect(pace.queued(at: second + second / 10) == 4800 && pace.room(at: second + second / 10) == 4800)
        pace.write(4800, at: second + second / 10)
        #expect(pace.room(at: second + second / 10) == 0)
        // The device runs dry, and starts again with the next frame.
        #expect(pace.queued(at: 5 * second) == 0)
        pace.write(480, at: 5 * second)
        #expect(pace.queued(at: 5 * second + second / 200) == 240)
        pace.stop()
        #expect(pace.room(at: 5 * second + second / 200) == 9600)
    }

    /// The clock does not drift even over years.
    @Test mutating func clockDoesNotDrift() {
        var now = second
        for _ in 0..<1000 {
            pace.write(pace.room(at: now), at: now)
            now += second / 10
            #expect(pace.queued(at: now) == 4800)
        }
        pace.write(4800, at: now)
        #expect(pace.queued(at: now + 3600 * 24 * 365 * second) == 0)
        pace.startCapturing(at: now)
        #expect(pace.captured(at: now + 3600 * 24 * 365 * second) == 9600)
    }

    @Test mutating func framesAreCapturedInRealTime() {
        #expect(pace.captured(at: second) == 0)
        pace.startCapturing(at: second)
        #expect(pace.captured(at: second + second / 10) == 4800)
        pace.read(4800)
        #expect(pace.captured(at: second + second / 10) == 0)
        // Frames that do not fit are skipped.
        #expect(pace.captured(at: 9 * second) == 9600)
        pace.read(9600)
        #expect(pace.captured(at: 9 * second + second / 100) == 480)
    }

    private static let definition = """
        pcm.nothing { type null }
        pcm.plugged { type plug slave.pcm nothing }
        pcm.paper { type file slave.pcm plugged file "/dev/null" format raw }
        """

    /// The limit also applies to devices behind plug-ins. The bounds hold however slow the machine is.
    @Test(arguments: ["nothing", "plugged", "paper"]) func deviceTakesNoMoreThanItCouldPlay(name: String) throws {
        let pcm = try PCM.open(PCMAddress(name, definedBy: Self.definition), blocks: false)
        var request = PCMRequest(
            StreamFormat(rate: 48_000, channels: 2), sampleFormats: [.s16], periodFrames: 480, bufferFrames: 9600)
        request.isPaced = true
        let configuration = try pcm.configure(request)
        let samples = [UInt8](repeating: 0, count: configuration.bufferFrames * configuration.bytesPerFrame)
        let start = ContinuousClock.now
        var taken = 0
        for _ in 0..<1000 {
            do { taken += try pcm.write(samples, frames: configuration.bufferFrames) } catch {
                #expect(error.code == EAGAIN)
            }
        }
        let elapsed = ContinuousClock.now - start
        #expect(taken <= configuration.bufferFrames + Int(elapsed / .seconds(1) * 48_000) + 1)
        #expect(taken >= configuration.bufferFrames)
    }

    @Test func deviceIsAsFastAsItCanBeUnlessItIsPaced() throws {
        let pcm = try PCM.open(PCMAddress("nothing", definedBy: Self.definition), blocks: false)
        let configuration = try pcm.configure(
            PCMRequest(
                StreamFormat(rate: 48_000, channels: 2), sampleFormats: [.s16], periodFrames: 480, bufferFrames: 9600))
        let samples = [UInt8](repeating: 0, count: configuration.bufferFrames * configuration.bytesPerFrame)
        #expect(!pcm.pace.pointee.isActive)
        for _ in 0..<100 { #expect(try pcm.write(samples, frames: 4800) == 4800) }
    }

    @Test func microphoneDeliversNoMoreThanItCouldCapture() throws {
        let pcm = try PCM.open(PCMAddress("nothing", definedBy: Self.definition), for: .capture, blocks: false)
        var request = PCMRequest(
            StreamFormat(rate: 48_000, channels: 2), sampleFormats: [.s16], periodFrames: 480, bufferFrames: 9600)
        request.isPaced = true
        let configuration = try pcm.configure(request)
        try pcm.start()
        let start = ContinuousClock.now
        var samples = [UInt8](repeating: 0, count: configuration.bufferFrames * configuration.bytesPerFrame)
        var taken = 0
        for _ in 0..<1000 {
            do { taken += try pcm.read(&samples, frames: configuration.bufferFrames) } catch {
                #expect(error.code == EAGAIN)
            }
        }
        #expect(taken <= Int((ContinuousClock.now - start) / .seconds(1) * 48_000) + 1)
    }
}

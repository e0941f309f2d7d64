import ALSA
import CRealTime
import DiskLab
import SoundLab
import Testing

@testable import Recording

/// The storage thread's work, on this thread. The capturing thread has already left its frames and marks.
@Suite struct RecordingThreadTests {
    private let noon = Duration.milliseconds(1_795_356_192_200)
    private let mono = RecordedFormat(.init(rate: 8000, channels: 1), bits: 16)

    /// The frames after a gap have the times at which they were captured, as does a file that begins with one of them.
    @Test func fileAfterAGapHasTheTimeOfItsFirstFrame() throws {
        let disk = LabDisk.forRecordings()
        var settings = RecorderSettings(device: .init("hw:Microphone"), directory: "/recordings")
        settings.format = mono.stream
        settings.segment = .milliseconds(2500)
        let exchange = CaptureExchange(settings)
        let (ring, marks) = (exchange.lines.ring, exchange.lines.marks)
        let start = Int(realtime_now())
        let samples = [Int32](repeating: 1, count: 24_000)
        marks.push(CaptureMark(.format, value: PackedFormat.pack(mono)))
        marks.push(CaptureMark(.begin, order: 1, time: start))
        ring.write(samples, count: 8000, isSilent: false)
        // A second is lost.
        marks.push(CaptureMark(.gap, index: 8000, frame: 16_000, time: start + 2_000_000_000, value: 8000))
        ring.write(samples, count: 16_000, isSilent: false)
        marks.push(CaptureMark(.finish, index: 24_000, order: 2, frame: 32_000))
        marks.push(CaptureMark(.quit, index: 24_000, order: 3))
        let noon = noon
        RecordingThread(
            settings, exchange: exchange, inbox: RecorderInbox(bell: exchange.controlBell), calls: disk,
            wallClock: { noon + .nanoseconds(Int(realtime_now()) - start) }
        ).run()
        let names = ["12", "14"].map { "/recordings/2026-11-22T14-03-\($0)Z.flac" }
        #expect(disk.paths == names)
        let files = try names.map { name in
            let bytes = try #require(disk[name])
            return try #require(DecodedFile(bytes))
        }
        #expect(files.map(\.frames) == [20_000, 12_000] && files[0].samples[8000..<16_000].allSatisfy { $0 == 0 })
    }
}

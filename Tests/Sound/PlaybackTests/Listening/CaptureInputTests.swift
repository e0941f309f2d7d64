import ALSA
import Foundation
import SoundLab
import Testing

@testable import Playback

/// The thread that reads a capture device, with the devices of libasound and of a sound server.
@Suite(.serialized) struct CaptureInputTests {
    let input = LiveInput("desk")

    private struct Timeout: Error, CustomStringConvertible {
        let description: String
    }

    /// Waits for a report.
    @discardableResult
    private func wait(
        _ capture: CaptureInput, _ what: String, within timeout: Duration = .seconds(20),
        _ isWanted: (InputReport) -> Bool
    ) throws -> InputReport {
        let deadline = ContinuousClock.now + timeout
        while ContinuousClock.now < deadline {
            if let found = capture.takeReports().first(where: isWanted) { return found }
            poll(nil, 0, 2)
        }
        throw Timeout(description: "no \(what) within \(timeout)")
    }

    private func waitForFrames(_ capture: CaptureInput, more count: Int) throws {
        let deadline = ContinuousClock.now + .seconds(20)
        let turns = capture.turns
        while capture.turns < turns + count {
            guard ContinuousClock.now < deadline else { throw Timeout(description: "the thread does not turn") }
            poll(nil, 0, 2)
        }
    }

    private func isFailure(_ report: InputReport) -> Bool { if case .failed = report { true } else { false } }
    private func isArrival(_ report: InputReport) -> Bool { if case .arrived = report { true } else { false } }
    private func isEnd(_ report: InputReport) -> Bool { if case .ceased = report { true } else { false } }

    @Test func aDeviceThatDeliversSilenceIsNotAFault() throws {
        let device = PCMAddress("quiet", definedBy: "pcm.quiet { type null }")
        let capture = CaptureInput(device, threshold: 0.001, inputs: [input])
        try waitForFrames(capture, more: 10)
        #expect(capture.takeReports().isEmpty && input.buffer.writeIndex == 0)
        #expect(capture.stop(within: .seconds(5)))
    }

    @Test func aFileInPlaceOfADeviceArrives() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("tone.raw")
        let samples = (0..<48_000 * 20).flatMap { frame -> [Int16] in
            let sample = Int16(8000 * sin(Double(frame) * 0.06))
            return [sample, sample]
        }
        try samples.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: path))
        let device = PCMAddress(
            "tape",
            definedBy: """
                pcm.tape { type file slave.pcm { type null } file "/dev/null" infile "\(path)" format "raw" }
                """)
        let capture = CaptureInput(device, threshold: 0.001, inputs: [input])
        try wait(capture, "an arrival", isArrival)
        #expect(capture.stop(within: .seconds(5)))
        #expect(capture.statistics.frames > 0)
    }

    @Test func aMissingDeviceIsReportedOnceWithAdvice() throws {
        let device = PCMAddress("missing", definedBy: "pcm.missing { type hw card 31 }")
        let capture = CaptureInput(device, threshold: 0.001, inputs: [input])
        let report = try wait(capture, "a failure", isFailure)
        guard case .failed(let error) = report else { return }
        #expect("\(error)".contains("missing"), "\(error)")
        // The pauses of 100 and 200 ms have passed.
        let start = ContinuousClock.now
        while ContinuousClock.now < start + .milliseconds(500) { poll(nil, 0, 10) }
        #expect(capture.takeReports().isEmpty)
        #expect(capture.stop(within: .seconds(5)))
    }

    @Test func aServerThatDiesIsAFaultUntilItReturns() throws {
        let server = try PulseServer()
        let capture = CaptureInput(
            server.microphone, threshold: 0.01, inputs: [input], folders: [server.folder])
        try waitForFrames(capture, more: 5)
        #expect(capture.takeReports().isEmpty)
        let player = try play(on: server)
        try wait(capture, "an arrival", isArrival)
        player.end()
        try wait(capture, "an end", isEnd)
        server.die()
        try wait(capture, "a failure", isFailure)
        try server.start()
        try wait(capture, "a return", within: .seconds(60)) { $0 == .returned }
        let again = try play(on: server)
        try wait(capture, "an arrival", isArrival)
        again.end()
        #expect(capture.stop(within: .seconds(5)))
    }

    /// Plays noise on the server's sink.
    private func play(on server: PulseServer) throws -> Subprocess {
        try Subprocess(
            ["pacat", "--raw", "--format=s16le", "--rate=48000", "--channels=2", "/dev/urandom"],
            environment: server.environment)
    }
}

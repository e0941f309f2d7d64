import ALSA
import Foundation
import Saboteur
import SoundLab
import Testing
import Threads

@testable import Playback

/// Failures of every call of libasound with every error that it can return, once and several times. The music must
/// continue without skipped frames.
@Suite(.serialized) struct DeviceFaultTests {
    private static let running: [saboteur_call] = [SABOTEUR_AVAIL, SABOTEUR_WRITE, SABOTEUR_DELAY]
    private static let codes = [EPIPE, ESTRPIPE, EAGAIN, EINTR, EIO, ENODEV, EBADFD]

    /// Makes calls fail while playing, and continues as the supervisor would.
    /// - Parameter cause: an error that makes the engine call the failing function.
    private func survive(
        _ call: saboteur_call, _ result: Int32, after cause: Int32? = nil, times: Int32, in lab: EngineLab
    ) throws {
        saboteur_plan("speakers", call, result, times)
        if let cause { saboteur_plan("speakers", SABOTEUR_AVAIL, cause, times) }
        defer { saboteur_plan("speakers", call, 0, 0) }
        let before = lab.engine.playhead?.position ?? .zero
        try lab.pass("\(times) × \(call) \(result)") { event in
            if case .deviceReset = event {
                lab.engine.rebuild()
                lab.engine.play(gain: 1, over: .zero)
            }
            return saboteur_hits(call) >= times && (lab.engine.playhead?.position ?? .zero) > before + .milliseconds(50)
        }
    }

    @Test(arguments: [1, 4] as [Int32])
    func continuesAfterAnyErrorOfARunningDevice(times: Int32) throws {
        let lab = try EngineLab(output: .plugIn) {
            $0.handling.retry = Backoff(from: .milliseconds(10), to: .milliseconds(50))
        }
        let recording = try lab.record()
        try lab.play()
        try recording.waitForSound()
        for call in Self.running {
            for code in Self.codes { try survive(call, -code, times: times, in: lab) }
        }
        try recording.waitForMore(2400)
        let runs = NumberedRun.all(in: recording.finish())
        #expect(runs.count > 5)
        for (before, after) in zip(runs, runs.dropFirst()) {
            let step = after.number - before.next
            // Queued frames may be played twice, up to a buffer, because the queue has grown by now. Only frames
            // that the sink discarded with its stream may be missing, which are at most 50 ms.
            #expect((-9600...2400).contains(step), "\(step) frames at \(before.next)")
        }
    }

    /// The call that recovers a stream may itself fail.
    @Test(arguments: [(EPIPE, SABOTEUR_PREPARE), (ESTRPIPE, SABOTEUR_RESUME), (ESTRPIPE, SABOTEUR_PREPARE)])
    func continuesAfterARecoveryThatFails(fault: Int32, call: saboteur_call) throws {
        let lab = try EngineLab(output: .plugIn) {
            $0.handling.retry = Backoff(from: .milliseconds(10), to: .milliseconds(50))
        }
        let recording = try lab.record()
        try lab.play()
        defer {
            saboteur_plan("speakers", SABOTEUR_AVAIL, 0, 0)
            saboteur_plan("speakers", SABOTEUR_RESUME, 0, 0)
        }
        for times in [1, 4] as [Int32] {
            for code in Self.codes {
                // After a suspension, only hardware that cannot resume is prepared.
                if fault == ESTRPIPE, call == SABOTEUR_PREPARE {
                    saboteur_plan("speakers", SABOTEUR_RESUME, -ENOSYS, 2 * times)
                }
                try survive(call, -code, after: -fault, times: times, in: lab)
            }
        }
        try recording.waitForMore(2400)
        let runs = NumberedRun.all(in: recording.finish())
        #expect(runs.count > 5)
        for (before, after) in zip(runs, runs.dropFirst()) {
            let step = after.number - before.next
            #expect((-9600...2400).contains(step), "\(step) frames at \(before.next)")
        }
    }

    @Test(arguments: [SABOTEUR_OPEN, SABOTEUR_HW_PARAMS, SABOTEUR_SW_PARAMS])
    func retriesADeviceThatFailsToOpen(call: saboteur_call) throws {
        let server = try PulseServer()
        for code in [EBUSY, ENOENT, EIO, EAGAIN] {
            let lab = try EngineLab(server: server, output: .plugIn) {
                $0.handling.retry = Backoff(from: .milliseconds(10), to: .seconds(5))
            }
            // Parts of the configuration are attempted three times.
            saboteur_plan("speakers", call, -code, 5)
            defer { saboteur_plan("speakers", call, 0, 0) }
            lab.engine.load(track: 0, at: .zero)
            lab.engine.play(gain: 1, over: .zero)
            let lost = try lab.wait("loss") { if case .deviceLost(let error) = $0 { error } else { nil } }
            #expect(lost.code == code && lost.device == "speakers")
            _ = try lab.wait("reset") { if case .deviceReset = $0 { true } else { nil } }
            lab.engine.rebuild()
            lab.engine.play(gain: 1, over: .zero)
            _ = try lab.waitForEffect()
        }
    }

    /// The device never accepts a frame.
    @Test(arguments: [(SABOTEUR_WRITE, EAGAIN), (SABOTEUR_AVAIL, EAGAIN), (SABOTEUR_WRITE, EINTR)])
    func deviceThatIsAlwaysBusyIsLostWithoutABusyLoop(call: saboteur_call, code: Int32) throws {
        let lab = try EngineLab(output: .plugIn) { $0.handling.stallTimeout = .milliseconds(300) }
        try lab.play()
        saboteur_plan("speakers", call, -code, .max)
        defer { saboteur_plan("speakers", call, 0, 0) }
        _ = try lab.wait("loss") { if case .deviceLost = $0 { true } else { nil } }
        #expect(saboteur_hits(call) < 1000)
        saboteur_plan("speakers", call, 0, 0)
        _ = try lab.wait("reset") { if case .deviceReset = $0 { true } else { nil } }
        lab.engine.rebuild()
        lab.engine.play(gain: 1, over: .zero)
        _ = try lab.waitForEffect()
    }

    @Test(.enabled(if: saboteur_counts() != 0, "with a sanitizer, the loop is too slow for 37 frames at a time"))
    func shortWritesLoseNoFrames() throws {
        let lab = try EngineLab(output: .plugIn)
        let recording = try lab.record()
        try lab.play()
        try recording.waitForMore(2400)
        saboteur_plan("speakers", SABOTEUR_WRITE, 37, 400)
        defer { saboteur_plan("speakers", SABOTEUR_WRITE, 0, 0) }
        try recording.waitForMore(14_400)
        // The result is the same during a fade.
        lab.engine.silence(over: .milliseconds(30))
        try lab.wait(for: .faded)
        lab.engine.play(gain: 1, over: .zero)
        try recording.waitForMore(9600)
        #expect(saboteur_hits(SABOTEUR_WRITE) > 100)
        let runs = NumberedRun.all(in: recording.finish())
        #expect(runs.count == 2)
        guard runs.count == 2 else { return }
        #expect((0...16).contains(runs[0].next - runs[1].number))
    }

    @Test func playheadIgnoresANegativeDelay() throws {
        let lab = try EngineLab(output: .plugIn)
        try lab.play()
        saboteur_plan("speakers", SABOTEUR_DELAY, 5000, 1000)
        defer { saboteur_plan("speakers", SABOTEUR_DELAY, 0, 0) }
        var last = 0
        try lab.pass("continued playback") { _ in
            let frame = lab.engine.playhead?.frame ?? 0
            defer { last = frame }
            // The playhead never jumps back by more than the queue.
            #expect(frame >= last - 2400)
            return frame > 48_000
        }
    }
}

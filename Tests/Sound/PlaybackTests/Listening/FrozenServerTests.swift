import ALSA
import Foundation
import Saboteur
import SoundLab
import Testing

@testable import Playback

/// A sound server that stalls and then continues.
@Suite(.serialized) struct FrozenServerTests {
    private func loss(in lab: EngineLab) throws -> PCMError {
        try lab.wait("loss") { if case .deviceLost(let error) = $0 { error } else { nil } }
    }

    /// Resumes as the supervisor would.
    private func resume(_ lab: EngineLab) throws {
        _ = try lab.wait("reset") { if case .deviceReset = $0 { true } else { nil } }
        lab.engine.rebuild()
        lab.engine.play(gain: 1, over: .zero)
        _ = try lab.waitForEffect()
    }

    /// Returns the number of frames that are played twice at each break in the music. It is negative for skipped
    /// frames.
    private func repeated(in samples: [Int32]) -> [Int] {
        let runs = NumberedRun.all(in: samples)
        return zip(runs, runs.dropFirst()).map { $0.next - $1.number }
    }

    @Test func serverThatContinuesAfterALossRepeatsAndSkipsNothing() throws {
        let lab = try EngineLab {
            // A healthy server may not accept frames for as long as its queue lasts.
            $0.handling.stallTimeout = .seconds(2)
        }
        let recording = try lab.record()
        try lab.play()
        for _ in 0..<4 {
            try recording.waitForMore(9600)
            lab.server.freeze()
            #expect(try loss(in: lab).code == ETIMEDOUT)
            lab.server.thaw()
            try resume(lab)
        }
        try recording.waitForMore(9600)
        lab.engine.stop(within: .seconds(1))
        let repeats = repeated(in: recording.finish())
        print("repeated after a freeze: \(repeats)")
        #expect(repeats.count >= 4 && repeats.allSatisfy { $0 == 0 }, "\(repeats)")
    }

    /// The engine is reopening the device when the server continues, so the frames that it held are played twice.
    @Test func longFreezeRepeatsAtMostTheQueue() throws {
        let lab = try EngineLab(output: .plugIn) {
            $0.queue = .milliseconds(15)
            $0.handling.stallTimeout = .milliseconds(300)
            $0.standstillLimit = .milliseconds(50)
        }
        let recording = try lab.record()
        try lab.play()
        for _ in 0..<4 {
            // Waits until the start-up phase, in which the queue is longer, is over.
            try recording.waitForMore(150_000)
            lab.server.freeze()
            _ = try loss(in: lab)
            try lab.pass("the closing of the device") { _ in lab.engine.exchange.lines.phase.value == .closing }
            lab.server.thaw()
            try resume(lab)
        }
        try recording.waitForMore(9600)
        lab.engine.stop(within: .seconds(1))
        let repeats = repeated(in: recording.finish())
        print("repeated after a long freeze: \(repeats)")
        #expect(repeats.count >= 4 && repeats.allSatisfy { (0...2000).contains($0) }, "\(repeats)")
    }

    /// The device is not lost, so there is only a gap.
    @Test func shortFreezeNeitherRepeatsFramesNorLengthensTheQueue() throws {
        let lab = try EngineLab()
        let recording = try lab.record()
        try lab.play()
        // Waits until the start-up phase, in which the queue is longer, is over.
        try recording.waitForMore(150_000)
        var queues: [Duration] = []
        for _ in 0..<4 {
            lab.server.freeze()
            let end = ContinuousClock.now + .milliseconds(700)
            try lab.pass("a while") { _ in ContinuousClock.now > end }
            lab.server.thaw()
            try recording.waitForMore(24_000)
        }
        lab.engine.stop(within: .seconds(1))
        for event in lab.events { if case .underrun(let queue) = event { queues.append(queue) } }
        let repeats = repeated(in: recording.finish())
        print("short freezes: repeated \(repeats), queues \(queues)")
        #expect(repeats.allSatisfy { $0 == 0 }, "\(repeats)")
        #expect(queues.allSatisfy { $0 <= .milliseconds(24) }, "\(queues)")
    }

    /// While the call blocks, the render thread is reported as waiting for the device.
    @Test(arguments: [SABOTEUR_AVAIL, SABOTEUR_DELAY, SABOTEUR_WRITE])
    func callThatBlocksIsReportedAsALossAndPlaybackContinuesWhenItReturns(call: saboteur_call) throws {
        let lab = try EngineLab(output: .plugIn) { $0.handling.stallTimeout = .milliseconds(300) }
        let recording = try lab.record()
        try lab.play()
        try recording.waitForMore(9600)
        defer { saboteur_hold(nil, call) }
        saboteur_hold("speakers", call)
        #expect(try loss(in: lab).code == ETIMEDOUT)
        #expect(saboteur_held() == 1 && lab.engine.progress.isHeldByDevice)
        let turns = lab.engine.progress.renderTurns
        // A command sent during that time is not executed yet, and does not block the caller.
        lab.engine.silence(over: .zero)
        #expect(lab.engine.progress.renderTurns == turns)
        saboteur_hold(nil, call)
        try resume(lab)
        #expect(lab.events.filter { if case .deviceLost = $0 { true } else { false } }.count == 1)
        try recording.waitForMore(9600)
        lab.engine.stop(within: .seconds(1))
        let repeats = repeated(in: recording.finish())
        #expect(repeats.count >= 1 && repeats.allSatisfy { $0 == 0 }, "\(repeats)")
    }

    @Test func deviceThatTakesTooLongToOpenIsLostAndPlaysOnceOpen() throws {
        let lab = try EngineLab(output: .plugIn) { $0.handling.stallTimeout = .milliseconds(300) }
        defer { saboteur_hold(nil, SABOTEUR_OPEN) }
        saboteur_hold("speakers", SABOTEUR_OPEN)
        lab.engine.load(track: 0, at: .zero)
        lab.engine.play(gain: 1, over: .zero)
        #expect(try loss(in: lab).code == ETIMEDOUT)
        #expect(lab.engine.progress.isHeldByDevice)
        saboteur_hold(nil, SABOTEUR_OPEN)
        try resume(lab)
        #expect(lab.engine.playhead?.track == 0)
    }

    @Test func deviceThatTakesTooLongToCloseIsLostAndReopenedOnceClosed() throws {
        let lab = try EngineLab(output: .plugIn) {
            $0.handling.stallTimeout = .milliseconds(300)
            $0.handling.closeAfter = .zero
        }
        try lab.play()
        defer { saboteur_hold(nil, SABOTEUR_CLOSE) }
        saboteur_hold("speakers", SABOTEUR_CLOSE)
        lab.engine.silence(over: .zero)
        #expect(try loss(in: lab).code == ETIMEDOUT)
        let position = lab.engine.playhead
        #expect(lab.engine.progress.isHeldByDevice)
        saboteur_hold(nil, SABOTEUR_CLOSE)
        try resume(lab)
        #expect((lab.engine.playhead?.frame ?? 0) >= position?.frame ?? .max)
        #expect(!lab.events.contains(.deviceClosed))
    }
}

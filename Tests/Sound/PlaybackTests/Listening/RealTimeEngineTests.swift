import ALSA
import Foundation
import SoundLab
import Testing

@testable import Playback

/// The engine on a real sound server, whose monitor records the output.
@Suite(.serialized) struct RealTimeEngineTests {
    @Test func fadeOutsAndResumesLoseAndRepeatNoFrames() throws {
        let lab = try EngineLab()
        let recording = try lab.record()
        try lab.play()
        var places: [Int?] = []
        for _ in 0..<20 {
            // This time is longer than the queue.
            try recording.waitForMore(12_000)
            lab.engine.silence(over: .milliseconds(20))
            try lab.wait(for: .faded)
            // This position is saved, so a power cut during the silence must neither lose nor repeat a frame.
            places.append(lab.engine.playhead?.frame)
            try recording.waitForMore(500)
            lab.engine.play(gain: 1, over: .zero)
            _ = try lab.waitForEffect()
        }
        try recording.waitForMore(14_400)
        lab.engine.stop(within: .seconds(1))
        let samples = recording.finish()
        let runs = NumberedRun.all(in: samples)
        #expect(runs.count == 21)
        #expect(runs.first?.number == 1)
        for (before, after) in zip(runs, runs.dropFirst()) { #expect(after.number == before.next) }
        // The number of a frame is one more than its position.
        #expect(places == runs.dropLast().map { $0.next - 1 })
        #expect(lab.underruns == 0)
    }

    @Test func reportedEffectsMatchTheRecording() throws {
        let lab = try EngineLab()
        let recording = try lab.record()
        try lab.play()
        try recording.waitForMore(9600)
        lab.engine.silence(over: .milliseconds(60))
        let silence = try lab.waitForEffect()
        try lab.wait(for: .faded)
        try recording.waitForMore(4800)
        lab.engine.play(gain: 1, over: .zero)
        let play = try lab.waitForEffect()
        try recording.waitForMore(9600)
        let runs = NumberedRun.all(in: recording.finish())
        #expect(runs.count == 2)
        guard runs.count == 2 else { return }
        // The frames between the two effects are compared by the device's count and in the recording. The first
        // frames of a fade-out change by less than a bit.
        #expect((0...16).contains(runs[0].end - runs[1].start + play.frame - silence.frame))
        for effect in [silence, play] {
            #expect(effect.latency > .zero && effect.latency < .milliseconds(250), "\(effect.latency)")
        }
        // The times are also compared. The server's clock is accurate to a few milliseconds.
        let frames = (play.heard - silence.heard) / .seconds(1) * 48_000
        #expect(abs(frames - Double(play.frame - silence.frame)) < 240)
    }

    /// A rewind applies only when stopped, so it has no effect here.
    @Test(arguments: [Duration.zero, .milliseconds(500)])
    func playDuringAFadeOutReversesItWithoutLosingFrames(rewinding: Duration) throws {
        let lab = try EngineLab()
        let recording = try lab.record()
        try lab.play()
        try recording.waitForMore(4800)
        lab.engine.silence(over: .milliseconds(400))
        _ = try lab.waitForEffect()
        try recording.waitForMore(4800)
        lab.engine.play(gain: 1, over: .milliseconds(100), rewinding: rewinding)
        _ = try lab.waitForEffect()
        try recording.waitForMore(14_400)
        let runs = NumberedRun.all(in: recording.finish())
        #expect(runs.count == 2)
        guard runs.count == 2 else { return }
        // The music has continued during the fades, frame by frame.
        #expect(runs[1].number - runs[0].next == runs[1].start - runs[0].end)
    }

    @Test func playWithARewindGoesBackFromWhereTheFadeOutBegan() throws {
        let lab = try EngineLab()
        let recording = try lab.record()
        try lab.play()
        try recording.waitForMore(48_000)
        lab.engine.silence(over: .milliseconds(20))
        try lab.wait(for: .faded)
        try recording.waitForMore(12_000)
        lab.engine.play(gain: 1, over: .zero, rewinding: .milliseconds(500))
        _ = try lab.waitForEffect()
        try recording.waitForMore(14_400)
        let runs = NumberedRun.all(in: recording.finish())
        #expect(runs.count == 2)
        guard runs.count == 2 else { return }
        // The position is exact to the nearest frame.
        #expect(abs(runs[1].number - (runs[0].next - 24_000)) <= 1, "\(runs)")
    }

    @Test func tracksFollowWithoutAGapAndAreReportedWhenHeard() throws {
        let lab = try EngineLab(tracks: [(24_000, 48_000), (22_050, 44_100), (24_000, 48_000)])
        let recording = try lab.record()
        try lab.play()
        try lab.wait(for: .trackAdvanced(to: 1))
        try lab.wait(for: .trackAdvanced(to: 2))
        try lab.wait(for: .playbackEnded)
        try recording.waitForMore(2400)
        let samples = recording.finish()
        let runs = NumberedRun.all(in: samples)
        #expect(runs.first?.number == 1 && runs.first?.count == 24_000)
        #expect(runs.last?.number == 1 && runs.last?.count == 24_000)
        // The track between them is resampled to as many frames as the others have.
        guard let first = runs.first, let last = runs.last else { return }
        #expect(last.start - first.end == 24_000)
        #expect(samples[first.end..<last.start].filter { $0 == 0 }.count < 10)
    }

    @Test func seekWhilePlayingCrossfadesToTheNewPosition() throws {
        let lab = try EngineLab()
        let recording = try lab.record()
        try lab.play()
        try recording.waitForMore(4800)
        lab.engine.seek(to: .seconds(20))
        #expect(lab.engine.playhead?.position == .seconds(20))
        try recording.waitForMore(14_400)
        let runs = NumberedRun.all(in: recording.finish())
        #expect(runs.count == 2)
        // The run begins with the frame after the crossfade of 20 ms.
        #expect(runs.last?.number == 960_001 + 960 - 1)
    }

    @Test func closesTheDeviceAfterSilenceAndReopensItToPlay() throws {
        let lab = try EngineLab { $0.handling.closeAfter = .milliseconds(200) }
        let recording = try lab.record()
        try lab.play()
        try recording.waitForMore(4800)
        lab.engine.silence(over: .zero)
        try lab.wait(for: .deviceClosed)
        let position = lab.engine.playhead
        lab.engine.play(gain: 1, over: .zero)
        let effect = try lab.waitForEffect()
        #expect(effect.latency < .seconds(1))
        try recording.waitForSound()
        try recording.waitForMore(4800)
        let runs = NumberedRun.all(in: recording.finish())
        #expect(runs.count == 2)
        guard runs.count == 2 else { return }
        #expect(runs[1].number == runs[0].next)
        #expect(position.map { $0.frame + 1 } == runs[0].next)
    }

    @Test func releasedDeviceStaysClosedAndThenContinuesAtTheNextFrame() throws {
        let lab = try EngineLab { $0.handling.closeAfter = nil }
        let recording = try lab.record()
        try lab.play()
        try recording.waitForMore(4800)
        lab.engine.silence(over: .milliseconds(20))
        lab.engine.releaseDevice()
        try lab.wait(for: .deviceClosed)
        #expect(lab.engine.isDeviceClosed)
        let position = lab.engine.playhead
        // Neither a hint nor an order opens the device.
        lab.engine.retryDevice()
        lab.engine.play(gain: 1, over: .zero)
        lab.engine.silence(over: .zero)
        let turns = lab.engine.progress.renderTurns
        lab.engine.poke()
        try lab.pass("turn") { _ in lab.engine.progress.renderTurns > turns }
        #expect(lab.engine.isDeviceClosed && lab.engine.playhead == position)
        lab.engine.reacquireDevice()
        lab.engine.play(gain: 1, over: .zero)
        _ = try lab.waitForEffect()
        try recording.waitForSound()
        try recording.waitForMore(4800)
        let runs = NumberedRun.all(in: recording.finish())
        // The first run ends where the fade-out began, because frames in a ramp do not contain numbers.
        #expect(runs.count == 2)
        guard runs.count == 2 else { return }
        #expect(runs[1].number == runs[0].next)
        #expect(position.map { $0.frame + 1 } == runs[0].next)
    }

    @Test func serverThatHangsIsLostAndPlaysAgainWhenItContinues() throws {
        let lab = try EngineLab { $0.handling.stallTimeout = .milliseconds(300) }
        try lab.play()
        lab.server.freeze()
        let code = try lab.wait("loss") { if case .deviceLost(let error) = $0 { error.code } else { nil } }
        #expect(code == ETIMEDOUT)
        lab.server.thaw()
        _ = try lab.wait("reset") { if case .deviceReset = $0 { true } else { nil } }
        lab.engine.rebuild()
        lab.engine.play(gain: 1, over: .zero)
        _ = try lab.waitForEffect()
        let recording = try lab.record()
        try recording.waitForSound()
        #expect(lab.engine.stop(within: .seconds(1)))
    }

    @Test func missingDeviceIsReportedOnceAndPlaysWhenItAppears() throws {
        let server = try PulseServer()
        server.die()
        let lab = try EngineLab(server: server)
        lab.engine.load(track: 0, at: .seconds(1))
        lab.engine.open()
        _ = try lab.wait("loss") { if case .deviceLost = $0 { true } else { nil } }
        try server.start()
        _ = try lab.wait("reset") { if case .deviceReset = $0 { true } else { nil } }
        #expect(lab.events.filter { if case .deviceLost = $0 { true } else { false } }.count == 1)
        lab.engine.rebuild()
        lab.engine.play(gain: 1, over: .zero)
        let recording = try lab.record()
        _ = try lab.waitForEffect()
        try recording.waitForSound()
        try recording.waitForMore(4800)
        #expect((NumberedRun.all(in: recording.finish()).first?.number ?? 0) >= 48_001)
    }

    @Test func positionStaysUntilADevicePlaysAndThenRewindsOnce() throws {
        let server = try PulseServer()
        server.die()
        let lab = try EngineLab(server: server)
        lab.engine.load(track: 0, at: .seconds(2))
        lab.engine.play(gain: 1, over: .zero, rewinding: .milliseconds(500))
        _ = try lab.wait("loss") { if case .deviceLost = $0 { true } else { nil } }
        #expect(lab.engine.playhead?.position == .seconds(2))
        try server.start()
        _ = try lab.wait("reset") { if case .deviceReset = $0 { true } else { nil } }
        lab.engine.rebuild()
        lab.engine.play(gain: 1, over: .zero, rewinding: .milliseconds(500))
        let recording = try lab.record()
        _ = try lab.waitForEffect()
        try recording.waitForSound()
        try recording.waitForMore(4800)
        let first = NumberedRun.all(in: recording.finish()).first?.number ?? 0
        // The sink may drop a few frames while it starts.
        #expect((72_001..<84_000).contains(first), "\(first)")
    }

    /// The device opens at once, as it does after a boot.
    @Test func firstPlayRewinds() throws {
        let lab = try EngineLab()
        let recording = try lab.record()
        lab.engine.load(track: 0, at: .seconds(2))
        lab.engine.play(gain: 1, over: .zero, rewinding: .milliseconds(500))
        _ = try lab.waitForEffect()
        try recording.waitForMore(9600)
        #expect(NumberedRun.all(in: recording.finish()).first?.number == 72_001)
    }

    /// The sink returns with a different rate and number of channels, and the server converts the engine's stream.
    @Test func playsWhenTheSinkReturnsInAnotherFormat() throws {
        let lab = try EngineLab()
        try lab.play()
        for (rate, channels) in [(44_100, 2), (96_000, 6), (48_000, 1)] {
            lab.server.die()
            _ = try lab.wait("loss") { if case .deviceLost = $0 { true } else { nil } }
            lab.server.rate = rate
            lab.server.channels = channels
            try lab.server.start()
            _ = try lab.wait("reset") { if case .deviceReset = $0 { true } else { nil } }
            lab.engine.rebuild()
            lab.engine.play(gain: 1, over: .zero)
            _ = try lab.waitForEffect()
            let recording = try lab.record()
            try recording.waitForSound()
            _ = recording.finish()
        }
    }

    /// A user moves the stream to another sink, as with `pavucontrol`.
    @Test func continuesOnTheSinkToWhichItIsMoved() throws {
        let lab = try EngineLab(output: .defaultSink)
        try lab.server.run(["pactl", "load-module", "module-null-sink", "sink_name=kitchen", "rate=44100"])
        try lab.play()
        try lab.server.run(["pactl", "move-sink-input", "0", "kitchen"])
        let position = try #require(lab.engine.playhead?.position)
        try lab.pass("a second of music") { _ in
            lab.engine.playhead.map { $0.position > position + .seconds(1) } ?? false
        }
        try lab.server.run(["pactl", "move-sink-input", "0", "speakers"])
        let recording = try lab.record()
        try recording.waitForSound()
        lab.engine.silence(over: .zero)
        try lab.wait(for: .faded)
        #expect(!lab.events.contains { if case .deviceLost = $0 { true } else { false } })
    }

    /// A suspended sink takes no frames, so the music waits, and then continues with the next frame.
    @Test func waitsForASuspendedSink() throws {
        let lab = try EngineLab()
        try lab.play()
        let recording = try lab.record()
        try recording.waitForSound()
        try lab.server.run(["pactl", "suspend-sink", "speakers", "1"])
        try lab.server.run(["pactl", "suspend-sink", "speakers", "0"])
        try recording.waitForMore(48_000)
        let runs = NumberedRun.all(in: recording.finish())
        let gaps = zip(runs, runs.dropFirst()).map { $1.number - ($0.number + $0.count) }
        #expect(gaps.allSatisfy { abs($0) <= 2400 }, "\(gaps)")
    }

    @Test func stopsWithinASecondWhilePlaying() throws {
        let lab = try EngineLab()
        try lab.play()
        #expect(lab.engine.stop(within: .seconds(1)))
    }

    /// A watchdog must be able to observe that all threads are alive, with a device and without one.
    @Test func pokeMakesEveryThreadProgress() throws {
        let lab = try EngineLab { $0.handling.closeAfter = .milliseconds(50) }
        try lab.play()
        lab.engine.silence(over: .zero)
        for _ in 0..<2 {
            let before = lab.engine.progress
            lab.engine.poke()
            try lab.pass("progress") { _ in
                let now = lab.engine.progress
                return now.renderTurns > before.renderTurns && now.storageTurns > before.storageTurns
            }
            try lab.pass("the closing of the device") { _ in lab.events.contains(.deviceClosed) }
        }
    }

    /// A load may wait until the render thread has released an earlier buffer.
    @Test(arguments: [true, false])
    func jumpsInQuickSuccessionAllLoad(isPaused: Bool) throws {
        let lab = try EngineLab(tracks: [(480_000, 48_000), (480_000, 44_100)])
        try lab.play()
        if isPaused {
            lab.engine.silence(over: .zero)
            try lab.wait(for: .faded)
        }
        for round in 0..<8 {
            lab.engine.load(track: round % 2, at: .seconds(round))
            try lab.wait(for: .loaded(track: round % 2))
            lab.engine.load(track: 1, at: .seconds(3))
            lab.engine.load(track: 0, at: .seconds(1))
            try lab.wait(for: .loaded(track: 0))
        }
        lab.engine.play(gain: 1, over: .zero)
        _ = try lab.waitForEffect()
        #expect((lab.engine.playhead?.position ?? .zero) >= .seconds(1))
    }

    @Test func deviceThatClosesWithoutDelayPlaysTheWholeFadeOut() throws {
        let lab = try EngineLab { $0.handling.closeAfter = .zero }
        let recording = try lab.record()
        try lab.play()
        try recording.waitForMore(9600)
        lab.engine.silence(over: .milliseconds(40))
        try lab.wait(for: .deviceClosed)
        try recording.waitForMore(2400)
        let samples = recording.finish()
        let runs = NumberedRun.all(in: samples)
        #expect(runs.count == 1)
        // The fade-out lasts 1920 frames, of which the last ones are below one bit.
        let faded = samples[(runs.last?.end ?? 0)...].lastIndex { $0 != 0 } ?? 0
        #expect((1700...1920).contains(faded - (runs.last?.end ?? 0)))
    }
}

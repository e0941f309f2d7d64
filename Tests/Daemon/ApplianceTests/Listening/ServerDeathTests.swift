import AudioSession
import Configuration
import Playback
import SoundLab
import Supervisor
import Testing

/// Deaths of a real sound server while the real supervisor plays.
@Suite(.serialized) struct ServerDeathTests {
    private let phone = SignalID("phone-call")

    /// The number of frames by which the position of the music may be wrong. The music may repeat the frames that the
    /// device played after its last query (9 ms, or more if an underrun has lengthened the queue) and those that had
    /// not reached the recorder. It may skip the frames that the server would have played until the render thread, for
    /// which a processor may not be free at once, has noticed the death.
    private let tolerance = -2400...2400

    /// Returns the number that would have been played next when the recording ended.
    private func end(of recording: Recording) throws -> Int {
        try #require(NumberedRun.all(in: recording.finish()).last?.next)
    }

    private func start(of recording: Recording) throws -> Int {
        try recording.waitForSound()
        try recording.waitForMore(2400)
        return try #require(NumberedRun.all(in: recording.finish()).first?.number)
    }

    /// Restarts the server and waits for the session's notifications.
    private func restart(_ lab: SoundServerLab) throws -> Recording {
        try lab.wait(for: .mediaServicesWereLost)
        try lab.server.start()
        let recording = try lab.record()
        try lab.wait(for: .mediaServicesWereReset)
        return recording
    }

    @Test func serverDeathWhilePlayingRepeatsAndSkipsAlmostNothing() throws {
        let lab = try SoundServerLab()
        _ = try lab.waitForEffect()
        // A recorder changes the latency of the sink when it connects, which the engine notices within a second.
        var recording = try lab.record()
        try recording.waitForMore(52_800)
        var end: Int?
        for _ in 0...10 {
            try recording.waitForSound()
            try recording.waitForMore(4800)
            lab.server.die()
            let runs = NumberedRun.all(in: recording.finish())
            if let end {
                let skipped = try #require(runs.first).number - end
                #expect(tolerance.contains(skipped), "\(skipped) frames")
            }
            end = try #require(runs.last).next
            recording = try restart(lab)
        }
    }

    @Test func serverDeathDuringAFadeOutResumesAtItsStart() throws {
        let lab = try SoundServerLab { $0.playback.fadeOut = .milliseconds(400) }
        _ = try lab.waitForEffect()
        for _ in 0..<10 {
            let before = try lab.record()
            try before.waitForSound()
            try before.waitForMore(4800)
            lab.handle(.edge(Edge(phone, asserted: true)))
            try before.waitForMore(2400)
            lab.server.die()
            // Frames in the fade-out cannot be read as numbers, except for the first, which the fade-out does not
            // change.
            let end = try end(of: before)
            let after = try restart(lab)
            lab.handle(.edge(Edge(phone, asserted: false)))
            try lab.wait(for: .ended([.shouldResume]))
            let start = try start(of: after)
            #expect((0...16).contains(end - start), "\(start - end) frames")
        }
    }

    @Test func serverDeathDuringAnInterruptionResumesAfterIt() throws {
        let lab = try SoundServerLab()
        _ = try lab.waitForEffect()
        for _ in 0..<10 {
            let before = try lab.record()
            try before.waitForSound()
            try before.waitForMore(4800)
            lab.handle(.edge(Edge(phone, asserted: true)))
            try before.waitForMore(4800)
            lab.server.die()
            let end = try end(of: before)
            let after = try restart(lab)
            let reset = after.frames
            try after.waitForMore(4800)
            let silent = reset..<after.frames
            lab.handle(.edge(Edge(phone, asserted: false)))
            try lab.wait(for: .ended([.shouldResume]))
            try after.waitForSound()
            try after.waitForMore(2400)
            let samples = after.finish()
            #expect(samples[silent].allSatisfy { $0 == 0 })
            #expect(NumberedRun.all(in: samples).first?.number == end)
        }
    }

    @Test func pauseWhileTheServerIsDeadIsKept() throws {
        let lab = try SoundServerLab()
        _ = try lab.waitForEffect()
        lab.server.die()
        try lab.wait(for: .mediaServicesWereLost)
        lab.handle(.command(.pause))
        try lab.wait("pause") { $0.cause == .event(.command(.pause)) }
        try lab.server.start()
        let after = try lab.record()
        try lab.wait(for: .mediaServicesWereReset)
        try after.waitForMore(9600)
        #expect(after.finish().allSatisfy { $0 == 0 })
    }

    /// After many deaths, there must be as many descriptors and threads, and as much memory in use, as after the first.
    @Test func repeatedServerDeathsLeakNothing() throws {
        let lab = try SoundServerLab()
        _ = try lab.waitForEffect()
        var counts: [(descriptors: Int, threads: Int)] = []
        for _ in 0..<12 {
            lab.server.die()
            try lab.wait(for: .mediaServicesWereLost)
            try lab.server.start()
            try lab.wait(for: .mediaServicesWereReset)
            _ = try lab.waitForEffect()
            counts.append((Process.openSockets, Process.threads(named: "threaded-ml").count))
        }
        #expect(counts.allSatisfy { $0 == (counts[0].descriptors, counts[0].threads) }, "\(counts)")
    }
}

import AudioSession
import Configuration
import Playback
import SoundLab
import Supervisor
import Testing

/// A sound server that is really killed, under the real supervisor.
@Suite(.serialized) struct ServerDeathTests {
    private let phone = SignalID("phone-call")

    /// How far the programme may go back: what the device played after it was asked last (9 ms, and more where an underrun
    /// has made the queue longer), and what was on its way to the recorder. Nothing may be left out, but for the frames
    /// that the sink took and did not live to play.
    private let tolerance = -2400...192

    /// The number that would have been heard next when the recording ended.
    private func end(of recording: Recording) throws -> Int {
        try #require(NumberedRun.all(in: recording.finish()).last?.next)
    }

    private func start(of recording: Recording) throws -> Int {
        try recording.waitForSound()
        try recording.waitForMore(2400)
        return try #require(NumberedRun.all(in: recording.finish()).first?.number)
    }

    /// Restarts the server and waits for what the session makes of it.
    private func restart(_ lab: Lab) throws -> Recording {
        try lab.wait(for: .mediaServicesWereLost)
        try lab.server.start()
        let recording = try lab.record()
        try lab.wait(for: .mediaServicesWereReset)
        return recording
    }

    @Test func whilePlaying() throws {
        try retryOnStall {
            let lab = try Lab()
            _ = try lab.waitForEffect()
            for _ in 0..<10 {
                let before = try lab.record()
                try before.waitForSound()
                try before.waitForMore(4800)
                lab.server.die()
                let end = try end(of: before)
                let start = try start(of: restart(lab))
                #expect(tolerance.contains(start - end), "\(start - end) frames")
            }
        }
    }

    @Test func inTheMiddleOfAFadeOut() throws {
        try retryOnStall {
            let lab = try Lab { $0.playback.fadeOut = .milliseconds(400) }
            _ = try lab.waitForEffect()
            for _ in 0..<10 {
                let before = try lab.record()
                try before.waitForSound()
                try before.waitForMore(4800)
                lab.supervisor.edge(Edge(phone, asserted: true))
                try before.waitForMore(2400)
                lab.server.die()
                // The frames of the fade-out are no numbers, but for the very first, which it does not change by a bit.
                let end = try end(of: before)
                let after = try restart(lab)
                lab.supervisor.edge(Edge(phone, asserted: false))
                try lab.wait(for: .ended([.shouldResume]))
                let start = try start(of: after)
                #expect((0...16).contains(end - start), "\(start - end) frames")
            }
        }
    }

    @Test func inTheMiddleOfAnInterruption() throws {
        try retryOnStall {
            let lab = try Lab()
            _ = try lab.waitForEffect()
            for _ in 0..<10 {
                let before = try lab.record()
                try before.waitForSound()
                try before.waitForMore(4800)
                lab.supervisor.edge(Edge(phone, asserted: true))
                try before.waitForMore(4800)
                lab.server.die()
                let end = try end(of: before)
                let after = try restart(lab)
                let reset = after.frames
                try after.waitForMore(4800)
                let silent = reset..<after.frames
                lab.supervisor.edge(Edge(phone, asserted: false))
                try lab.wait(for: .ended([.shouldResume]))
                try after.waitForSound()
                try after.waitForMore(2400)
                let samples = after.finish()
                #expect(samples[silent].allSatisfy { $0 == 0 })
                #expect(NumberedRun.all(in: samples).first?.number == end)
            }
        }
    }

    @Test func aPauseWhileItIsDeadIsKept() throws {
        try retryOnStall {
            let lab = try Lab()
            _ = try lab.waitForEffect()
            lab.server.die()
            try lab.wait(for: .mediaServicesWereLost)
            lab.supervisor.command(.pause)
            try lab.wait("pause") { $0.happening == .command(.pause) }
            try lab.server.start()
            let after = try lab.record()
            try lab.wait(for: .mediaServicesWereReset)
            try after.waitForMore(9600)
            #expect(after.finish().allSatisfy { $0 == 0 })
        }
    }

    /// Descriptors, threads and memory after many deaths are those after the first.
    @Test func nothingLeaks() throws {
        try retryOnStall {
            let lab = try Lab()
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
}

import ALSA
import CRealTime
import Foundation
import Saboteur
import SoundLab
import Testing
import Threads

@testable import Playback

/// Live inputs on a real sound server and on a card that can rewind.
@Suite(.serialized) struct RealTimeInputTests {
    /// A sender that delivers 10 ms of audio every 10 ms on a thread.
    private final class Sender: @unchecked Sendable {
        private let cells: UnsafeMutablePointer<Int>
        /// The value of the samples, and 1 once the sender is to end.
        private let value: SharedCounter
        private let ends: SharedCounter
        private var thread: NativeThread?

        /// - Parameter send: receives 480 samples of each of two channels.
        init(_ send: @escaping @Sendable ([Int16]) -> Void) {
            cells = .allocate(capacity: 2)
            cells.initialize(repeating: 0, count: 2)
            let (value, ends) = (SharedCounter(cells), SharedCounter(cells + 1))
            (self.value, self.ends) = (value, ends)
            nonisolated(unsafe) let counters = (value, ends)
            thread = NativeThread("test-sender") {
                let start = Int(realtime_now())
                var number = 0
                while counters.1.value == 0 {
                    number += 1
                    let pause = start + number * 10_000_000 - Int(realtime_now())
                    if pause > 0 { poll(nil, 0, Int32(pause / 1_000_000)) }
                    send([Int16](repeating: Int16(counters.0.value), count: 960))
                }
            }
        }

        deinit {
            stop()
            cells.deallocate()
        }

        func send(value: Int) { self.value.value = value }

        func stop() {
            ends.value = 1
            _ = thread?.join(within: .seconds(5))
        }

        /// Returns a sender that writes to a pipe.
        static func to(pipe descriptor: Int32) -> Sender {
            Sender { samples in
                samples.withUnsafeBytes { _ = write(descriptor, $0.baseAddress, $0.count) }
            }
        }

        /// Returns a sender that delivers to an input without a pipe.
        static func to(_ input: LiveInput) -> Sender {
            let format = LiveFormat(.s16, StreamFormat(rate: 48_000, channels: 2))
            nonisolated(unsafe) let feed = LiveFeed(input, format: format)
            return Sender { samples in
                let now = Int(realtime_now())
                feed.advance(to: now)
                samples.withUnsafeBytes { bytes in
                    guard let start = bytes.baseAddress, feed.room(at: now) >= 480 else { return }
                    try? feed.accept(start, frames: 480, at: now)
                }
            }
        }
    }

    /// The level of a sender's samples, and the same level as the sound server delivers it.
    private static let level = 8192
    private static let recorded = Int32(8192) << 16

    private func isPlateau(_ sample: Int32) -> Bool { abs(Int(sample) - Int(Self.recorded)) < 1 << 20 }

    private func waitForStream(_ input: LiveInput, _ lab: EngineLab) throws {
        try lab.pass("a stream") { _ in input.buffer.writeIndex > 0 }
    }

    @Test func audioFromAPipeReplacesTheLibraryWithTheGivenDelay() throws {
        let folder = try TemporaryFolder()
        let input = LiveInput("radio")
        let lab = try EngineLab(inputs: [input]) { $0.queue = EngineSettings.normalQueue }
        let format = LiveFormat(.s16, StreamFormat(rate: 48_000, channels: 2))
        let pipe = PipeInput(folder.path("radio"), format: format, inputs: [input])
        try lab.pass("a pipe") { _ in access(folder.path("radio"), F_OK) == 0 }
        try lab.play()
        let descriptor = open(folder.path("radio"), O_WRONLY)
        defer { close(descriptor) }
        let sender = Sender.to(pipe: descriptor)
        try lab.pass("an arrival") { _ in
            pipe.takeReports().contains { if case .arrived = $0 { true } else { false } }
        }
        try waitForStream(input, lab)
        lab.engine.select(.input(0), over: .milliseconds(50))
        lab.engine.play(gain: 1, over: .milliseconds(50))
        _ = try lab.waitForEffect()
        let recording = try lab.record()
        try recording.waitForMore(48_000)
        let position = lab.engine.playhead
        let sent = Int(realtime_now())
        sender.send(value: Self.level)
        try recording.waitForMore(48_000)
        sender.stop()
        let statistics = pipe.statistics
        #expect(lab.engine.playhead == position && position?.frame ?? 0 > 0)
        let samples = recording.finish()
        let first = try #require(samples.firstIndex { $0 > Self.recorded / 2 })
        let heard = try #require(recording.time(ofFrame: first))
        // The sender's next chunk comes up to 10 ms later, and the recording takes a few milliseconds.
        let delay = Double(heard - sent) / 1e6
        #expect(delay > 130 && delay < 190, "\(delay) ms")
        #expect(samples[(first + 480)..<(first + 24_000)].allSatisfy(isPlateau))
        #expect(statistics.underruns == 0 && statistics.delay > .milliseconds(140))
        #expect(statistics.delay < .milliseconds(160))
        #expect(lab.events.contains(.faded) == false)
    }

    /// Spoils the input's buffer, so that all frames that follow are to be heard in an hour. A write at the same time may
    /// undo this.
    private func spoil(_ input: LiveInput) {
        let buffer = input.buffer
        let hour = 3600 * 48_000
        if buffer.writeIndex < hour { buffer.begin(at: buffer.writeIndex + hour) }
    }

    @Test func inputThatIsNotHeardIsReportedAndHeardAgainOnceItHasBegunAnew() throws {
        let folder = try TemporaryFolder()
        let input = LiveInput("radio")
        let lab = try EngineLab(inputs: [input]) { $0.queue = EngineSettings.normalQueue }
        let format = LiveFormat(.s16, StreamFormat(rate: 48_000, channels: 2))
        let pipe = PipeInput(folder.path("radio"), format: format, inputs: [input])
        // The sender ends before its reader. If the test fails, it may be waiting for it.
        signal(SIGPIPE, SIG_IGN)
        defer { withExtendedLifetime(pipe) {} }
        try lab.pass("a pipe") { _ in access(folder.path("radio"), F_OK) == 0 }
        let descriptor = open(folder.path("radio"), O_WRONLY)
        defer { close(descriptor) }
        let sender = Sender.to(pipe: descriptor)
        defer { sender.stop() }
        sender.send(value: Self.level)
        try waitForStream(input, lab)
        lab.engine.select(.input(0), over: .zero)
        lab.engine.play(gain: 1, over: .zero)
        for _ in 0..<2 {
            let before = try lab.record()
            try before.waitForSound()
            _ = before.finish()
            _ = pipe.takeReports()
            try lab.pass("a report") { _ in
                spoil(input)
                return pipe.takeReports().contains(.unheard)
            }
            lab.engine.renewInput(0)
            try lab.pass("the end of the fault") { _ in pipe.takeReports().contains(.heard) }
        }
        let recording = try lab.record()
        try recording.waitForSound()
        try recording.waitForMore(24_000)
        #expect(recording.finish().suffix(12_000).allSatisfy(isPlateau))
    }

    /// Returns a lab whose card can rewind.
    private func cardLab(_ inputs: [LiveInput]) throws -> EngineLab {
        card_plan("card", card_behaviour(step: 192, prefetch: 0, kept_percent: 0, lag: 0))
        return try EngineLab(inputs: inputs) {
            $0.address = PCMAddress("card", definedBy: "pcm.card { type null }")
            $0.queue = EngineSettings.normalQueue
        }
    }

    private var heard: [Int32] {
        var count = 0
        let samples = card_recording(&count)
        return Array(UnsafeBufferPointer(start: samples, count: count))
    }

    private func waitForMore(_ frames: Int, _ lab: EngineLab) throws {
        let end = heard.count + frames
        try lab.pass("\(frames) more frames") { _ in heard.count >= end }
    }

    @Test func theLibraryOfACardWithALongQueueContinuesAtTheExactFrame() throws {
        let input = LiveInput("radio")
        let lab = try cardLab([input])
        let sender = Sender.to(input)
        sender.send(value: Self.level)
        try lab.play()
        try waitForStream(input, lab)
        try lab.pass("a full queue") { _ in card_queued() > 90_000 }
        lab.engine.select(.input(0), over: .milliseconds(50))
        lab.engine.play(gain: 1, over: .milliseconds(50))
        #expect(try lab.waitForEffect().latency < .milliseconds(60))
        try waitForMore(24_000, lab)
        // Live audio is queued only as far ahead as its delay allows.
        #expect(card_queued() < 4800)
        lab.engine.play(gain: 0.5, over: .milliseconds(20))
        #expect(try lab.waitForEffect().latency < .milliseconds(60))
        try waitForMore(24_000, lab)
        lab.engine.select(.library, over: .zero)
        lab.engine.play(gain: 1, over: .zero)
        _ = try lab.waitForEffect()
        try waitForMore(48_000, lab)
        #expect(lab.engine.stop(within: .seconds(5)))
        sender.stop()
        let samples = heard
        let runs = NumberedRun.all(in: samples)
        #expect(runs.count == 2)
        guard runs.count == 2 else { return }
        #expect(runs[0].next == runs[1].number)
        let middle = samples[(runs[0].end + 9600)..<(runs[1].start - 24_000)]
        #expect(middle.filter(isPlateau).count > 4800)
        #expect(lab.underruns == 0)
    }

    @Test func aPauseOfAnInputDiscardsWhatArrives() throws {
        let input = LiveInput("radio")
        let lab = try cardLab([input])
        let sender = Sender.to(input)
        sender.send(value: Self.level)
        try waitForStream(input, lab)
        lab.engine.select(.input(0), over: .zero)
        lab.engine.play(gain: 1, over: .zero)
        _ = try lab.waitForEffect()
        try waitForMore(9600, lab)
        lab.engine.silence(over: .milliseconds(20))
        _ = try lab.waitForEffect()
        try lab.wait(for: .faded)
        sender.send(value: -Self.level)
        try waitForMore(24_000, lab)
        lab.engine.play(gain: 1, over: .zero)
        _ = try lab.waitForEffect()
        try waitForMore(4800, lab)
        #expect(lab.engine.stop(within: .seconds(5)))
        sender.stop()
        // Nothing of what arrived before the pause, or in it, is heard after it.
        let samples = heard
        let pause = try #require(samples.lastIndex { $0 > 0 })
        #expect(samples[(pause + 1)...].filter { isPlateau(-$0) }.count > 2400)
        #expect(input.buffer.clock.discarded > 12_000)
        #expect(input.buffer.clock.starvations == 0)
    }

    @Test(.enabled(if: saboteur_counts() != 0, "a sanitizer has its own malloc"))
    func playingAnInputAllocatesNothing() throws {
        try expectNoAllocations(of: "radio") { lab in
            lab.engine.select(.input(0), over: .milliseconds(30))
            lab.engine.play(gain: 1, over: .milliseconds(30))
            _ = try lab.waitForEffect()
            lab.engine.play(gain: 0.2, over: .milliseconds(10))
            _ = try lab.waitForEffect()
            lab.engine.silence(over: .milliseconds(10))
            try lab.wait(for: .faded)
            lab.engine.select(.library, over: .milliseconds(30))
            lab.engine.play(gain: 1, over: .milliseconds(30))
            _ = try lab.waitForEffect()
        }
    }

    @Test func anInputContinuesOnADeviceThatReturns() throws {
        let input = LiveInput("radio")
        let lab = try EngineLab(inputs: [input])
        let sender = Sender.to(input)
        sender.send(value: Self.level)
        try waitForStream(input, lab)
        lab.engine.select(.input(0), over: .zero)
        lab.engine.play(gain: 1, over: .zero)
        _ = try lab.waitForEffect()
        lab.server.die()
        try lab.wait("loss") { if case .deviceLost = $0 { () } else { nil } }
        try lab.server.start()
        try lab.wait("reset") { if case .deviceReset = $0 { () } else { nil } }
        lab.engine.rebuild()
        let recording = try lab.record()
        lab.engine.play(gain: 1, over: .zero)
        try recording.waitForSound()
        try recording.waitForMore(9600)
        sender.stop()
        #expect(recording.finish().filter(isPlateau).count > 4800)
    }

    /// Each stall lengthens the queue, which must not become so long that the frames of an input always come too late.
    @Test func anInputIsHeardAfterManyStallsOfTheServer() throws {
        let input = LiveInput("radio")
        let lab = try EngineLab(inputs: [input])
        try lab.play()
        let sender = Sender.to(input)
        defer { sender.stop() }
        sender.send(value: Self.level)
        try waitForStream(input, lab)
        lab.engine.select(.input(0), over: .zero)
        lab.engine.play(gain: 1, over: .zero)
        for stall in 1...10 {
            let underruns = lab.underruns
            lab.server.freeze()
            try lab.pass("the end of a queue") { _ in lab.engine.advancesUntil < .nanoseconds(realtime_now()) }
            lab.server.thaw()
            try lab.pass("recovery \(stall)") { _ in lab.underruns > underruns || lab.engine.isAdvancing }
        }
        let recording = try lab.record()
        try recording.waitForMore(96_000)
        let heard = recording.finish()
        #expect(heard.suffix(24_000).contains(where: isPlateau))
    }

    // MARK: Pages

    @Test func aPageIsHeardLiveOverTheMusicAndTheMusicLosesNothing() throws {
        let input = LiveInput("desk")
        let lab = try cardLab([input])
        let sender = Sender.to(input)
        sender.send(value: -Self.level)
        try lab.play()
        try waitForStream(input, lab)
        try lab.pass("a full queue") { _ in card_queued() > 90_000 }
        lab.engine.silence(over: .zero)
        _ = try lab.waitForEffect()
        lab.engine.playPage(0, after: .milliseconds(300))
        // What is sent now is heard after the latency of 150 ms, so it is discarded.
        sender.send(value: -Self.level)
        try waitForMore(2400, lab)
        sender.send(value: Self.level)
        try waitForMore(48_000, lab)
        #expect(card_queued() < 4800)
        lab.engine.stopSound()
        try waitForMore(24_000, lab)
        lab.engine.play(gain: 1, over: .zero)
        _ = try lab.waitForEffect()
        try waitForMore(24_000, lab)
        #expect(lab.engine.stop(within: .seconds(5)))
        sender.stop()
        let samples = heard
        let runs = NumberedRun.all(in: samples)
        #expect(runs.count == 2)
        guard runs.count == 2 else { return }
        #expect(runs[0].next == runs[1].number)
        let middle = samples[runs[0].end..<runs[1].start]
        #expect(middle.filter(isPlateau).count > 20_000 && middle.allSatisfy { !isPlateau(-$0) })
        #expect(lab.underruns == 0)
    }

    @Test func aPageOpensAClosedDeviceAndASoundReplacesIt() throws {
        let input = LiveInput("desk")
        let folder = try TemporaryFolder()
        let path = try folder.encode(counter(frames: 48_000, from: 3_000_000), to: "gong.wav", .wav24)
        let lab = try EngineLab(sounds: [Sound(file: Track(path: path), gain: 1)], inputs: [input])
        let sender = Sender.to(input)
        sender.send(value: Self.level)
        lab.engine.playPage(0, after: .zero)
        try waitForStream(input, lab)
        let recording = try lab.record()
        try recording.waitForSound()
        try recording.waitForMore(24_000)
        lab.engine.playSound(0, order: 1, isCue: false, repeats: false, after: .zero)
        try lab.wait("end of the sound") { $0 == .soundEnded(order: 1) ? () : nil }
        sender.stop()
        let samples = recording.finish()
        #expect(samples.filter(isPlateau).count > 12_000)
        let last = try #require(samples.lastIndex(where: isPlateau))
        #expect(samples[last...].contains { $0 > 1 << 26 && !isPlateau($0) })
    }

    @Test func aLossOfTheDeviceEndsAPage() throws {
        let input = LiveInput("desk")
        let lab = try EngineLab(inputs: [input])
        let sender = Sender.to(input)
        sender.send(value: Self.level)
        lab.engine.playPage(0, after: .zero)
        try waitForStream(input, lab)
        lab.server.die()
        try lab.wait("loss") { if case .deviceLost = $0 { () } else { nil } }
        try lab.server.start()
        try lab.wait("reset") { if case .deviceReset = $0 { () } else { nil } }
        let recording = try lab.record()
        try recording.waitForMore(24_000)
        lab.engine.playPage(0, after: .zero)
        try recording.waitForSound()
        try recording.waitForMore(9600)
        sender.stop()
        #expect(recording.finish().filter(isPlateau).count > 4800)
    }

    @Test(.enabled(if: saboteur_counts() != 0, "a sanitizer has its own malloc"))
    func playingAPageAllocatesNothing() throws {
        try expectNoAllocations(of: "desk") { lab in
            lab.engine.playPage(0, after: .milliseconds(10))
            lab.engine.play(gain: 0.2, over: .milliseconds(30))
            _ = try lab.waitForEffect()
            lab.engine.stopSound()
            lab.engine.play(gain: 1, over: .milliseconds(30))
            _ = try lab.waitForEffect()
        }
    }

    /// Does something three times while audio arrives at an input, and expects the render thread not to allocate.
    private func expectNoAllocations(of name: String, _ body: (EngineLab) throws -> Void) throws {
        let input = LiveInput(name)
        let lab = try EngineLab(inputs: [input]) {
            $0.address = PCMAddress("silent", definedBy: "pcm.silent { type null }")
        }
        let sender = Sender.to(input)
        try lab.play()
        try waitForStream(input, lab)
        let thread = try #require(Process.threads(named: "sound-render").first)
        saboteur_watch(thread)
        defer { saboteur_watch(0) }
        for _ in 0..<3 { try body(lab) }
        #expect(saboteur_allocations() == 0)
        sender.stop()
    }
}

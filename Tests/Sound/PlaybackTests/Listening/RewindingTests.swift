import ALSA
import Chance
import Foundation
import Saboteur
import SoundLab
import Testing

@testable import Playback

/// The engine on a card that can rewind. The queue is long, but an order still takes effect soon. The card is simulated
/// (see `card.h`), because only a kernel with a sound driver has a real one. The virtual board plays through a real
/// driver.
@Suite(.serialized) struct RewindingTests {
    private static let address = PCMAddress("card", definedBy: "pcm.card { type null }")

    /// Returns an engine on the card. The frames of the music contain their own numbers.
    private func lab(
        tracks: [(frames: Int, rate: Int)] = [(1_440_000, 48_000)], sounds: [Sound] = [],
        closeAfter: Duration? = .seconds(10), step: Int32 = 192, prefetch: Int32 = 0, keptPercent: Int32 = 0,
        lag: Int32 = 0
    ) throws -> EngineLab {
        card_plan(
            "card", card_behaviour(step: step, prefetch: prefetch, kept_percent: keptPercent, lag: lag))
        return try EngineLab(tracks: tracks, sounds: sounds) {
            $0.address = Self.address
            $0.queue = EngineSettings.normalQueue
            $0.handling.closeAfter = closeAfter
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

    private func fillTheQueue(_ lab: EngineLab) throws {
        try lab.pass("a full queue") { _ in card_queued() > 90_000 }
    }

    @Test func longQueueNeedsFewTurns() throws {
        let lab = try lab()
        try lab.play()
        try fillTheQueue(lab)
        let turns = lab.engine.progress.renderTurns
        try waitForMore(3 * 48_000, lab)
        // There is one turn a second, and one each time the storage thread has to continue reading.
        #expect(lab.engine.progress.renderTurns - turns <= 6)
        #expect(lab.engine.stop(within: .seconds(5)))
        #expect(NumberedRun.all(in: heard).count == 1)
    }

    /// The render thread postpones the alarm that would wake control.
    @Test func controlSleepsWhileTheDeviceAcceptsFrames() throws {
        let lab = try lab()
        try lab.play()
        try fillTheQueue(lab)
        try waitForMore(2 * 48_000, lab)
        let end = heard.count + 4 * 48_000
        var wakeUps = 0
        while heard.count < end {
            var entry = pollfd(fd: lab.engine.descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 100) > 0 else { continue }
            wakeUps += 1
            if lab.engine.hasNews() { _ = lab.engine.takeEvents() }
        }
        #expect(wakeUps == 0)
        #expect(lab.engine.stop(within: .seconds(5)))
    }

    @Test func measuresTheStepOfThePosition() throws {
        let lab = try lab(step: 480)
        try lab.play()
        let margin = try lab.wait("margin") { event -> Duration? in
            if case .rewindMeasured(let margin) = event { margin } else { nil }
        }
        // The margin is 1.33 ms for the frames that the hardware fetches, 4 ms for the work, and as much of the step
        // of 10 ms as the observations leave open.
        #expect(margin > .milliseconds(5) && margin < .milliseconds(12), "\(margin)")
        #expect(lab.engine.stop(within: .seconds(5)))
    }

    /// `make proof` tries a thousand interruptions.
    private static let isProof = ProcessInfo.processInfo.environment["TACET_PROOF"] != nil

    /// Pauses at random times must lose and repeat nothing, and take effect soon, however long the queue is.
    @Test(arguments: 1...(isProof ? 20 : 2))
    func pausesAndResumesAreExact(seed: UInt64) throws {
        var chance = SplitMix(seed: seed)
        let lab = try lab()
        try lab.play()
        var latencies: [Duration] = []
        let (count, longest) = Self.isProof ? (50, 16_000) : (12, 40_000)
        for _ in 0..<count {
            try waitForMore(.random(in: 2000...longest, using: &chance), lab)
            lab.engine.silence(over: .milliseconds(20))
            latencies.append(try lab.waitForEffect().latency)
            try lab.wait(for: .faded)
            try waitForMore(.random(in: 10...10_000, using: &chance), lab)
            lab.engine.play(gain: 1, over: .zero)
            latencies.append(try lab.waitForEffect().latency)
        }
        try waitForMore(4800, lab)
        #expect(lab.engine.stop(within: .seconds(5)))
        #expect(card_underruns() == 0 && lab.engine.progress.lateRewinds == 0)
        let runs = NumberedRun.all(in: heard)
        #expect(runs.count == count + 1)
        for (run, next) in zip(runs, runs.dropFirst()) {
            // The first frame of a fade-out is played in full, and perhaps some more.
            #expect((0...16).contains(run.next - next.number), "\(run) \(next)")
        }
        // The end of a fade-out is not rendered again, and the next frames wait for the short queue, which is
        // longer while the process starts.
        #expect(latencies.max() ?? .zero < EngineSettings.longestReaction, "\(latencies)")
    }

    /// The rewound frames stay in the card's memory until they are overwritten. The last ones are overwritten only after
    /// the first new ones have been written.
    @Test func noRewoundFrameIsLeftInTheCard() throws {
        let lab = try lab()
        try lab.play()
        try fillTheQueue(lab)
        lab.engine.silence(over: .milliseconds(20))
        _ = try lab.waitForEffect()
        try waitForMore(1000, lab)
        #expect(card_stale() == 0)
        // Nothing has been written behind the new frames yet, which reach only a quarter of a second.
        #expect(card_queued() <= 12_000)
        #expect(lab.engine.stop(within: .seconds(5)))
    }

    /// A second order just after the end of a silence rewinds into the first frames after it, whose positions differ
    /// from those of the frames before it. The bounds also hold on a busy machine.
    @Test func orderSoonAfterASilenceKeepsThePosition() throws {
        let lab = try lab()
        try lab.play()
        for _ in 0..<12 {
            try waitForMore(4800, lab)
            lab.engine.silence(over: .zero)
            try lab.wait(for: .faded)
            try waitForMore(36_000, lab)
            lab.engine.play(gain: 1, over: .zero)
            _ = try lab.waitForEffect()
            lab.engine.play(gain: 0.5, over: .zero)
            _ = try lab.waitForEffect()
            try waitForMore(9600, lab)
            // The frames contain their numbers, at half the level.
            let before = Int(try #require(heard.last { $0 != 0 })) / 128
            let frame = try #require(lab.engine.playhead?.frame)
            let after = Int(try #require(heard.last { $0 != 0 })) / 128
            #expect((before - 15_000...after + 15_000).contains(frame), "\(frame), \(before) to \(after)")
            lab.engine.play(gain: 1, over: .zero)
            _ = try lab.waitForEffect()
        }
        #expect(lab.engine.stop(within: .seconds(5)))
    }

    @Test func playDuringALongFadeOutReversesIt() throws {
        let lab = try lab()
        try lab.play()
        try fillTheQueue(lab)
        lab.engine.silence(over: .milliseconds(1000))
        _ = try lab.waitForEffect()
        try waitForMore(9600, lab)
        lab.engine.play(gain: 1, over: .milliseconds(50))
        #expect(try lab.waitForEffect().latency < .milliseconds(40))
        try waitForMore(14_400, lab)
        #expect(lab.engine.stop(within: .seconds(5)))
        #expect(!lab.events.contains(.faded))
        let runs = NumberedRun.all(in: heard)
        #expect(runs.count == 2)
        guard runs.count == 2 else { return }
        #expect(runs[1].number - runs[0].next == runs[1].start - runs[0].end)
        #expect(runs[1].start - runs[0].end < 16_000)
    }

    /// The end of a fade-out cannot be undone, so it is rendered only shortly before it is played.
    @Test func fadeOutIsReportedWhenItIsAboutToEnd() throws {
        let lab = try lab()
        try lab.play()
        try fillTheQueue(lab)
        lab.engine.silence(over: .milliseconds(1000))
        let start = try lab.waitForEffect().frame
        try lab.wait(for: .faded)
        #expect(heard.count > start + 48_000 - 4800, "\(heard.count) \(start)")
        #expect(lab.engine.stop(within: .seconds(5)))
    }

    @Test func jumpsAreExact() throws {
        let lab = try lab()
        try lab.play()
        for seconds in [10, 20, 5, 12] {
            try waitForMore(24_000, lab)
            lab.engine.load(track: 0, at: .seconds(seconds))
            try lab.wait(for: .loaded(track: 0))
        }
        try waitForMore(24_000, lab)
        #expect(lab.engine.stop(within: .seconds(5)))
        let runs = NumberedRun.all(in: heard)
        #expect(runs.count == 5)
        for (run, seconds) in zip(runs.dropFirst(), [10, 20, 5, 12]) {
            // The music fades in over 20 ms, and no frame before that is missing.
            #expect(abs(run.number - (seconds * 48_000 + 960 + 1)) <= 1, "\(run)")
        }
        for (run, next) in zip(runs, runs.dropFirst()) { #expect(next.start - run.end <= 960) }
    }

    @Test func tracksAndSoundsAreReportedWhenTheyAreHeard() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("sound.wav")
        try TestMusic.write(path, frames: 12_000, rate: 48_000) { _ in 0 }
        let lab = try lab(
            tracks: [(60_000, 48_000), (480_000, 48_000)], sounds: [Sound(file: Track(path: path), gain: 1)])
        try lab.play()
        try lab.pass("a queue beyond the boundary") { _ in card_queued() > 40_000 }
        try lab.wait(for: .trackAdvanced(to: 1))
        let first = try #require(heard.firstIndex { $0 >> 8 == 1 })
        #expect((60_000...64_800).contains(heard.count - first), "\(heard.count - first)")
        lab.engine.playSound(0, order: 1, isCue: false, repeats: false, after: .zero)
        let frame = try lab.wait("first frame") { event -> Int? in
            if case .soundHeard(_, let effect) = event { effect.frame } else { nil }
        }
        try lab.wait(for: .soundEnded(order: 1))
        #expect((12_000...16_800).contains(heard.count - frame), "\(heard.count - frame)")
        #expect(lab.engine.stop(within: .seconds(5)))
    }

    /// The card has queued the sound at its former level, which is rendered again.
    @Test func levelOfASoundChangesAtOnceAndWithoutAClick() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("sound.wav")
        let step = 2 * Double.pi * 440 / 48_000
        try TestMusic.write(path, frames: 480_000, rate: 48_000) {
            Int32(sin(step * Double($0)) * 1_073_741_824)
        }
        let lab = try lab(sounds: [Sound(file: Track(path: path), gain: 1)])
        lab.engine.playSound(0, order: 1, isCue: false, repeats: false, level: 1, after: .zero)
        try lab.pass("a queue") { _ in card_queued() > 40_000 }
        let start = heard.count
        lab.engine.setSoundLevel(0.1, over: .milliseconds(80))
        try waitForMore(24_000, lab)
        let after = heard[start...]
        let peak = after.dropFirst(12_000).map { abs(Double($0)) }.max() ?? 0
        #expect(abs(peak / 107_374_182 - 1) < 0.01, "\(peak)")
        let steps = zip(after, after.dropFirst()).map { abs(Double($0) - Double($1)) }.max() ?? 0
        #expect(steps < 1.02 * 1_073_741_824 * step, "\(steps)")
        #expect(lab.engine.stop(within: .seconds(5)))
    }

    @Test func lossIsNoticedAtOnceAndThePositionIsExact() throws {
        let lab = try lab()
        try lab.play()
        try fillTheQueue(lab)
        try waitForMore(10_000, lab)
        card_unplug()
        let last = try #require(heard.last) >> 8
        try lab.wait("loss", within: .milliseconds(900)) { if case .deviceLost = $0 { () } else { nil } }
        let frame = try #require(lab.engine.playhead?.frame)
        // The difference is at most the number of frames that the device plays until the thread notices the loss.
        #expect(abs(frame - Int(last)) < 480, "\(frame) \(last)")
        #expect(lab.engine.stop(within: .seconds(5)))
    }

    @Test func closesWhenItHasBeenSilentForLongEnough() throws {
        let lab = try lab(closeAfter: .milliseconds(300))
        try lab.play()
        try fillTheQueue(lab)
        lab.engine.silence(over: .milliseconds(20))
        try lab.wait(for: .faded)
        let start = heard.count
        try lab.wait(for: .deviceClosed)
        #expect((14_400...19_200).contains(heard.count - start), "\(heard.count - start)")
    }

    // MARK: Cards with inaccurate reports

    /// Pauses and resumes on the card. Returns the number of frames that each pause loses (+) or repeats (-).
    private func losses(_ lab: EngineLab, pauses: Int = 6) throws -> [Int] {
        try lab.play()
        for _ in 0..<pauses {
            try waitForMore(30_000, lab)
            lab.engine.silence(over: .zero)
            try lab.wait(for: .faded)
            try waitForMore(4800, lab)
            lab.engine.play(gain: 1, over: .zero)
            _ = try lab.waitForEffect()
        }
        try waitForMore(9600, lab)
        #expect(lab.engine.stop(within: .seconds(5)))
        let runs = NumberedRun.all(in: heard)
        return zip(runs, runs.dropFirst()).map { $1.number - $0.next }
    }

    /// The card reports that it has given back all frames, but keeps and plays a part of them.
    @Test func cardThatKeepsFramesRepeatsFew() throws {
        let lab = try lab(keptPercent: 20)
        let losses = try losses(lab)
        let reports = lab.events.filter { if case .rewoundTooLate = $0 { true } else { false } }
        #expect(!reports.isEmpty)
        #expect(lab.engine.progress.lateRewinds >= reports.count)
        // The repeated frames are the ones that the card plays during the query, not the ones that it kept.
        #expect(losses.allSatisfy { (-480...0).contains($0) }, "\(losses)")
    }

    /// The card has already played more than it reported, and runs dry at the rewind.
    @Test func cardWithAnOldPositionRepeatsOnlyUnreportedFrames() throws {
        let lab = try lab(lag: 1440)
        let losses = try losses(lab)
        #expect(card_underruns() > 0)
        let margins = lab.events.compactMap { event -> Duration? in
            if case .rewoundTooLate(let margin) = event { margin } else { nil }
        }
        #expect(!margins.isEmpty && margins == margins.sorted())
        #expect(losses.allSatisfy { (-1440...0).contains($0) }, "\(losses)")
    }

    /// Hardware that fetches more frames than the margin allows for plays those unchanged, which cannot be observed.
    @Test func cardThatFetchesEarlyAffectsOnlyTheFetchedFrames() throws {
        let lab = try lab(prefetch: 480)
        let losses = try losses(lab)
        #expect(losses.allSatisfy { (-480...480).contains($0) }, "\(losses)")
    }
}

import ALSA
import Foundation
import Saboteur
import SoundLab
import Testing
import Threads

@testable import Playback

/// Sounds on a real sound server, or as libasound receives them.
@Suite(.serialized) struct RealTimeSoundTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Returns a sound whose frames contain their own numbers.
    private func numbered(_ frames: Int, rate: Int = 48_000) throws -> [Sound] {
        let path = folder.path("sound.wav")
        try TestMusic.writeNumbers(to: path, frames: frames, rate: rate)
        return [Sound(file: Track(path: path), gain: 1)]
    }

    private func isEnd(of order: Int) -> (PlaybackEvent) -> Void? {
        { $0 == .soundEnded(order: order) ? () : nil }
    }

    @Test func soundOpensAClosedDeviceAndIsHeardWhole() throws {
        let lab = try EngineLab(sounds: try numbered(24_000))
        let recording = try lab.record()
        lab.engine.playSound(0, order: 1, isCue: false, repeats: false, after: .zero)
        let effect = try lab.wait("first frame") { if case .soundHeard(1, let effect) = $0 { effect } else { nil } }
        #expect(effect.latency > .zero)
        try lab.wait("end", for: isEnd(of: 1))
        try recording.waitForMore(9600)
        let runs = NumberedRun.all(in: recording.finish())
        #expect(runs.map(\.number) == [1] && runs.map(\.count) == [24_000])
        #expect(lab.underruns == 0)
    }

    /// The second sound is longer than the part in memory, and is cut after it.
    @Test(arguments: [false, true]) func cutSoundContinuesWithTheFrameAtWhichItsFadeOutBegan(isLong: Bool) throws {
        let sound = try numbered(96_000)[0]
        let head = isLong ? Duration.milliseconds(100) : Sound.longestInMemory
        let lab = try EngineLab(sounds: [Sound(file: sound.file, gain: 1, head: head)])
        let recording = try lab.record()
        let place = SoundPlace()
        lab.engine.playSound(0, order: 1, isCue: false, repeats: false, at: place, after: .zero)
        _ = try lab.wait("first frame") { if case .soundHeard(1, _) = $0 { () } else { nil } }
        try recording.waitForMore(24_000)
        lab.engine.stopSound()
        try recording.waitForMore(4800)
        lab.engine.playSound(
            0, order: 2, isCue: false, repeats: false, at: place, continues: true, after: .milliseconds(50))
        try lab.wait("end", for: isEnd(of: 2))
        try recording.waitForMore(9600)
        let runs = NumberedRun.all(in: recording.finish())
        #expect(runs.count == 2 && runs.first?.number == 1)
        guard runs.count == 2 else { return }
        #expect(runs[1].number == runs[0].count + 1)
        #expect(runs[1].number + runs[1].count - 1 == 96_000)
    }

    @Test func soundContinuesAfterALostDevice() throws {
        let lab = try EngineLab(sounds: try numbered(96_000), output: .plugIn) {
            $0.handling.retry = Backoff(from: .milliseconds(10), to: .milliseconds(50))
        }
        let recording = try lab.record()
        let place = SoundPlace()
        lab.engine.playSound(0, order: 1, isCue: false, repeats: false, at: place, after: .zero)
        _ = try lab.wait("first frame") { if case .soundHeard(1, _) = $0 { () } else { nil } }
        try recording.waitForMore(24_000)
        saboteur_plan("speakers", SABOTEUR_WRITE, -ENODEV, 1)
        defer { saboteur_plan("speakers", SABOTEUR_WRITE, 0, 0) }
        lab.engine.open()
        _ = try lab.wait("reset") { if case .deviceReset = $0 { () } else { nil } }
        lab.engine.rebuild()
        lab.engine.playSound(
            0, order: 2, isCue: false, repeats: false, at: place, continues: true, after: .zero)
        try lab.wait("end", for: isEnd(of: 2))
        try recording.waitForMore(9600)
        let runs = NumberedRun.all(in: recording.finish())
        guard let first = runs.first, let last = runs.last, runs.count > 1 else { return #expect(Bool(false)) }
        // Frames that the server may not have played are played again, and it may discard those that it holds.
        #expect((-9600...2400).contains(last.number - first.next), "\(runs)")
        #expect(first.number == 1 && last.number > 9600 && last.next == 96_001)
    }

    /// The render thread receives only the newest order, and the place is known all the same.
    @Test func soundThatIsReplacedAndOrderedAgainAtOnceContinues() throws {
        let lab = try EngineLab(sounds: try numbered(48_000))
        let recording = try lab.record()
        let place = SoundPlace()
        lab.engine.playSound(0, order: 1, isCue: false, repeats: false, at: place, after: .zero)
        _ = try lab.wait("first frame") { if case .soundHeard(1, _) = $0 { () } else { nil } }
        try recording.waitForMore(9600)
        lab.engine.playSound(0, order: 2, isCue: false, repeats: false, after: .zero)
        lab.engine.playSound(
            0, order: 3, isCue: false, repeats: false, at: place, continues: true, after: .milliseconds(100))
        try lab.wait("end", for: isEnd(of: 3))
        try recording.waitForMore(9600)
        let runs = NumberedRun.all(in: recording.finish())
        guard let first = runs.first, let last = runs.last else { return #expect(Bool(false)) }
        #expect(first.number == 1 && last.number == first.count + 1 && last.number + last.count - 1 == 48_000)
    }

    @Test func secondSoundCutsTheFirstAndIsHeardWhole() throws {
        let lab = try EngineLab(sounds: try numbered(24_000))
        let recording = try lab.record()
        lab.engine.playSound(0, order: 1, isCue: false, repeats: false, after: .zero)
        _ = try lab.wait("first frame") { if case .soundHeard = $0 { () } else { nil } }
        try recording.waitForMore(4800)
        lab.engine.playSound(0, order: 2, isCue: false, repeats: false, after: .milliseconds(100))
        try lab.wait("end", for: isEnd(of: 2))
        try recording.waitForMore(9600)
        let runs = NumberedRun.all(in: recording.finish())
        #expect(runs.map(\.number) == [1, 1] && runs.last?.count == 24_000)
        // The distance is 100 ms, of which the fade-out of the first sound takes 20 ms.
        if runs.count == 2 { #expect((4799...4801).contains(runs[1].start - runs[0].end)) }
        #expect(!lab.events.contains(.soundEnded(order: 1)))
    }

    @Test func lostDeviceCutsTheSoundWhichCanStartAgainAfterIt() throws {
        let lab = try EngineLab(sounds: try numbered(48_000))
        lab.engine.playSound(0, order: 1, isCue: true, repeats: false, after: .zero)
        _ = try lab.wait("first frame") { if case .soundHeard = $0 { () } else { nil } }
        lab.server.die()
        try lab.wait("loss") { if case .deviceLost = $0 { () } else { nil } }
        try lab.server.start()
        try lab.wait("return") { if case .deviceReset = $0 { () } else { nil } }
        let recording = try lab.record()
        lab.engine.playSound(0, order: 2, isCue: true, repeats: false, after: .zero)
        try lab.wait("end", for: isEnd(of: 2))
        try recording.waitForMore(9600)
        let runs = NumberedRun.all(in: recording.finish())
        #expect(runs.map(\.number) == [1] && runs.map(\.count) == [48_000])
        #expect(!lab.events.contains(.soundEnded(order: 1)))
    }

    @Test func deviceOfAnotherFormatReadsTheSoundAgain() throws {
        let server = try PulseServer(rate: 44_100, channels: 1)
        saboteur_plan_format("speakers", 44_100, 1)
        defer { saboteur_plan_format("", 0, 0) }
        let lab = try EngineLab(server: server, sounds: try numbered(22_050, rate: 44_100))
        let recording = try lab.record()
        lab.engine.playSound(0, order: 1, isCue: false, repeats: false, after: .zero)
        try lab.wait("end", for: isEnd(of: 1))
        try recording.waitForMore(4410)
        let runs = NumberedRun.all(in: recording.finish())
        #expect(runs.map(\.number) == [1] && runs.map(\.count) == [22_050])
    }

    /// Returns a clip whose frames contain their own numbers, and whose file has been deleted since.
    private func clip(_ frames: Int, _ engine: RealTimeEngine) throws -> SoundClip {
        let path = folder.path("clip.flac")
        try folder.encode((1...frames).flatMap { [Int32($0) << 8, Int32($0) << 8] }, to: "clip.flac", .flac24)
        defer { unlink(path) }
        return try SoundClip.load(path, format: engine.soundFormat)
    }

    @Test func clipIsHeardWholeInsteadOfAMissingFileAndReleasedAfterwards() throws {
        let lab = try EngineLab(sounds: [Sound(file: Track(path: folder.path("missing.wav")), gain: 1)])
        let recording = try lab.record()
        weak var released: SoundClip?
        do {
            let clip = try clip(24_000, lab.engine)
            released = clip
            lab.engine.playSound(0, clip: clip, order: 1, isCue: false, repeats: false, after: .zero)
        }
        try lab.wait("end", for: isEnd(of: 1))
        #expect(released == nil)
        try recording.waitForMore(9600)
        let runs = NumberedRun.all(in: recording.finish())
        #expect(runs.map(\.number) == [1] && runs.map(\.count) == [24_000])
    }

    /// The rest of the clip is decoded while it plays.
    @Test func longClipIsHeardWhole() throws {
        let lab = try EngineLab(sounds: try numbered(4800))
        let recording = try lab.record()
        let clip = try clip(48_000 * 11, lab.engine)
        #expect(!clip.memory.isWhole)
        lab.engine.playSound(0, clip: clip, order: 1, isCue: false, repeats: false, after: .zero)
        try lab.wait("end", within: .seconds(20), for: isEnd(of: 1))
        try recording.waitForMore(9600)
        let runs = NumberedRun.all(in: recording.finish())
        #expect(runs.map(\.number) == [1] && runs.map(\.count) == [48_000 * 11])
    }

    @Test func deviceOfAnotherFormatDecodesTheClipAgain() throws {
        let server = try PulseServer(rate: 44_100, channels: 1)
        saboteur_plan_format("speakers", 44_100, 1)
        defer { saboteur_plan_format("", 0, 0) }
        let lab = try EngineLab(server: server, sounds: try numbered(4800))
        let path = folder.path("clip.wav")
        try TestMusic.writeNumbers(to: path, frames: 22_050, rate: 44_100)
        let clip = try SoundClip.load(path, format: StreamFormat(rate: 48_000, channels: 2))
        unlink(path)
        let recording = try lab.record()
        lab.engine.playSound(0, clip: clip, order: 1, isCue: false, repeats: false, after: .zero)
        try lab.wait("end", for: isEnd(of: 1))
        try recording.waitForMore(4410)
        let runs = NumberedRun.all(in: recording.finish())
        #expect(runs.map(\.number) == [1] && runs.map(\.count) == [22_050])
    }

    /// The memory of a sound that has ended is released while the render thread continues.
    @Test func engineContinuesAfterTheEndOfALongSound() throws {
        // The sound is half a second longer than the part that fits into memory, on a device that accepts frames at
        // once. With a longer queue, it would be faster than the thread that reads the rest.
        let path = folder.path("long.wav")
        try TestMusic.writeNumbers(to: path, frames: 2 * 8000 + 4000, rate: 8000)
        let sound = Sound(file: Track(path: path), gain: 1, head: .seconds(2))
        let lab = try EngineLab(sounds: [sound]) {
            $0.address = PCMAddress("silent", definedBy: "pcm.silent { type null }")
            $0.queue = .milliseconds(15)
        }
        try lab.play()
        for order in 1...3 {
            lab.engine.playSound(0, order: order, isCue: false, repeats: false, after: .zero)
            try lab.wait("end", within: .seconds(10), for: isEnd(of: order))
            let turns = lab.engine.exchange.readStatus().signs.turns
            try lab.pass("some passes") { _ in lab.engine.exchange.readStatus().signs.turns > turns + 50 }
        }
    }

    /// Such a sound has not been played to its end.
    @Test func longSoundThatCannotBeReadFurtherIsReportedAsCut() throws {
        let path = folder.path("long.wav")
        try TestMusic.writeNumbers(to: path, frames: 10 * 8000, rate: 8000)
        let sound = Sound(file: Track(path: path), gain: 1, head: .seconds(2))
        let lab = try EngineLab(sounds: [sound]) {
            $0.address = PCMAddress("silent", definedBy: "pcm.silent { type null }")
            $0.queue = .milliseconds(15)
        }
        try lab.wait("sound") { if case .soundReadable = $0 { () } else { nil } }
        // The head is in memory, but the rest is not.
        try FileManager.default.removeItem(atPath: path)
        lab.engine.playSound(0, order: 1, isCue: false, repeats: false, after: .zero)
        try lab.wait(for: .soundCut(order: 1))
        #expect(lab.events.contains { if case .soundBroken(0, _) = $0 { true } else { false } })
        #expect(!lab.events.contains(.soundEnded(order: 1)))
    }

    @Test func stopEndsARepeatingCue() throws {
        let lab = try EngineLab(sounds: try numbered(24_000))
        lab.engine.playSound(0, order: 1, isCue: true, repeats: true, after: .zero)
        _ = try lab.wait("first frame") { if case .soundHeard = $0 { () } else { nil } }
        #expect(lab.engine.stop(within: .seconds(5)))
    }

    @Test func missingFileIsReportedAndACueIsHeardAsATone() throws {
        let lab = try EngineLab(sounds: [Sound(file: Track(path: folder.path("missing.wav")), gain: 1)])
        try lab.wait("fault") { if case .soundUnreadable = $0 { () } else { nil } }
        let recording = try lab.record()
        lab.engine.playSound(0, order: 1, isCue: true, repeats: false, after: .zero)
        _ = try lab.wait("first frame") { if case .soundHeard = $0 { () } else { nil } }
        try recording.waitForMore(48_000)
        lab.engine.stopSound()
        try recording.waitForMore(9600)
        let peak = recording.finish().map { abs(Double($0)) / 0x1p31 }.max() ?? 0
        #expect(abs(peak - 0.501) < 0.001)
        #expect(!lab.events.contains(.soundEnded(order: 1)))
    }

    /// Each order rewinds the device's queue, including the frames of both voices.
    @Test func stormOfOrdersLosesAndRepeatsNoFrameOfEitherVoice() throws {
        let raw = folder.path("heard.raw")
        let path = try folder.encode((1...960_000).flatMap { [0, Int32($0) << 8] }, to: "right.wav", .wav24)
        let lab = try EngineLab(sounds: [Sound(file: Track(path: path), gain: 1)]) {
            $0.queue = .milliseconds(40)
            $0.address = PCMAddress(
                "paper", definedBy: "pcm.paper { type file slave.pcm { type null } file \"\(raw)\" format raw }")
        }
        try lab.play()
        lab.engine.playSound(0, order: 1, isCue: true, repeats: true, after: .zero)
        _ = try lab.wait("first frame") { if case .soundHeard = $0 { () } else { nil } }
        // The device is paced, so a quick machine sends more orders until enough has been played.
        var orders = 0
        while orders < 50 || lab.engine.playhead?.frame ?? 0 < 15_000 {
            lab.engine.play(gain: 1, over: .zero)
            _ = try lab.waitForEffect()
            orders += 1
        }
        #expect(lab.engine.stop(within: .seconds(5)))
        #expect(!lab.events.contains(.storageStarved))
        let samples = try Data(contentsOf: URL(fileURLWithPath: raw)).withUnsafeBytes {
            Array($0.bindMemory(to: Int32.self))
        }
        let left = stride(from: 0, to: samples.count - 1, by: 2).map { Int(samples[$0] >> 8) }
        // The right channel is the sum of the numbers of the music and the sound.
        let sound = stride(from: 1, to: samples.count, by: 2).map { Int(samples[$0] >> 8) - left[$0 / 2] }
        let first = try #require(sound.firstIndex(of: 1))
        let heard = sound[first...]
        #expect(heard.count > 10_000)
        #expect(heard.enumerated().allSatisfy { $0.element == $0.offset % 960_000 + 1 })
        let playback = left.drop { $0 == 0 }
        #expect(playback.enumerated().allSatisfy { $0.element == $0.offset + 1 })
    }
}

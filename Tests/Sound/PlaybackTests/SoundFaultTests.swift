import ALSA
import Foundation
import SoundLab
import Testing
import Threads

@testable import Playback

/// Files of sounds that are inaudible, or of which only a part is audible.
@Suite struct SoundFaultTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func read(_ path: String, rate: Int) -> DecoderError? {
        let sound = Sound(file: Track(path: path), gain: 1)
        var defect: DecoderError?
        let error = error(of: { () throws(DecoderError) in
            defect = try SoundMemory.read(sound, format: StreamFormat(rate: rate, channels: 2)).defect
        })
        // The file can be read, and is treated as readable.
        #expect(error == nil)
        return defect
    }

    private func load(_ path: String) -> DecoderError? {
        var defect: DecoderError?
        let error = error(of: { () throws(DecoderError) in
            let clip = try SoundClip.load(path, format: StreamFormat(rate: 48_000, channels: 2))
            if clip.memory.isWhole {
                defect = clip.memory.defect
            } else {
                defect = try Sound.check(Track(path: path)).defect
            }
        })
        #expect(error == nil)
        return defect
    }

    private func error(of action: () throws(DecoderError) -> Void) -> DecoderError? {
        do throws(DecoderError) {
            try action()
            return nil
        } catch { return error }
    }

    private func stereo(frames: Int, _ value: (Int) -> Double) -> [Int32] {
        (0..<frames).flatMap { [Int32](repeating: Int32(value($0) * 0x1p31), count: 2) }
    }

    @Test(arguments: [1, 10, 240, 959], [48_000, 44_100])
    func soundOfLessThan20MillisecondsIsReported(frames: Int, rate: Int) throws {
        let path = try folder.encode(sine(frames: frames, frequency: 700), to: "short.wav", .wav24)
        #expect(read(path, rate: rate)?.message.contains("hardly any audio") == true)
        #expect(load(path)?.message.contains("hardly any audio") == true)
    }

    @Test(arguments: [48_000, 44_100]) func soundOf20MillisecondsIsNotReported(rate: Int) throws {
        let path = try folder.encode(sine(frames: 960, frequency: 700), to: "click.wav", .wav24)
        #expect(read(path, rate: rate) == nil && load(path) == nil)
    }

    @Test(arguments: [48_000, 44_100], [0, 0.5, -0.25]) func constantSoundIsReported(rate: Int, value: Double) throws {
        let path = try folder.encode(stereo(frames: 24_000) { _ in value }, to: "constant.wav", .wav24)
        #expect(read(path, rate: rate)?.message.contains("it is silent") == true)
        #expect(load(path)?.message.contains("it is silent") == true)
    }

    @Test(arguments: [48_000, 44_100]) func soundBelow90DecibelsIsReported(rate: Int) throws {
        let quiet = try folder.encode(sine(frames: 24_000, frequency: 700, level: 0.000028), to: "quiet.wav", .wav24)
        #expect(read(quiet, rate: rate)?.message.contains("it is silent") == true)
        let audible = try folder.encode(sine(frames: 24_000, frequency: 700, level: 0.0001), to: "low.wav", .wav24)
        #expect(read(audible, rate: rate) == nil)
    }

    /// One channel or a short part is enough to be audible.
    @Test(arguments: [48_000, 44_100]) func soundThatIsMostlySilentIsNotReported(rate: Int) throws {
        let click = try folder.encode(stereo(frames: 48_000) { $0 < 240 ? sin(Double($0)) : 0 }, to: "a.wav", .wav24)
        let late = try folder.encode(
            stereo(frames: 48_000 * 12) { $0 < 48_000 * 11 ? 0 : sin(Double($0)) }, to: "b.flac", .flac16)
        let left = try folder.encode(
            stereo(frames: 48_000) { sin(Double($0)) }.enumerated().map { $0.offset % 2 == 0 ? $0.element : 0 },
            to: "c.wav", .wav24)
        for path in [click, late, left] { #expect(read(path, rate: rate) == nil && load(path) == nil, "\(path)") }
    }

    @Test func longSoundWithASilentFirstMinuteIsReported() throws {
        let samples = [Int32](repeating: 0, count: 61 * 8000) + sine(frames: 8000, frequency: 700, channels: 1)
        let path = try folder.encode(samples, to: "late.flac", .flac16, rate: 8000, channels: 1)
        #expect(read(path, rate: 8000)?.message.contains("it is silent") == true)
        #expect(load(path)?.message.contains("it is silent") == true)
    }

    // MARK: After the first minute

    /// Returns a file of ten seconds with damage that begins after four or seven.
    /// - Parameter part: the damaged part of the file, in percent, or 0 for some bytes.
    private func damaged(_ part: Int = 0, of encoding: Encoding = .flac16) throws -> Sound {
        try folder.encode(music(frames: 8000 * 10), to: "whole", encoding, rate: 8000)
        var bytes = try folder.bytes(of: "whole")
        let start = bytes.count * (part > 0 ? 4 : 7) / 10
        for index in start..<start + max(100, bytes.count * part / 100) { bytes[index] = 0 }
        return Sound(file: Track(path: try folder.write(bytes, to: "long")), gain: 1, head: .seconds(2))
    }

    private func engine(_ sound: Sound) -> OfflineEngine {
        OfflineEngine(
            tracks: [], order: TrackOrder(successor: { _ in nil }, next: { _ in nil }, previous: { _ in nil }),
            sounds: [sound])
    }

    private func faults(_ engine: OfflineEngine) -> [DecoderError.Reason] {
        engine.takeEvents().compactMap { if case .soundBroken(0, let reason) = $0 { reason.reason } else { nil } }
    }

    @Test func damageAfterTheHeadIsReportedOnceAndTheRestIsPlayed() throws {
        let engine = engine(try damaged())
        engine.open(FrameCollector(rate: 8000))
        engine.playSound(0, order: 1, isCue: false, repeats: false, after: .zero)
        try engine.run(8000 * 25)
        let events = engine.takeEvents()
        let gaps = events.filter { if case .soundBroken(0, let reason) = $0 { reason.reason == .gap } else { false } }
        #expect(gaps.count == 1 && events.contains(.soundEnded(order: 1)))
        #expect(!events.contains(.soundCut(order: 1)), "\(events)")
    }

    /// The rest is played, but the announcement could not be understood.
    @Test(arguments: [Encoding.flac16, .vorbis, .mp3]) func announcementThatIsMostlySilentIsNotHeard(
        _ encoding: Encoding
    ) throws {
        let output = FrameCollector(rate: 8000)
        let engine = engine(try damaged(40, of: encoding))
        engine.open(output)
        engine.playSound(0, order: 1, isCue: false, repeats: false, after: .zero)
        try engine.run(8000 * 12)
        let events = engine.takeEvents()
        #expect(events.contains(.soundCut(order: 1)) && !events.contains(.soundEnded(order: 1)), "\(events)")
        let heard = output.samples.lastIndex { abs($0) > 1 << 16 } ?? 0
        #expect(heard / output.format.channels > 8000 * 9, "\(heard)")
    }

    /// A siren must not be silent for as long as the damage lasts.
    @Test(arguments: [Encoding.flac16, .vorbis, .mp3]) func repeatingCueThatIsDamagedRepeatsItsHead(
        _ encoding: Encoding
    ) throws {
        let output = FrameCollector(rate: 8000)
        let engine = engine(try damaged(40, of: encoding))
        engine.open(output)
        engine.playSound(0, order: 1, isCue: true, repeats: true, after: .zero)
        try engine.run(8000 * 45)
        #expect(longestSilence(output) < 8000, "\(longestSilence(output)) frames")
        #expect(faults(engine) == [.damaged])
    }

    /// Returns the longest silence in frames.
    private func longestSilence(_ output: FrameCollector) -> Int {
        var (longest, current) = (0, 0)
        for left in stride(from: 0, to: output.samples.count, by: output.format.channels) {
            current = abs(output.samples[left]) < 1 << 16 ? current + 1 : 0
            longest = max(longest, current)
        }
        return longest
    }

    /// The end is also reported if it is found as soon as the rest is opened.
    @Test func endOfATruncatedSoundIsReported() throws {
        try folder.encode(music(frames: 8000 * 5), to: "whole", .flac16, rate: 8000)
        let bytes = try folder.bytes(of: "whole")
        let path = try folder.write(Array(bytes[..<(bytes.count * 3 / 4)]), to: "cut.flac")
        let engine = engine(Sound(file: Track(path: path), gain: 1, head: .seconds(2)))
        engine.open(FrameCollector(rate: 8000))
        engine.playSound(0, order: 1, isCue: false, repeats: false, after: .zero)
        try engine.run(8000 * 6)
        #expect(faults(engine) == [.damaged])
    }

    @Test(arguments: [false, true], [0, 40]) func soundThreadReportsDamage(repeats: Bool, part: Int) throws {
        let sound = try damaged(part)
        let bell = WakeUp()
        let inbox = EngineInbox(bell: bell)
        let thread = SoundThread([sound], inbox: inbox)
        let format = StreamFormat(rate: 8000, channels: 2)
        let memory = try SoundMemory.read(sound, format: format)
        let stream = SoundStream(sound.file, format: format, repeats: repeats, fileSize: memory.fileSize)
        let runner = Thread { thread.run() }
        runner.start()
        defer { thread.quit() }
        thread.read(rest: SoundThread.Rest(sound: 0, stream: stream, start: 0, inMemory: 8000 * 5))
        let isMutilated = part > 0 && !repeats
        var found: [EngineMessage] = []
        while found.count < (isMutilated ? 2 : 1), bell.wait(.seconds(30)) { found += inbox.take() }
        guard case .soundBroken(0, let reason)? = found.first else {
            Issue.record("\(found)")
            return
        }
        #expect(reason.reason == (repeats ? .damaged : .gap))
        let reports = found.dropFirst().filter { if case .soundMutilated(0) = $0 { true } else { false } }
        #expect(found.count == (isMutilated ? 2 : 1) && reports.count == found.count - 1)
    }
}

import CRealTime
import Chance
import Glibc
import Saboteur
import SoundLab
import Testing

@testable import Recording

/// Recordings of a sound server's monitor, while it plays frames that contain their own numbers.
@Suite(.serialized) struct MicrophoneRecorderTests {
    private static let isProof = getenv("TACET_PROOF") != nil
    private static var seed: UInt64 {
        getenv("TACET_SEED").flatMap { UInt64(String(cString: $0)) } ?? (isProof ? .random(in: 1...1 << 40) : 1)
    }

    /// Compares a recording with the capture clock. Each of its frames must be recorded once, in order, or be silent
    /// because it was muted. Nothing else may be recorded.
    /// - Parameter mutes: the frames of the recording at which mute was turned on or off.
    private func check(_ numbers: [Int], _ stretches: [Range<Int>], mutes: [Int] = []) {
        #expect(numbers.count == stretches.reduce(0) { $0 + $1.count })
        let clock = stretches.joined()
        var isMuted = false
        var changes = mutes[...]
        var shift: Int?
        for (index, (number, frame)) in zip(numbers, clock).enumerated() {
            while changes.first == index {
                isMuted.toggle()
                changes.removeFirst()
            }
            if isMuted {
                if number != 0 { return #expect(Bool(false), "frame \(index) is not silent") }
            } else if let shift {
                if number != frame + shift {
                    return #expect(Bool(false), "frame \(index) is \(number) instead of \(frame + shift)")
                }
            } else {
                shift = number - frame
            }
        }
    }

    @Test func recordsEveryFrameOutsideInterruptionsOnce() throws {
        let seed = Self.seed
        print("Interruptions: seed \(seed)")
        let lab = try RecorderLab(seconds: 150)
        var random = SplitMix(seed: seed)
        try lab.play()
        try lab.record()
        var isPaused = false
        var isMuted = false
        for _ in 0..<(Self.isProof ? 200 : 20) {
            try lab.passTurns(Int.random(in: 1...12, using: &random))
            if Int.random(in: 0..<3, using: &random) == 0 {
                isMuted.toggle()
                lab.recorder.mute(isMuted)
            } else {
                isPaused.toggle()
                if isPaused { lab.recorder.pause() } else { lab.recorder.record() }
            }
        }
        if isPaused { try lab.record() }
        if isMuted { lab.recorder.mute(false) }
        try lab.passTurns(10)
        let last = lab.recorder.pause()
        let frames = try lab.wait("pause") { event in
            if case .paused(last, let frames, _, true) = event { return frames }
            return Int?.none
        }
        // The file is complete before it ends.
        let path = try #require(lab.recorder.currentFile)
        let bytes = try #require(ScratchFolder.bytes(of: path))
        #expect(DecodedFile(bytes)?.samples.count == 2 * frames)
        try lab.finish()
        let mutes = lab.events.compactMap { event in
            if case .muted(_, _, let frames) = event { return frames }
            return nil
        }
        let numbers = try lab.recordedNumbers()
        check(numbers, lab.stretches, mutes: mutes)
        #expect(lab.recorder.recordedFrames == numbers.count && lab.recorder.lostFrames == 0)
        #expect(lab.stretches.count > 3 && mutes.count > 1)
        #expect(try lab.files().count == 1)
    }

    /// The recording must contain the frames captured between two orders, as far as the server's delay is exact.
    @Test func ordersTakeEffectAtTheFrameOfTheirTime() throws {
        let lab = try RecorderLab()
        try lab.record()
        let first = lab.recorder.pause()
        try lab.wait("pause") { if case .paused(first, _, _, true) = $0 { () } else { nil } }
        var bounds: [ClosedRange<Int>] = []
        for turns in 1...12 {
            // The interval is about as long as a few turns of the capturing thread, plus a part of one.
            let begin = Int(realtime_now())
            lab.recorder.record()
            let begun = Int(realtime_now())
            try lab.passTurns(1 + turns % 4)
            let end = Int(realtime_now())
            let order = lab.recorder.pause()
            let ended = Int(realtime_now())
            bounds.append((end - begun) * 48 / 1_000_000 - 240...(ended - begin) * 48 / 1_000_000 + 240)
            try lab.wait("pause") { if case .paused(order, _, _, true) = $0 { () } else { nil } }
        }
        let lengths = lab.stretches.dropFirst().map(\.count)
        #expect(lengths.count == bounds.count)
        for (length, bound) in zip(lengths, bounds) { #expect(bound.contains(length)) }
        try lab.finish()
    }

    @Test func segmentsAreGapless() throws {
        let lab = try RecorderLab { $0.segment = .milliseconds(400) }
        try lab.play()
        try lab.record()
        try lab.pass("recorded") { lab.recorder.recordedFrames > 96_000 }
        let order = lab.recorder.pause()
        try lab.wait("pause") { if case .paused(order, _, _, true) = $0 { () } else { nil } }
        try lab.finish()
        check(try lab.recordedNumbers(), lab.stretches)
        let files = try lab.files()
        #expect(files.count >= 5)
        #expect(files.dropLast().allSatisfy { $0.frames == 19_200 })
    }

    @Test func resumesInTheSameFileWhenTheServerReturns() throws {
        let lab = try RecorderLab { $0.handling.stallTimeout = .milliseconds(300) }
        try lab.play()
        try lab.record()
        try lab.pass("recorded") { lab.recorder.recordedFrames > 24_000 }
        lab.server.die()
        try lab.wait("loss") { if case .deviceLost = $0 { () } else { nil } }
        #expect(!lab.recorder.isDeviceAvailable)
        try lab.server.start()
        try lab.wait("return") { $0 == .deviceReturned ? () : nil }
        #expect(lab.recorder.isDeviceAvailable)
        try lab.wait("recording") { if case .recording = $0 { () } else { nil } }
        let before = lab.recorder.recordedFrames
        try lab.pass("recorded") { lab.recorder.recordedFrames > before + 24_000 }
        try lab.finish()
        let files = try lab.files()
        #expect(files.count == 1 && files[0].frames == lab.recorder.recordedFrames)
        // The recording contains the frames that were played before the loss, without a gap.
        let numbers = try lab.recordedNumbers()
        let first = numbers[0]
        let run = numbers.enumerated().prefix { $0.element == first + $0.offset }.count
        #expect(run > 24_000 && numbers[run...].allSatisfy { $0 == 0 })
    }

    @Test func beginsANewFileWhenTheDeviceReturnsWithAnotherRate() throws {
        let lab = try RecorderLab()
        defer { saboteur_plan_format(nil, 0, 0) }
        try lab.record()
        try lab.pass("recorded") { lab.recorder.recordedFrames > 4800 }
        saboteur_plan_format("microphone", 44_100, 1)
        saboteur_plan("microphone", SABOTEUR_AVAIL, -ENODEV, 1)
        try lab.wait("loss") { if case .deviceLost(let error) = $0, error.code == ENODEV { () } else { nil } }
        try lab.wait("return") { $0 == .deviceReturned ? () : nil }
        let before = lab.recorder.recordedFrames
        try lab.pass("recorded") { lab.recorder.recordedFrames > before + 4410 }
        try lab.finish()
        let files = try lab.files()
        #expect(files.map(\.rate) == [48_000, 44_100] && files.map(\.channels) == [2, 1])
        let reasons = lab.events.compactMap { if case .fileEnded(_, _, let reason) = $0 { reason } else { nil } }
        #expect(reasons == [.format, .stopped])
    }

    @Test func deviceThatDeliversNothingIsLost() throws {
        let lab = try RecorderLab { $0.handling.stallTimeout = .milliseconds(200) }
        saboteur_plan("microphone", SABOTEUR_AVAIL, 0, 1_000_000)
        defer { saboteur_plan("microphone", SABOTEUR_AVAIL, 0, 0) }
        lab.recorder.record()
        let error = try lab.wait("loss") { if case .deviceLost(let error) = $0 { error } else { nil } }
        #expect(error.code == ETIMEDOUT)
        // The device can be opened, but is lost nevertheless.
        try lab.wait("another opening") { if case .deviceOpened = $0 { () } else { nil } }
        try lab.wait("and another") { if case .deviceOpened = $0 { () } else { nil } }
        #expect(!lab.events.contains(.deviceReturned) && !lab.recorder.isDeviceAvailable)
        saboteur_plan("microphone", SABOTEUR_AVAIL, 0, 0)
        lab.recorder.retryDevice()
        try lab.wait("return") { $0 == .deviceReturned ? () : nil }
        try lab.pass("recorded") { lab.recorder.recordedFrames > 4800 }
        try lab.finish()
        #expect(lab.events.filter { if case .deviceLost = $0 { true } else { false } }.count == 1)
    }

    /// Otherwise, the return of the device would never be detected.
    @Test func lostDeviceReturnsAlthoughNothingIsToBeRecorded() throws {
        let lab = try RecorderLab()
        try lab.record()
        let order = lab.recorder.pause()
        try lab.wait("pause") { if case .paused(order, _, _, true) = $0 { () } else { nil } }
        saboteur_plan("microphone", SABOTEUR_AVAIL, -ENODEV, 1)
        try lab.wait("loss") { if case .deviceLost = $0 { () } else { nil } }
        try lab.wait("return") { $0 == .deviceReturned ? () : nil }
        #expect(!lab.recorder.isRecording)
    }

    @Test func busyDeviceIsTriedAgain() throws {
        let lab = try RecorderLab()
        saboteur_plan("microphone", SABOTEUR_OPEN, -EBUSY, 3)
        lab.recorder.record()
        let error = try lab.wait("loss") { if case .deviceLost(let error) = $0 { error } else { nil } }
        #expect(error.code == EBUSY)
        try lab.wait("return") { $0 == .deviceReturned ? () : nil }
        try lab.pass("recorded") { lab.recorder.recordedFrames > 4800 }
        #expect(saboteur_hits(SABOTEUR_OPEN) == 3)
        try lab.finish()
    }

    @Test func overrunIsReplacedBySilence() throws {
        let lab = try RecorderLab()
        try lab.play()
        try lab.record()
        try lab.pass("recorded") { lab.recorder.recordedFrames > 9600 }
        let monitor = try Recording(lab.server)
        saboteur_hold("microphone", SABOTEUR_AVAIL)
        try monitor.waitForMore(9600)
        saboteur_plan("microphone", SABOTEUR_AVAIL, -EPIPE, 1)
        saboteur_hold(nil, SABOTEUR_AVAIL)
        let lost = try lab.wait("overrun") { if case .overrun(let frames) = $0 { frames } else { nil } }
        let before = lab.recorder.recordedFrames
        try lab.pass("recorded") { lab.recorder.recordedFrames > before + 9600 }
        let order = lab.recorder.pause()
        try lab.wait("pause") { if case .paused(order, _, _, true) = $0 { () } else { nil } }
        try lab.finish()
        let numbers = try lab.recordedNumbers()
        // The file is as long as the capture clock requires, with one silent frame for each lost one.
        #expect(numbers.count == lab.stretches.reduce(0) { $0 + $1.count })
        #expect(numbers.filter { $0 == 0 }.count >= lost && lost > 4800 && lab.recorder.lostFrames == lost)
    }

    @Test func slowDiskLosesNothing() throws {
        let calls = GatedCalls()
        defer { calls.open() }
        let lab = try RecorderLab(calls: calls) { $0.slowStorage = .milliseconds(100) }
        try lab.play()
        try lab.record()
        try lab.pass("recorded") { lab.recorder.recordedFrames > 9600 }
        calls.close()
        try lab.wait("slow disk") { if case .storageSlow = $0 { () } else { nil } }
        #expect(lab.recorder.storageBusyTime != nil && lab.recorder.progress.isHeldByStorage)
        // The turns take about four seconds.
        try lab.passTurns(200)
        calls.open()
        let order = lab.recorder.pause()
        try lab.wait("pause") { if case .paused(order, _, _, true) = $0 { () } else { nil } }
        try lab.finish()
        check(try lab.recordedNumbers(), lab.stretches)
        #expect(lab.recorder.lostFrames == 0)
    }

    /// Frames that do not fit into the ring are replaced by silence, and the file is as long as if they had been
    /// recorded.
    @Test func diskThatIsSlowForTooLongCausesAnOverrun() throws {
        let calls = GatedCalls()
        defer { calls.open() }
        let lab = try RecorderLab(calls: calls) { $0.ring = .seconds(1) }
        try lab.record()
        try lab.pass("recorded") { lab.recorder.recordedFrames > 9600 }
        calls.close()
        try lab.pass("lost") { lab.recorder.lostFrames > 20_000 }
        calls.open()
        try lab.wait("overrun") { if case .overrun = $0 { () } else { nil } }
        let order = lab.recorder.pause()
        try lab.wait("pause") { if case .paused(order, _, _, true) = $0 { () } else { nil } }
        try lab.finish()
        let overruns = lab.events.reduce(0) { if case .overrun(let frames) = $1 { $0 + frames } else { $0 } }
        #expect(overruns == lab.recorder.lostFrames)
        #expect(try lab.files().map(\.frames) == [lab.stretches.reduce(0) { $0 + $1.count }])
    }

    @Test func failingDiskDelaysNoInterruption() throws {
        let calls = GatedCalls()
        let lab = try RecorderLab(calls: calls) { $0.interval = .milliseconds(100) }
        try lab.play()
        try lab.record()
        try lab.pass("recorded") { lab.recorder.recordedFrames > 9600 }
        calls.fail(ENOSPC)
        let error = try lab.wait("failure") { if case .storageFailed(let error) = $0 { error } else { nil } }
        #expect(error.reason == .full)
        let order = lab.recorder.pause()
        try lab.wait("pause") { if case .paused(order, _, _, false) = $0 { () } else { nil } }
        lab.recorder.record()
        try lab.passTurns(20)
        calls.fail(0)
        try lab.wait("recovery") { $0 == .storageRecovered ? () : nil }
        try lab.wait("recording") { if case .recording = $0 { () } else { nil } }
        let last = lab.recorder.pause()
        try lab.wait("pause") { if case .paused(last, _, _, true) = $0 { () } else { nil } }
        try lab.finish()
        check(try lab.recordedNumbers(), lab.stretches)
    }

    @Test func stopCompletesTheFile() throws {
        let lab = try RecorderLab()
        try lab.record()
        try lab.pass("recorded") { lab.recorder.recordedFrames > 9600 }
        #expect(lab.recorder.stop(within: .seconds(5)))
        let files = try lab.files()
        #expect(files.map(\.frames) == [lab.recorder.recordedFrames])
        #expect(files[0].tags.values.contains("Tacet") || !files[0].tags.isEmpty)
    }

    /// A sound server that has stopped may block the capturing thread for ever.
    @Test func stopCompletesTheFileAlthoughTheDeviceHangs() throws {
        let lab = try RecorderLab { $0.handling.stallTimeout = .milliseconds(200) }
        defer { saboteur_hold(nil, SABOTEUR_AVAIL) }
        try lab.record()
        try lab.pass("recorded") { lab.recorder.recordedFrames > 9600 }
        saboteur_hold("microphone", SABOTEUR_AVAIL)
        let error = try lab.wait("loss") { if case .deviceLost(let error) = $0 { error } else { nil } }
        #expect(error.code == ETIMEDOUT && lab.recorder.progress.isHeldByDevice)
        #expect(!lab.recorder.stop(within: .seconds(1)))
        #expect(try lab.files().map(\.frames) == [lab.recorder.recordedFrames])
    }

    @Test func sleepClosesTheDevice() throws {
        let lab = try RecorderLab()
        try lab.record()
        try lab.pass("recorded") { lab.recorder.recordedFrames > 4800 }
        let order = lab.recorder.sleep()
        try lab.wait("sleep") { if case .asleep(order, _, true) = $0 { () } else { nil } }
        let frames = lab.recorder.recordedFrames
        lab.recorder.wake()
        try lab.wait("recording") { if case .recording(0, _) = $0 { () } else { nil } }
        try lab.pass("recorded") { lab.recorder.recordedFrames > frames + 4800 }
        try lab.finish()
        #expect(try lab.files().map(\.frames) == [lab.recorder.recordedFrames])
    }

    @Test func idleDeviceIsClosedForOtherPrograms() throws {
        let lab = try RecorderLab { $0.handling.closeAfter = .milliseconds(50) }
        try lab.record()
        let order = lab.recorder.pause()
        try lab.wait("pause") { if case .paused(order, _, _, true) = $0 { () } else { nil } }
        try lab.pass("closed") { lab.recorder.phase == .closed }
        try lab.record()
        try lab.finish()
    }

    @Test func thousandStartsAndStopsLeaveAThousandFilesAtMost() throws {
        let lab = try RecorderLab()
        var last = 0
        for _ in 0..<1000 {
            lab.recorder.record()
            last = lab.recorder.finish()
        }
        try lab.wait("end") { if case .finished(last, _, true) = $0 { () } else { nil } }
        try lab.record()
        try lab.pass("recorded") { lab.recorder.recordedFrames > 4800 }
        try lab.finish()
        let files = try lab.files()
        #expect(files.count <= 1001 && files.reduce(0) { $0 + $1.frames } == lab.recorder.recordedFrames)
        #expect(lab.events.filter { if case .finished = $0 { true } else { false } }.count == 1001)
    }

    @Test(.enabled(if: saboteur_counts() != 0, "a sanitizer has its own malloc"))
    func capturingAllocatesNothing() throws {
        let lab = try RecorderLab()
        try lab.record()
        let thread = try #require(Process.threads(named: "sound-capture").first)
        saboteur_watch(thread)
        defer { saboteur_watch(0) }
        for round in 0..<4 {
            try lab.passTurns(10)
            lab.recorder.mute(round % 2 == 0)
            lab.recorder.pause()
            try lab.passTurns(5)
            try lab.record()
        }
        #expect(saboteur_own_allocations() == 0)
        saboteur_watch(0)
        try lab.finish()
    }
}

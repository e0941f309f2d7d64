import ALSA
import AudioSession
import Configuration
import Glibc
import Testing
import Vocabulary

@testable import Appliance
@testable import Recording
@testable import Supervisor

/// The journal's entries about the recording of the microphone.
@Suite struct JournalFormatterRecordingTests {
    private let phone = SignalID("phone-call")
    private let file = "/srv/recordings/2026-11-22T14-03-12Z.flac"
    private var configuration = Configuration.builtIn
    private var session: Session
    private var formatter = JournalFormatter()
    private var time = Duration.zero

    init() {
        configuration.sources = [phone: .line(Wiring(line: .named("PHONE_CALL", chip: nil)))]
        configuration.session.category = .playAndRecord
        configuration.session.recorder = RecorderPolicy()
        configuration.recording = RecordingSettings()
        configuration.recording?.device = "hw:1"
        session = Session(policy: configuration.session)
        session.handle(.boot(Boot(saved: nil, trackCount: 2)), at: .zero)
    }

    private var scene: StateSnapshot {
        var scene = StateSnapshot(
            session: session, configuration: configuration, track: "/srv/music/One.flac", position: .seconds(151))
        scene.recordingFile = file
        return scene
    }

    /// Returns the entries of an event, a second after the last one.
    private mutating func take(_ cause: Cause, after pause: Duration = .seconds(1)) -> [JournalEntry] {
        time += pause
        let before = ActiveSignals(session)
        var report = Report(time: time, cause: cause)
        for action in cause.event.map({ session.handle($0, at: time) }) ?? [] {
            switch action {
            case .post(let notification): report.notifications.append(notification)
            case .answer(let answer): report.answer = answer
            case .log(let noOpReason): report.noOpReasons.append(noOpReason)
            default: break
            }
        }
        let after = ActiveSignals(session)
        (report.over, report.begun) = (before.subtracting(after), after.subtracting(before))
        return formatter.entries(for: report, in: scene)
    }

    private mutating func takeLast(_ cause: Cause) -> JournalEntry? { take(cause).last }

    private func call(_ isAsserted: Bool) -> Cause { .event(.edge(Edge(phone, asserted: isAsserted))) }

    // MARK: What the session decides

    @Test mutating func beginAndEndOfARecordingAreLoggedBesideTheCommands() throws {
        let began = take(.event(.command(.record)))
        #expect(began.map(\.event) == [.command, .recordingBegan])
        #expect(began[0][.command] == ["record"] && began[0][.answer] == ["success"])
        #expect(began[1].message == "The microphone is recorded.")
        #expect(began[1][.recording] == ["yes"] && began[1][.file] == [file] && began[1].priority == .info)
        // The recording continues.
        #expect(take(.event(.command(.record))).map(\.event) == [.command])
        let ended = take(.event(.command(.stopRecording)))
        #expect(ended.map(\.event) == [.command, .recordingEnded])
        #expect(ended[0][.command] == ["stopRecording"])
        #expect(
            ended[1].message == "The microphone is no longer recorded because it is no longer wanted, and recording "
                + "stays off until somebody starts it again.")
        #expect(ended[1][.recording] == ["no"] && ended[1][.reason] == ["it is no longer wanted"])
        #expect(ended[1][.outcome] == ["recording stays off until somebody starts it again"])
    }

    @Test mutating func interruptionPausesARecordingAndNamesItsSignal() throws {
        _ = take(.event(.command(.record)))
        let begun = take(call(true))
        #expect(begun.map(\.event) == [.interruptionBegan, .recordingEnded])
        #expect(begun[1][.reason] == ["phone-call (PHONE_CALL) is asserted"] && begun[1][.signal] == ["phone-call"])
        #expect(begun[1][.outcome] == ["recording continues afterwards"] && begun[1][.file] == [file])
        let ended = take(call(false))
        #expect(ended.map(\.event) == [.interruptionEnded, .recordingBegan])
        // During an interruption, a command only changes the intent.
        _ = take(call(true))
        #expect(take(.event(.command(.stopRecording))).map(\.event) == [.command])
        #expect(take(call(false)).map(\.event) == [.interruptionEnded])
    }

    @Test mutating func resumeDelayIsNamedAsTheCause() {
        configuration.session.resumeDelay = .seconds(5)
        session = Session(policy: configuration.session)
        session.handle(.boot(Boot(saved: nil, trackCount: 2)), at: .zero)
        _ = take(call(true))
        _ = take(call(false))
        #expect(take(.event(.command(.record))).map(\.event) == [.command])
        #expect(formatter.recording(since: true, in: scene)?[.reason] == ["an interruption has just ended"])
    }

    @Test mutating func severalSignalsAreNamed() throws {
        _ = take(.event(.command(.record)))
        _ = take(call(true))
        _ = take(.event(.edge(Edge("cover-closed", asserted: true))))
        let entry = try #require(formatter.recording(since: true, in: scene))
        #expect(entry.message.contains(" are asserted, and recording continues afterwards."), "\(entry.message)")
        #expect(Set(entry[.signal]) == ["phone-call", "cover-closed"])
    }

    @Test mutating func lostCaptureDeviceIsNamedWithItsReasonUntilItReturns() throws {
        _ = take(.event(.command(.record)))
        formatter.captureProblem = "cannot open \"hw:1\": No such device"
        let lost = take(.event(.captureLost))
        #expect(lost.map(\.event) == [.captureLost, .recordingEnded])
        #expect(
            lost[0].message == "The capture device is not available: cannot open \"hw:1\": No such device. Tacet keeps "
                + "trying, and playback is not affected.")
        #expect(lost[0].priority == .warning && lost[0][.device] == ["hw:1"] && lost[0][.fault] == ["capture:lost"])
        #expect(lost[0][.reason] == ["cannot open \"hw:1\": No such device"] && lost[0][.recording] == ["no"])
        #expect(lost[1][.reason] == ["the capture device is not available"])
        #expect(lost[1][.outcome] == ["recording continues when the device returns"])
        let returned = take(.event(.captureReturned))
        #expect(returned.map(\.event) == [.captureReturned, .recordingBegan])
        #expect(returned[0].message == "The capture device is available again, and the microphone is recorded again.")
        #expect(returned[0][.recording] == ["yes"] && returned[0][.outcome] == ["the microphone is recorded again"])
        #expect(returned[0][.fault] == ["capture:lost"] && returned[0][.device] == ["hw:1"])
        _ = take(.event(.command(.stopRecording)))
        formatter.captureProblem = nil
        #expect(
            take(.event(.captureLost)).first?.message.hasPrefix("The capture device is not available. Tacet ") == true)
        #expect(take(.event(.captureReturned)).first?[.outcome] == ["nothing is recorded"])
    }

    /// A reload does not begin the recording.
    @Test mutating func successorDoesNotRepeatThatItRecords() {
        _ = take(.event(.command(.record)))
        formatter.captureProblem = "gone"
        var successor = JournalFormatter()
        successor.resume(after: formatter)
        #expect(successor.captureProblem == "gone")
        let report = Report(time: .seconds(9), cause: .note(.reloaded))
        #expect(!successor.entries(for: report, in: scene).contains { $0.event == .recordingBegan })
    }

    // MARK: What the recorder reports

    private func entry(_ event: RecorderEvent) throws -> JournalEntry { try #require(formatter.entry(for: event)) }

    @Test func filesAreLoggedFromBeginToEnd() throws {
        let began = try entry(.fileBegan(path: file))
        #expect(began.event == .recordingFile && began[.file] == [file] && began[.reason] == [])
        #expect(began.message == "The recording \(file) begins.")
        let ended = try entry(.fileEnded(path: file, frames: 48_000, .segment))
        #expect(ended.event == .recordingFile && ended[.file] == [file] && ended[.frames] == ["48000"])
        #expect(ended.message == "The recording \(file) is complete: segment complete.")
        #expect(ended[.reason] == ["segment complete"])
        let removed = try entry(.removed(path: file, isFromFuture: false))
        #expect(removed.event == .recordingFile && removed[.file] == [file] && removed[.reason] == ["Keep="])
        let ahead = try entry(.removed(path: file, isFromFuture: true))
        #expect(ahead.priority == .warning && ahead.message.contains("is ahead of the clock"), "\(ahead.message)")
        for reason in RecordingEnd.allCases {
            #expect(try entry(.fileEnded(path: file, frames: 1, reason))[.reason] == ["\(reason)"])
        }
    }

    @Test func failingDiskIsAnErrorUntilItRecovers() throws {
        let error = RecordingError("write to", file, ENOSPC)
        let failed = try entry(.storageFailed(error))
        #expect(failed.event == .recordingStorageLost && failed.priority == .error && failed[.file] == [file])
        #expect(failed[.reason] == ["\(error)"] && failed[.outcome] == ["recording continues when the disk does"])
        #expect(failed.message.contains("No space left on device. Free some disk space"), "\(failed.message)")
        let slow = try entry(.storageSlow(.seconds(2)))
        #expect(slow.event == .recordingStorageLost && slow.priority == .warning && slow[.file] == [])
        let back = try entry(.storageRecovered)
        #expect(back.event == .recordingStorageBack && back[.outcome] == ["recording continues"])
        let kept = try entry(.notRemoved(RecordingError("delete", file, EACCES)))
        // The entry does not report the end of an outage, because recording continues.
        #expect(kept.event == .recordingFile && kept.priority == .warning)
        #expect(kept.message.hasPrefix("The recordings exceed Keep=: cannot delete ") && kept[.file] == [file])
        #expect(kept[.outcome] == ["recording continues"])
    }

    @Test func lostFramesAreCounted() throws {
        let overrun = try entry(.overrun(frames: 4800))
        #expect(overrun.event == .recordingOverrun && overrun.priority == .warning && overrun[.frames] == ["4800"])
        #expect(overrun[.outcome] == ["recording continues"])
        let abandoned = try entry(.abandoned(frames: 9))
        #expect(abandoned.event == .recordingOverrun && abandoned[.frames] == ["9"])
        #expect(abandoned[.outcome] == ["the recording has ended"])
        let slow = try entry(.notRealTime("RLIMIT"))
        #expect(slow.event == .notRealTime && slow[.reason] == ["RLIMIT"])
    }

    /// The entries about the session or the files already contain this information.
    @Test func otherEventsOfTheRecorderHaveNoEntry() {
        let events: [RecorderEvent] = [
            .deviceOpened(RecordedFormat(StreamFormat(rate: 48_000, channels: 1), bits: 16)),
            .deviceLost(.system(ENODEV, operation: "open", device: "hw:1")), .deviceReturned,
            .recording(order: 1, frame: 0), .paused(order: 1, frames: 1, frame: 1, isComplete: true),
            .finished(order: 1, frames: 1, isComplete: true), .asleep(order: 1, frames: 1, isComplete: true),
            .muted(true, order: 1, frames: 1),
        ]
        for event in events { #expect(formatter.entry(for: event) == nil) }
    }

    // MARK: Floods

    @Test mutating func thousandRecordingsInASecondDoNotFloodTheJournal() {
        var written: [JournalEntry] = []
        for _ in 1...1000 {
            written += take(.event(.command(.record)), after: .microseconds(500))
            written += take(.event(.command(.stopRecording)), after: .microseconds(500))
        }
        let counts = Dictionary(grouping: written, by: \.event).mapValues(\.count)
        #expect(counts == [.command: 100, .recordingBegan: 6, .recordingEnded: 6], "\(counts)")
    }

    @Test func everyEntryThatAFaultyDiskOrDeviceRepeatsIsLimited() {
        let events: [JournalEvent] = [
            .recordingBegan, .recordingEnded, .recordingFile, .recordingOverrun, .recordingStorageLost,
            .recordingStorageBack, .captureLost, .captureReturned,
        ]
        for event in events { #expect(JournalEntry(event, "").limiter != nil) }
    }
}

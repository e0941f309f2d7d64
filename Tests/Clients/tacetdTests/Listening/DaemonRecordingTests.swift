import AudioSession
import BusLab
import Foundation
import ServiceLab
import SessionClient
import SoundLab
import Systemd
import Testing
import Vocabulary

/// Recordings of a sound server's monitor by the daemon.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DaemonRecordingTests {
    // MARK: Commands

    @Test func recordIsAnsweredAndShownEverywhere() async throws {
        let lab = try await RecordingLab()
        #expect(try lab.status()["recording"] as? Bool == false)
        #expect(try !lab.tacet("status").text.contains("Recorded"))
        #expect(try lab.tacet("record", "stop") == (1, "Ignored: nothing is being recorded.\n"))
        #expect(try lab.tacet("record", "start") == (0, "Done.\n"))
        #expect(try lab.tacet("record", "start") == (0, "Done.\n"))
        try await lab.record()
        let file = try #require(lab.names().first)
        let status = try lab.status()
        #expect(status["recording"] as? Bool == true)
        #expect(status["recording_file"] as? String == lab.path("recordings/\(file)"))
        #expect(status["recorded"] as? Double ?? 0 >= 0.3)
        let text = try lab.tacet("status").text
        #expect(text.contains("; recording\n") || text.contains("The microphone is recorded"), "\(text)")
        #expect(text.contains("Recorded 0:") && text.contains(" so far, to ") && text.contains(file), "\(text)")
        #expect(try lab.tacet("why").text.contains(" The microphone is recorded to \(lab.path("recordings/\(file)"))."))
        #expect(try lab.bus.property(SessionAddress.session, "Recording") == "v b true\n")
        #expect(try lab.tacet("record", "stop", "--json") == (0, "{\"answer\":\"success\",\"reason\":\"\"}\n"))
        try lab.waitForEntry("is complete: recording stopped. [recording-file ")
        #expect(try lab.tacet("record", "stop") == (1, "Ignored: nothing is being recorded.\n"))
        #expect(try lab.hasEnded(file, "recording stopped"))
        #expect(try lab.decode(file).rate == 48_000 && lab.decode(file).channels == 2)
        let after = try lab.status()
        #expect(after["recording"] as? Bool == false && after["recording_file"] is NSNull)
        #expect(try lab.tacet("status").text.contains(" so far, not at present\n"))
        #expect(try !lab.tacet("why").text.contains("recorded"))
        #expect(lab.entries("[recording-began ").count == 1 && lab.entries("[recording-ended ").count == 1)
        #expect(lab.entries("[recording-file ").count == 2)
    }

    @Test func wrongRecordCommandsAreRejected() async throws {
        let lab = try await RecordingLab("")
        #expect(try lab.tacet("record").code == 64)
        #expect(try lab.tacet("record", "pause").code == 64)
        let answer = try lab.tacet("record", "start")
        #expect(answer.code == 1 && answer.text.contains("The command failed: "), "\(answer.text)")
        #expect(answer.text.contains("no recorder is configured: add a [Recording] section"), "\(answer.text)")
        try lab.reload("[Session]\nCategory=playback\n" + RecordingLab.recording)
        let playback = try lab.tacet("record", "stop")
        #expect(playback.code == 1 && playback.text.contains("set Category=record or playAndRecord"))
        #expect(!FileManager.default.fileExists(atPath: lab.path("recordings")))
    }

    @Test func monitorShowsTheCommandAndTheRecording() async throws {
        let lab = try await RecordingLab()
        var updates = lab.client.updates().makeAsyncIterator()
        _ = await updates.next()
        let output = lab.path("monitor")
        let log = open(output, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        defer { close(log) }
        let monitor = try Subprocess(
            [try BuiltProgram.path("tacet"), "monitor", "--json"], environment: lab.bus.environment, output: log)
        let lines = { ((try? String(contentsOfFile: output, encoding: .utf8)) ?? "").split(separator: "\n") }
        try lab.service.wait("state") { !lines().isEmpty }
        #expect(try await lab.client.command(.record) == .success)
        try lab.service.wait("event") {
            lines().contains { $0.contains("\"command record\"") && $0.contains("\"recording\":true") }
        }
        #expect(try await lab.client.command(.stopRecording) == .success)
        try lab.service.wait("event") {
            lines().contains { $0.contains("\"command stopRecording\"") && $0.contains("\"recording\":false") }
        }
        monitor.end()
    }

    /// Each command is sent as soon as the last one is answered.
    @Test func thousandRecordingsLeaveNothingBehind() async throws {
        let lab = try await RecordingLab()
        try await lab.client.command(.record)
        try await lab.record()
        try await lab.client.command(.stopRecording)
        try lab.waitForEntry("is complete: recording stopped. [recording-file ")
        let before = try ProcessUse(lab.service.pid)
        for _ in 0..<1000 {
            #expect(try await lab.client.command(.record) == .success)
            #expect(try await lab.client.command(.stopRecording) == .success)
            // Otherwise, the daemon would wait for the service manager to read its messages.
            while lab.service.manager.receive(within: .zero) != nil {}
        }
        try lab.service.wait("release of all files: \(before)") {
            guard let after = try? ProcessUse(lab.service.pid) else { return false }
            return after.threads <= before.threads && after.descriptors <= before.descriptors
        }
        // Another recording follows, so that all files before it are complete.
        try await lab.client.command(.record)
        try await lab.record(.milliseconds(100))
        try await lab.client.command(.stopRecording)
        try await lab.wait("end") { !$0.isRecording }
        lab.service.signal(SIGTERM)
        try lab.service.manager.wait { $0.contains("STOPPING=1") }
        #expect(lab.service.wait() == 0)
        for name in lab.names() {
            #expect(try lab.hasEnded(name, "recording stopped"), "\(name)")
            #expect(try !lab.decode(name).samples.isEmpty, "\(name)")
        }
        #expect(lab.entries("[recording-began ").count <= 10)
    }

    // MARK: Interruptions and mute

    @Test func fileIsCompleteWhenTheInterruptionBeginsOnTheBus() async throws {
        let lab = try await RecordingLab()
        try lab.play()
        var notifications = lab.client.notifications().makeAsyncIterator()
        _ = try await lab.client.command(.record)
        try await lab.record()
        let file = try #require(lab.names().first)
        for round in 1...5 {
            try lab.assert("call", true)
            #expect(await notifications.next() == .began(.default))
            let begun = try lab.bytes(file)
            let snapshot = try await lab.client.snapshot()
            #expect(!snapshot.isRecording && snapshot.isInterrupted)
            // The file contains all frames.
            let decoded = try #require(DecodedFile(begun))
            #expect(try await decoded.numbers.count == lab.recordedFrames, "round \(round)")
            #expect(try lab.tacet("why").text.contains("Nothing is recorded because call "))
            #expect(try lab.bytes(file) == begun)
            try lab.assert("call", false)
            #expect(await notifications.next() == .ended(.shouldResume))
            try await lab.record(.milliseconds(150))
        }
        _ = try await lab.client.command(.stopRecording)
        try lab.waitForEntry("is complete: recording stopped. [recording-file ")
        #expect(lab.names() == [file])
        RecordingLab.check(try lab.decode(file).numbers, jumps: 5)
    }

    @Test func mutedMicrophoneRecordsSilenceWithTheOverride() async throws {
        let lab = try await RecordingLab(
            "[Session]\nOptions=overrideMutedMicrophoneInterruption\n" + RecordingLab.privacy
                + RecordingLab.recording)
        try lab.play()
        let signals = lab.path("signals")
        let listener = try lab.bus.listen(into: signals)
        let heard = { (try? String(contentsOfFile: signals, encoding: .utf8)) ?? "" }
        try lab.service.wait("listener") { heard().contains("is owned by") }
        _ = try await lab.client.command(.record)
        try await lab.record()
        try lab.assert("privacy", true)
        try lab.service.wait("signal") { heard().contains("InputMuteStateChanged (true,)") }
        #expect(try lab.bus.property(SessionAddress.session, "MicrophoneMuted") == "v b true\n")
        #expect(try lab.tacet("why").text.contains(" Silence is recorded to "))
        #expect(try await lab.client.snapshot().isRecording)
        try await lab.record()
        try lab.assert("privacy", false)
        try lab.service.wait("signal") { heard().contains("InputMuteStateChanged (false,)") }
        try await lab.record()
        listener.end()
        _ = try await lab.client.command(.stopRecording)
        try lab.waitForEntry("is complete: recording stopped. [recording-file ")
        let file = try #require(lab.names().first)
        let numbers = try lab.decode(file).numbers
        let silence = try #require(numbers.firstIndex(of: 0))
        let length = numbers[silence...].prefix { $0 == 0 }.count
        #expect(length > 4800 && numbers[(silence + length)...].allSatisfy { $0 != 0 })
        // The silence is as long as the part that it replaces.
        let gap = (numbers[silence + length] - numbers[silence - 1] + RecordingLab.period) % RecordingLab.period
        #expect(gap == (length + 1) % RecordingLab.period)
        RecordingLab.check(numbers, jumps: 1, silence: true)
    }

    @Test func mutedMicrophoneInterruptsARecordingWithoutTheOverride() async throws {
        let lab = try await RecordingLab(RecordingLab.privacy + RecordingLab.recording)
        var notifications = lab.client.notifications().makeAsyncIterator()
        _ = try await lab.client.command(.record)
        try await lab.record()
        try lab.assert("privacy", true)
        #expect(await notifications.next() == .began(.builtInMicMuted))
        #expect(try await !lab.client.snapshot().isRecording)
        try lab.assert("privacy", false)
        #expect(await notifications.next() == .ended(.shouldResume))
        try await lab.record()
        #expect(lab.names().count == 1)
    }

    private static let blackBox = "During=interruptions\nAutoRecord=yes\n"

    @Test func blackBoxRecordsThroughACallAndSilenceWhileMuted() async throws {
        let lab = try await RecordingLab(RecordingLab.privacy + RecordingLab.recording + Self.blackBox)
        try lab.play()
        var notifications = lab.client.notifications().makeAsyncIterator()
        try await lab.record()
        try lab.assert("call", true)
        #expect(await notifications.next() == .began(.default))
        try await lab.record()
        let why = try lab.tacet("why").text
        #expect(why.contains(", also during interruptions (During=)."), "\(why)")
        try lab.assert("privacy", true)
        try await lab.wait("mute") { $0.isMicrophoneMuted && $0.isRecording && $0.isInterrupted }
        try await lab.record()
        try lab.assert("privacy", false)
        try await lab.wait("unmute") { !$0.isMicrophoneMuted }
        try await lab.record()
        try lab.assert("call", false)
        #expect(await notifications.next() == .ended(.shouldResume))
        _ = try await lab.client.command(.stopRecording)
        try lab.waitForEntry("is complete: recording stopped. [recording-file ")
        // The recording neither pauses nor has anything to report.
        #expect(lab.entries("[recording-began ").count == 1 && lab.entries("[recording-ended ").count == 1)
        let names = lab.names()
        #expect(names.count == 1)
        let numbers = try lab.decode(try #require(names.first)).numbers
        // The music's signal begins after the recording.
        let sound = numbers.drop { $0 == 0 }
        let silence = try #require(sound.firstIndex(of: 0))
        let length = sound[silence...].prefix { $0 == 0 }.count
        #expect(length > 4800 && sound[(silence + length)...].allSatisfy { $0 != 0 })
        RecordingLab.check(Array(sound), jumps: 1, silence: true)
    }

    // MARK: The end of the daemon, and reloads

    @Test func terminationCompletesTheFileAndTheNextStartBeginsAnother() async throws {
        let lab = try await RecordingLab()
        _ = try await lab.client.command(.record)
        try await lab.record()
        lab.service.signal(SIGTERM)
        #expect(lab.service.wait() == 0)
        let first = try #require(lab.names().first)
        #expect(try lab.hasEnded(first, "the recorder stopped"))
        #expect(try lab.decode(first).frames >= 14_400)
        #expect(lab.entries("is complete: the recorder stopped. [recording-file ").count == 1)
        try await lab.restart()
        try await lab.record()
        #expect(lab.names().count == 2 && lab.names().first == first)
    }

    @Test func killedDaemonLeavesAReadableFileAndTheNextOneRecordsIntoAnother() async throws {
        let configuration = "[State]\nInterval=100ms\n" + RecordingLab.recording
        let lab = try await RecordingLab(configuration)
        _ = try await lab.client.command(.record)
        try await lab.record(.milliseconds(900))
        let recorded = try await lab.client.snapshot().recorded
        lab.service.kill()
        let first = try #require(lab.names().first)
        #expect(try !lab.hasEnded(first, "recording stopped"))
        // This allows for the interval, for the blocks in which the ring is read, and for a busy machine.
        let frames = try lab.decode(first).samples.count / 2
        #expect(frames > 0 && frames <= Int(recorded / .seconds(1) * 48_000) + 48_000)
        let bytes = try lab.bytes(first)
        try await lab.restart(configuration)
        try await lab.record()
        #expect(lab.names().count == 2 && lab.names().first == first)
        #expect(try lab.bytes(first) == bytes)
        _ = try await lab.client.command(.stopRecording)
        lab.service.signal(SIGTERM)
        #expect(lab.service.wait() == 0)
        // A stop command is also remembered.
        try await lab.restart(configuration)
        #expect(try await !lab.client.snapshot().isRecording && lab.names().count == 2)
    }

    @Test func reloadsOfOtherSettingsLoseNoFrame() async throws {
        let lab = try await RecordingLab()
        try lab.play()
        _ = try await lab.client.command(.record)
        try await lab.record()
        // Levels are adopted, whereas another library requires another installation.
        for change in ["[Playback]\nFadeIn=20ms\n", "[Playback]\nLibrary=nowhere\n", ""] {
            try lab.reload(RecordingLab.recording + change)
            try await lab.record(.milliseconds(150))
        }
        _ = try await lab.client.command(.stopRecording)
        try lab.waitForEntry("is complete: recording stopped. [recording-file ")
        #expect(lab.names().count == 1 && lab.entries("[recording-began ").count == 1)
        RecordingLab.check(try lab.decode(lab.names()[0]).numbers, jumps: 0)
    }

    @Test func reloadOfTheRecordingEndsTheFileAndBeginsAnother() async throws {
        let lab = try await RecordingLab()
        try lab.play()
        _ = try await lab.client.command(.record)
        try await lab.record()
        let before = try await lab.client.snapshot().recorded
        try lab.reload(RecordingLab.recording + "Format=wav\nDirectory=others\n")
        try lab.waitForEntry("is complete: the settings changed. [recording-file ")
        try await lab.record()
        #expect(lab.names().count == 1 && lab.names(in: "others").count == 1)
        #expect(try lab.hasEnded(lab.names()[0], "the settings changed"))
        _ = try await lab.client.command(.stopRecording)
        try lab.waitForEntry("is complete: recording stopped. [recording-file ")
        let other = try lab.decode(lab.names(in: "others")[0], in: "others")
        let first = try lab.decode(lab.names()[0])
        RecordingLab.check(first.numbers, jumps: 0)
        RecordingLab.check(other.numbers, jumps: 0)
        // The recorded time continues, and no frame of either file is lost.
        #expect(try await first.frames + other.frames == lab.recordedFrames)
        #expect(try await lab.client.snapshot().recorded > before)
        #expect(lab.entries("[capture-lost ").isEmpty && lab.entries("[recording-began ").count == 1)
        #expect(try lab.isHealthy())
    }

    // MARK: Faults

    @Test func lostCaptureDeviceIsOneFaultAndPlaybackContinues() async throws {
        let lab = try await RecordingLab()
        _ = try await lab.client.command(.record)
        try await lab.record()
        lab.server.die()
        try lab.waitForEntry("[capture-lost ")
        let lost = try await lab.wait("loss") { !$0.isRecording }
        #expect(lost.faults.map(\.description) == ["capture:lost"] && lost.directive == .play(.full))
        let health = try lab.tacet("health")
        #expect(health.code == 1 && health.text.contains("nothing is recorded: "), "\(health.text)")
        #expect(try lab.tacet("why").text.contains(" Nothing is recorded because there is no capture device."))
        try await lab.wait("playback") { $0.position > lost.position + .milliseconds(200) }
        // Commands only change the intent, and an interruption does not affect the device.
        #expect(try await lab.client.command(.record) == .deferred)
        try lab.assert("call", true)
        try lab.server.start()
        try lab.waitForEntry("[capture-back ")
        #expect(try await !lab.client.snapshot().isRecording)
        #expect(try lab.isHealthy())
        try lab.assert("call", false)
        try await lab.record()
        #expect(lab.entries("[capture-lost ").count == 1 && lab.entries("[capture-back ").count == 1)
        #expect(lab.names().count == 1)
    }

    /// Otherwise, the device would not be checked, and the fault would stay for ever.
    @Test func deviceReturnsAlthoughRecordingIsNotWantedAnyMore() async throws {
        let lab = try await RecordingLab()
        _ = try await lab.client.command(.record)
        try await lab.record()
        lab.server.die()
        try lab.waitForEntry("[capture-lost ")
        #expect(try await lab.client.command(.stopRecording) == .success)
        try lab.server.start()
        try lab.waitForEntry("[capture-back ")
        try lab.service.wait("health") { (try? lab.isHealthy()) == true }
        #expect(try await !lab.client.snapshot().isRecording)
        #expect(try await lab.client.command(.record) == .success)
        try await lab.record()
    }

    @Test func otherDeviceEndsTheFaultOfTheLostOne() async throws {
        let lab = try await RecordingLab(RecordingLab.recording + "Device=nowhere\n")
        _ = try await lab.client.command(.record)
        try lab.waitForEntry("[capture-lost ")
        try lab.reload(RecordingLab.recording)
        try await lab.record()
        try lab.service.wait("health") { (try? lab.isHealthy()) == true }
    }

    /// A regular file is in the place of the folder.
    @Test func folderThatCannotExistIsOneFaultAndPlaybackContinues() async throws {
        let lab = try await RecordingLab(RecordingLab.recording + "Directory=tacet.conf/recordings\n")
        let start = try await lab.client.snapshot().position
        #expect(try await lab.client.command(.record) == .success)
        try lab.waitForEntry("[recording-storage-lost ")
        let health = try lab.tacet("health")
        #expect(health.code == 1 && health.text.contains("tacet.conf/recordings"), "\(health.text)")
        #expect(health.text.contains("correct Directory="), "\(health.text)")
        // A reload does not clear the fault.
        try lab.reload(RecordingLab.recording + "Directory=tacet.conf/recordings\n[Playback]\nRepeat=track\n")
        #expect(try lab.tacet("health").text.contains("correct Directory="))
        try await lab.wait("playback") { $0.position > start + .milliseconds(500) }
        // An interruption does not wait for a missing disk.
        var notifications = lab.client.notifications().makeAsyncIterator()
        try lab.assert("call", true)
        #expect(await notifications.next() == .began(.default))
        try lab.assert("call", false)
        #expect(lab.entries("[recording-storage-lost ").count == 1)
        try lab.reload(RecordingLab.recording)
        try await lab.record()
        #expect(lab.names().count == 1)
        try lab.service.wait("health") { (try? lab.isHealthy()) == true }
        lab.service.signal(SIGTERM)
        #expect(lab.service.wait() == 0)
    }

    /// Mounts a small disk at the folder `disk`.
    /// - Returns: false if that is impossible, because only root can mount a disk.
    private func mountDisk(of size: String, _ lab: RecordingLab) throws -> Bool {
        try FileManager.default.createDirectory(atPath: lab.path("disk"), withIntermediateDirectories: true)
        let mount = ["mount", "-t", "tmpfs", "-o", "size=\(size)", "tmpfs", lab.path("disk")]
        return try Subprocess(mount).wait() == 0
    }

    /// A black box on a small disk records through an interruption. `Keep=` leaves room, so the oldest files go first.
    /// Then something else fills the disk, which is a fault that neither the interruption nor the music notices.
    @Test func blackBoxOnASmallDiskKeepsTheNewestFilesAndFailsAlone() async throws {
        let lab = try await RecordingLab("[State]\nInterval=100ms\n")
        guard try mountDisk(of: "4m", lab) else { return }
        defer { _ = try? Subprocess(["umount", "-l", lab.path("disk")]).wait() }
        try lab.play()
        var notifications = lab.client.notifications().makeAsyncIterator()
        try lab.assert("call", true)
        #expect(await notifications.next() == .began(.default))
        try lab.reload(
            "[State]\nInterval=100ms\n" + RecordingLab.recording
                + "Directory=disk/recordings\nFormat=wav\nSegment=1s\nKeep=1M\n" + Self.blackBox)
        _ = try await lab.client.command(.record)
        try lab.waitForEntry("The oldest recording, ", count: 2)
        #expect(try await lab.client.snapshot().isInterrupted)
        #expect(lab.entries("[recording-storage-lost ").isEmpty)
        let folder = lab.path("disk/recordings")
        let first = try #require(lab.entries("[recording-file ").first { $0.contains(" begins.") })
        #expect(!lab.names(in: "disk/recordings").contains { first.contains($0) })
        // The ballast takes what is free, so that the next frames do not fit.
        let ballast = lab.path("disk/ballast")
        _ = try Subprocess(["dd", "if=/dev/zero", "of=\(ballast)", "bs=4k"]).wait()
        try lab.waitForEntry("[recording-storage-lost ")
        try lab.assert("call", false)
        #expect(await notifications.next() == .ended(.shouldResume))
        let start = try await lab.client.snapshot().position
        try await lab.wait("playback") { $0.position > start + .milliseconds(300) }
        #expect(try lab.tacet("health").code == 1)
        unlink(ballast)
        try lab.waitForEntry("[recording-storage-back ")
        #expect(lab.entries("[recording-storage-lost ").count == 1)
        #expect(FileManager.default.fileExists(atPath: folder))
    }

    @Test func fullDiskIsOneFaultUntilThereIsRoom() async throws {
        let lab = try await RecordingLab(
            "[State]\nInterval=100ms\n" + RecordingLab.recording + "Directory=disk/recordings\n")
        guard try mountDisk(of: "256k", lab) else { return }
        defer { _ = try? Subprocess(["umount", "-l", lab.path("disk")]).wait() }
        try Data(count: 256 << 10).prefix(200 << 10).write(to: URL(fileURLWithPath: lab.path("disk/ballast")))
        // The microphone's signal is noise, which FLAC cannot compress.
        try lab.play()
        _ = try await lab.client.command(.record)
        try lab.waitForEntry("[recording-storage-lost ")
        #expect(lab.entries("[recording-storage-lost ")[0].contains("Free some disk space"))
        let full = try await lab.client.snapshot()
        try await lab.wait("playback") { $0.position > full.position + .milliseconds(300) }
        #expect(try lab.tacet("health").code == 1)
        unlink(lab.path("disk/ballast"))
        try lab.waitForEntry("[recording-storage-back ")
        #expect(lab.entries("[recording-storage-lost ").count == 1)
    }
}

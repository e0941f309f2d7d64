import BusLab
import Foundation
import ServiceLab
import SessionClient
import SoundLab
import Testing
import Vocabulary

@testable import AudioSession
@testable import Systemd

/// Sounds of the daemon on a real message bus, with `tacet` and other clients.
@Suite(.serialized, .timeLimit(.minutes(2))) struct AnnouncementTests {
    /// The output of `tacet announce --wait`.
    private static let played = "The announcement is playing.\nThe announcement was played to its end.\n"

    private let session = SessionAddress.session

    /// Starts a daemon with a gong of 0.2 s, one of a minute, and a sound without a file.
    private func start(_ bus: MessageBus) throws -> Service {
        let folder = try Service.makeFolder(tracks: 1)
        for (name, frames) in [("gong", 9600), ("long", 48_000 * 60)] {
            try TestMusic.writeNumbers(to: folder.appendingPathComponent("\(name).wav").path, frames: frames)
        }
        let service = try Service(
            """
            [Playback]
            DuckAttack=1ms
            [Sound gong]
            File=gong.wav
            [Sound long]
            File=long.wav
            [Sound missing]
            File=missing.wav

            """, in: folder, bus: "system", environment: bus.environment)
        try service.manager.wait { $0.contains("READY=1") }
        try service.wait("sounds") {
            guard let sounds = try? bus.property(session, "Sounds") else { return false }
            return sounds.contains("\"gong\" 0.2 true") && sounds.contains("\"long\" 60 true")
                && sounds.contains("\"missing\" 0 false")
        }
        return service
    }

    private func tacet(_ bus: MessageBus, _ arguments: String...) throws -> (code: Int32, text: String) {
        try bus.run([try BuiltProgram.path("tacet")] + arguments)
    }

    private func hasSound(_ bus: MessageBus, _ sound: String) -> Bool {
        (try? bus.property(session, "Sound")) == "v s \"\(sound)\"\n"
    }

    @Test func announceAnswersWithTheNumberThatItsSignalsCarry() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let file = service.folder.appendingPathComponent("signals").path
        let listener = try bus.listen(into: file, by: [])
        let heard = { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }
        try service.wait("listener") { heard().contains("is owned by") }
        #expect(
            try bus.call(session, "Announce", ["sa{sv}", "long", "2", "priority", "y", "50", "expire", "t", "0"]).text
                == "st \"success\" 1\n")
        #expect(try bus.property(session, "Sound") == "v s \"long\"\n")
        #expect(try bus.call(session, "Announce", ["sa{sv}", "gong", "0"]).text == "st \"deferred\" 2\n")
        #expect(try bus.property(session, "Sounds").contains("\"gong\" 0.2 true \"\" \"waiting\""))
        #expect(try bus.call(session, "Announce", ["sa{sv}", "missing", "0"]).text == "st \"noSuchContent\" 0\n")
        #expect(try bus.property(session, "Why").contains("because the announcement long is playing. "))
        #expect(try bus.property(session, "Health").contains("the file of the sound missing cannot be read: "))
        #expect(try bus.call(session, "Hush").text == "s \"success\"\n")
        #expect(try bus.call(session, "Hush").text == "s \"noActionableNowPlayingItem\"\n")
        try service.wait("signals") { heard().contains("SoundCut ('gong', uint64 2)") }
        #expect(heard().contains("org.tacet.Session1.SoundBegan ('long', uint64 1)"))
        #expect(heard().contains("org.tacet.Session1.SoundCut ('long', uint64 1)"))
        #expect(heard().contains("'sound_ids': <['1', '2']>"), "\(heard())")
        #expect(try bus.call(session, "Command", ["s", "announce gong"]).text == "ss \"success\" \"\"\n")
        #expect(try bus.call(session, "Command", ["s", "hush"]).code == 0)
        listener.end()
    }

    @Test func waitEndsWhenTheAnnouncementHasBeenHeard() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        #expect(try tacet(bus, "announce", "gong", "--wait") == (0, Self.played))
        try service.wait("entry of the end") { service.output.contains("[sound-ended SOUND=gong ANNOUNCEMENT=1 ") }
        #expect(
            try tacet(bus, "announce", "gong", "--wait", "--json") == (
                0, "{\"answer\":\"success\",\"id\":2,\"end\":\"heard\"}\n"
            ))
        #expect(
            try tacet(bus, "announce", "gong", "--json") == (0, "{\"answer\":\"success\",\"id\":3,\"end\":null}\n"))
    }

    /// The first wait outlasts the cut by the sound of higher priority and ends with the hush.
    @Test func waitOutlastsACutAndEndsWithAHush() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let program = try BuiltProgram.path("tacet")
        let output = service.folder.appendingPathComponent("waits").path
        let log = open(output, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        defer { close(log) }
        let wait = try Subprocess(
            [program, "announce", "long", "--wait", "--expire", "infinity"], environment: bus.environment, output: log)
        try service.wait("sound") { hasSound(bus, "long") }
        #expect(try tacet(bus, "announce", "gong", "--priority=90", "--wait") == (0, Self.played))
        try service.wait("sound again") { hasSound(bus, "long") }
        // A third announcement waits until it expires.
        #expect(
            try tacet(bus, "announce", "gong", "--expire=10ms", "--wait") == (
                1, "Queued until the sound long ends.\nThe announcement has expired and will not be played.\n"
            ))
        #expect(try tacet(bus, "cancel") == (0, "Done.\n"))
        #expect(wait.wait() == 1 << 8)
        #expect(
            try String(contentsOfFile: output, encoding: .utf8)
                == "The announcement is playing.\nThe announcement was cancelled.\n")
        #expect(try tacet(bus, "hush") == (1, "Ignored: there is no announcement to cancel.\n"))
    }

    @Test func waitEndsWithTheDaemon() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let wait = try Subprocess(
            [try BuiltProgram.path("tacet"), "announce", "long", "--wait"], environment: bus.environment)
        try service.wait("sound") { hasSound(bus, "long") }
        service.kill()
        #expect(wait.wait() == 69 << 8)
        #expect(try tacet(bus, "announce", "gong").code == 69)
        #expect(try tacet(bus, "announce", "gong", "--wait").code == 69)
        #expect(try tacet(bus, "sounds").code == 69)
    }

    @Test func rejectedAnnouncementNamesTheReason() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let unknown = try tacet(bus, "announce", "gnog", "--wait")
        #expect(unknown.code == 1 && unknown.text.contains("There is no such sound, or its file cannot be read.\n"))
        #expect(unknown.text.contains("tacet: there is no sound ‘gnog’: did you mean ‘gong’?"), "\(unknown.text)")
        let missing = try tacet(bus, "announce", "missing")
        #expect(missing.code == 1 && missing.text.contains("the file of the sound missing cannot be read: "))
        for arguments in [["--priority=101"], ["--priority", "high"], ["--expire=soon"], ["--expire=0"]] {
            #expect(try bus.run([try BuiltProgram.path("tacet"), "announce", "gong"] + arguments).code == 64)
        }
        #expect(try tacet(bus, "announce").code == 64)
        #expect(try tacet(bus, "announce", "gong", "--bus=school").code == 64)
        withExtendedLifetime(service) {}
    }

    @Test func soundsAndStatusShowThePlayingSound() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        #expect(try tacet(bus, "announce", "long").code == 0)
        let sounds = try tacet(bus, "sounds").text
        #expect(sounds.contains("long     60.0 s  playing  readable\n"), "\(sounds)")
        #expect(sounds.contains("missing  –       –        CANNOT BE READ: "), "\(sounds)")
        #expect(
            try tacet(bus, "sounds", "--json").text.contains("{\"name\":\"gong\",\"length\":0.2,\"readable\":true,"))
        let status = try tacet(bus, "status").text
        #expect(status.contains("\nSound    long\n") && status.contains(" because the announcement long is playing. "))
        #expect(status.contains("\nHealth   the file of the sound missing cannot be read: "), "\(status)")
        #expect(try tacet(bus, "health").code == 1)
        withExtendedLifetime(service) {}
    }

    // MARK: Files of announcements

    private func file(
        _ bus: MessageBus, _ value: [String], _ name: String = "gong"
    ) throws -> (code: Int32, text: String) {
        try bus.call(session, "Announce", ["sa{sv}", name, "1", "file"] + value)
    }

    /// The daemon's output is recorded frame by frame, and there is no music.
    @Test func announcementsPlayTheirOwnFilesEvenIfDeleted() throws {
        let bus = try MessageBus()
        let folder = try Service.makeFolder(tracks: nil)
        let heard = folder.appendingPathComponent("heard.raw").path
        try TestMusic.writeNumbers(to: folder.appendingPathComponent("gong.wav").path, frames: 9600)
        let service = try Service(
            "[Playback]\nDevice=file:'\(heard)',raw\n[Sound gong]\nFile=gong.wav\n", in: folder, bus: "system",
            environment: bus.environment)
        try service.manager.wait { $0.contains("READY=1") }
        // Each file has its own numbers and its own length.
        for (index, frames) in [24_000, 14_400, 19_200].enumerated() {
            let path = folder.appendingPathComponent("\(index).wav").path
            try TestMusic.write(path, frames: frames, rate: 48_000) { Int32((100_000 * (index + 1) + $0) << 8) }
            let answer = index == 0 ? "success" : "deferred"
            try #expect(file(bus, ["s", path]).text == "st \"\(answer)\" \(index + 1)\n")
            unlink(path)
        }
        #expect(
            try tacet(bus, "announce", "gong", "--wait").text
                == "Queued until the sound gong ends.\nThe announcement was played to its end.\n")
        // The device writes its file to the end.
        service.signal(SIGTERM)
        #expect(service.wait() == 0)
        let data = try Data(contentsOf: URL(fileURLWithPath: heard))
        let samples = data.withUnsafeBytes { $0.bindMemory(to: Int32.self).enumerated().filter { $0.offset % 2 == 0 } }
        let runs = NumberedRun.all(in: samples.map(\.element))
        #expect(runs.prefix(4).map(\.number) == [100_000, 200_000, 300_000, 1], "\(runs)")
        #expect(runs.prefix(4).map(\.count) == [24_000, 14_400, 19_200, 9600], "\(runs)")
    }

    @Test func fileThatCannotBeUsedIsRejectedWithTheReasonInTheJournal() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let folder = service.folder.path
        try FileManager.default.createDirectory(atPath: folder + "/folder.wav", withIntermediateDirectories: true)
        #expect(mkfifo(folder + "/pipe.wav", 0o644) == 0)
        for (name, text) in [("empty", ""), ("text", "Dear diary"), ("huge", "")] {
            try text.write(toFile: "\(folder)/\(name).wav", atomically: true, encoding: .utf8)
        }
        #expect(truncate(folder + "/huge.wav", 1 << 40) == 0)
        symlink(folder + "/loop.wav", folder + "/loop.wav")
        let cases = [
            ("\(folder)/missing.wav", "No such file or directory"),
            ("\(folder)/folder.wav", "it is not a regular file"),
            ("\(folder)/pipe.wav", "it is not a regular file"), ("/dev/zero", "it is not a regular file"),
            ("\(folder)/empty.wav", "the file is empty (0 bytes)"),
            ("\(folder)/text.wav", "it is not audio: it is text"),
            ("\(folder)/huge.wav", "it has more than 2097152 bytes"),
            ("\(folder)/loop.wav", "Too many levels of symbolic links"),
            ("\(folder)/\(String(repeating: "x", count: 300)).wav", "File name too long"),
        ]
        for (path, words) in cases {
            #expect(try file(bus, ["s", path]).text == "st \"noSuchContent\" 0\n", "\(path)")
            try service.wait("entry") { service.output.contains("FILE=\(path)") }
            let entry = service.output.split(separator: "\n").last { $0.contains("FILE=\(path)") }
            #expect(entry?.contains(words) == true && entry?.contains(" REASON=") == true, "\(path): \(entry ?? "")")
        }
        // None of the files has affected the daemon or its sounds.
        #expect(try file(bus, ["s", "\(folder)/gong.wav"], "missing").text == "st \"success\" 1\n")
        #expect(try tacet(bus, "announce", "gong").code == 0)
    }

    @Test func fileThatOnlyRootCanReadIsRejected() throws {
        // Root can read everything.
        guard getuid() != 0 else { return }
        let bus = try MessageBus()
        let service = try start(bus)
        let path = service.folder.path + "/gong.wav"
        chmod(path, 0)
        #expect(try file(bus, ["s", path]).text == "st \"noSuchContent\" 0\n")
        try service.wait("entry") { service.output.contains("Permission denied") }
    }

    @Test func optionFileTakesAnAbsolutePathOnly() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        for path in ["gong.wav", "", "./gong.wav", "/a\nb.wav", "/a\u{1b}[2J"] {
            let answer = try file(bus, ["s", path])
            #expect(
                answer.code != 0 && answer.text.contains("file must be an absolute path"), "\(path): \(answer.text)")
        }
        #expect(try file(bus, ["i", "7"]).text.contains("file must be an absolute path"))
        #expect(!service.output.contains("announce gong"))
    }

    @Test func commandLineAnnouncesAFileRelativeToItsFolder() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let program = try BuiltProgram.path("tacet")
        let shell = "cd '\(service.folder.path)' && '\(program)' announce missing --file gong.wav --wait"
        #expect(try bus.run(["/bin/sh", "-c", shell]) == (0, Self.played))
        let absent = try tacet(bus, "announce", "gong", "--file=/srv/absent.wav")
        #expect(absent.code == 1 && absent.text.contains("There is no such sound, or its file cannot be read.\n"))
        #expect(absent.text.contains("tacet: the daemon cannot use /srv/absent.wav: "), "\(absent.text)")
        let unknown = try tacet(bus, "announce", "gnog", "--file=/srv/absent.wav")
        #expect(unknown.text.contains("there is no sound ‘gnog’"), "\(unknown.text)")
        #expect(try tacet(bus, "announce", "gong", "--file").code == 64)
    }

    @Test func clientAnnouncesAFile() async throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let client = SessionClient(address: bus.address)
        var updates = client.updates().makeAsyncIterator()
        while case .unavailable? = await updates.next() {}
        var notifications = client.notifications().makeAsyncIterator()
        let path = service.folder.path + "/gong.wav"
        #expect(try await client.announce(Announcement("missing"), file: path).answer == .success)
        #expect(await notifications.next() == .soundBegan("missing", id: 1))
        #expect(await notifications.next() == .soundEnded("missing", id: 1))
        #expect(try await client.announce(Announcement("gong"), file: path + "x").answer == .noSuchContent)
        await #expect(throws: SessionError.self) { try await client.announce(Announcement("gong"), file: "gong.wav") }
    }

    /// The test uses the library as any other program would.
    @Test func clientFollowsItsAnnouncementByItsNumber() async throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let client = SessionClient(address: bus.address)
        var updates = client.updates().makeAsyncIterator()
        while case .unavailable? = await updates.next() {}
        var notifications = client.notifications().makeAsyncIterator()
        let receipt = try await client.announce(Announcement("gong", priority: 60, expire: .after(.seconds(5))))
        #expect(receipt.answer == .success && receipt.id == 1)
        #expect(await notifications.next() == .soundBegan("gong", id: 1))
        #expect(await notifications.next() == .soundEnded("gong", id: 1))
        #expect(try await client.hush() == .noActionableNowPlayingItem)
        #expect(try await client.announce(Announcement("gnog")).id == 0)
        await #expect(throws: SessionError.self) { try await client.announce(Announcement("gong", priority: 101)) }
        withExtendedLifetime(service) {}
    }
}

import BusLab
import Foundation
import ServiceLab
import SoundLab
import Testing

@testable import Systemd

/// The daemon on a real message bus, with third-party clients.
@Suite(.serialized) struct RemoteTests {
    private let player = "org.mpris.MediaPlayer2.Player"
    private let session = "org.tacet.Session1"

    private func start(
        _ bus: MessageBus, tracks: Int = 3, _ settings: String = "", in folder: URL? = nil
    ) throws -> Service {
        let service = try Service(
            "[State]\nInterval=100ms\n" + settings, tracks: tracks, in: folder, bus: "system",
            environment: bus.environment)
        try service.manager.wait { $0.contains("READY=1") }
        try service.wait("name on the bus") {
            (try? bus.property(player, "PlaybackStatus"))?.contains("Playing") == true
        }
        return service
    }

    @Test func noClientExceedsTheMaximumVolume() throws {
        let bus = try MessageBus()
        let service = try start(bus, "[Playback]\nVolume=-20dB\nMaximumVolume=-6dB\n")
        let set: (String) throws -> Void = { volume in
            _ = try bus.call("org.freedesktop.DBus.Properties", "Set", ["ssv", player, "Volume", "d", volume])
        }
        let isAtMaximum = { try bus.property(player, "Volume").hasPrefix("v d 0.501") }
        try set("1.0")
        #expect(try isAtMaximum())
        try set("0.1")
        #expect(try bus.property(player, "Volume").hasPrefix("v d 0.1"))
        try set("1.0")
        #expect(try isAtMaximum())
        #expect(try bus.call(session, "Command", ["s", "volume -20dB"]).text == "ss \"success\" \"\"\n")
        #expect(try bus.call(session, "Command", ["s", "volume +40dB"]).text == "ss \"success\" \"\"\n")
        #expect(try isAtMaximum())
        #expect(try bus.call(session, "Command", ["s", "volume 0dB"]).text == "ss \"success\" \"\"\n")
        #expect(try isAtMaximum())
        try service.wait("entry") { service.output.contains("limited to -6dB by MaximumVolume=") }
    }

    /// The members of MPRIS 2.2's Player interface that `playerctl` does not reach.
    @Test func positionsFollowTheMPRISSpecification() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        _ = try bus.call(player, "Pause")
        // A position in another track or past the end is ignored, whereas a position in this track is set.
        _ = try bus.call(player, "SetPosition", ["ox", "/org/tacet/track/7", "5000000"])
        _ = try bus.call(player, "SetPosition", ["ox", "/org/tacet/track/0", "61000000"])
        #expect(try bus.property(player, "Position") != "v x 5000000\n")
        _ = try bus.call(player, "SetPosition", ["ox", "/org/tacet/track/0", "7000000"])
        #expect(try bus.property(player, "Position") == "v x 7000000\n")
        // Seeking to a position before the start leads to the start, and seeking past the end leads to the next track.
        // Extreme values do not overflow.
        _ = try bus.call(player, "Seek", ["x", "-9223372036854775808"])
        #expect(try bus.property(player, "Position") == "v x 0\n")
        _ = try bus.call(player, "Seek", ["x", "9223372036854775807"])
        try service.wait("next track") { (try? bus.property(player, "Metadata"))?.contains("1.wav") == true }
        #expect(try bus.call(player, "OpenUri", ["s", "file:///x"]).code != 0)
        #expect(try bus.property(player, "Rate") == "v d 1\n")
    }

    @Test func emitsSignalsForChanges() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let file = service.folder.appendingPathComponent("signals").path
        let listener = try bus.listen(into: file)
        let heard: (String) throws -> Void = { words in
            try service.wait("‘\(words)’") {
                (try? String(contentsOfFile: file, encoding: .utf8))?.contains(words) == true
            }
        }
        try heard("is owned by")
        _ = try bus.call(player, "Pause")
        try heard("'PlaybackStatus': <'Paused'>")
        _ = try bus.call(player, "SetPosition", ["ox", "/org/tacet/track/0", "7000000"])
        try heard("org.mpris.MediaPlayer2.Player.Seeked (int64 7000000,)")
        _ = try bus.call(player, "Next")
        try heard("'xesam:title': <'1.wav'>")
        try Service.configure("[Playback]\nDevice=nowhere\n", in: service.folder)
        service.signal(SIGHUP)
        try heard("org.tacet.Session1.MediaServicesWereLost ()")
        try heard("'Health': <['")
        listener.end()
    }

    @Test(.enabled(if: RealTimePriority.isAllowed))
    func commandAnswersAndUpdatesProperties() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        defer { withExtendedLifetime(service) {} }
        #expect(try bus.call(session, "Command", ["s", "pause"]).text == "ss \"success\" \"\"\n")
        #expect(try bus.call(session, "Command", ["s", "volume -6dB"]).text == "ss \"success\" \"\"\n")
        let invalid = try bus.call(session, "Command", ["s", "sing"])
        #expect(invalid.code != 0 && invalid.text.contains("‘sing’ is not a command: write play, pause"))
        let loud = try bus.call(session, "Command", ["s", "volume 120%"])
        #expect(loud.code != 0 && loud.text.contains("write a percentage from 0% to 100%"))
        #expect(try bus.call(session, "Command", ["s", "seek +2s"]).text == "ss \"success\" \"\"\n")
        #expect(try bus.property(session, "Interrupted") == "v b false\n")
        #expect(try bus.property(session, "Status") == "v s \"Quiet: paused\"\n")
        #expect(
            try bus.property(session, "Why").contains(" because it was paused. "))
    }

    @Test(.enabled(if: RealTimePriority.isAllowed))
    func tacetControlsPlaybackAndShowsTheState() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let program = try BuiltProgram.path("tacet")
        let tacet: ([String]) throws -> (code: Int32, text: String) = { try bus.run([program] + $0) }
        #expect(try tacet(["pause"]) == (0, "Done.\n"))
        let why = try tacet(["why"]).text
        #expect(why.hasPrefix("Quiet since ") && why.contains("s) because it was paused. "), "\(why)")
        #expect(try tacet(["seek", "7s", "--json"]) == (0, "{\"answer\":\"success\",\"reason\":\"\"}\n"))
        #expect(try tacet(["volume", "-6dB"]) == (0, "Done.\n"))
        #expect(try tacet(["seek", "0min", "9s"]) == (0, "Done.\n"))
        #expect(try bus.property(player, "Position") == "v x 9000000\n")
        #expect(try tacet(["seek", "-1min"]) == (0, "Done.\n"))
        #expect(try bus.property(player, "Position") == "v x 0\n")
        let loud = try tacet(["volume", "6"])
        #expect(loud.code == 64 && loud.text.contains("‘6’ has no unit"))
        #expect(try tacet(["toggle"]) == (0, "Done.\n"))
        #expect(try tacet(["volume", "mute"]) == (0, "Done.\n"))
        #expect(try tacet(["why"]).text.contains("s) because the volume is mute while it plays ‘0.wav’ at 0:"))
        #expect(try tacet(["volume", "-6dB"]) == (0, "Done.\n"))
        let status = try tacet(["status"])
        #expect(status.code == 0 && status.text.hasPrefix("Playing ‘0.wav’ at 0:"))
        #expect(status.text.contains("phone-call    pause            –") && status.text.contains("nothing is wrong"))
        let json =
            try JSONSerialization.jsonObject(with: Data(try tacet(["status", "--json"]).text.utf8)) as? [String: Any]
        #expect(status.text.contains("\nVolume   -6dB\nSession  active\nDevice   "), "\(status.text)")
        #expect(status.text.contains("\nSaved    ") && status.text.contains("s ago\n"), "\(status.text)")
        #expect(json?["device_available"] as? Bool == true && json?["volume_db"] as? Double == -6)
        #expect((json?["last_checkpoint"] as? String)?.hasSuffix("Z") == true)
        #expect(json?["status"] as? String == "Playing" && json?["track"] as? String == "0.wav")
        // These are the answers without the daemon and without a bus.
        service.signal(SIGTERM)
        #expect(service.wait() == 0)
        let gone = try tacet(["status"])
        #expect(gone.code == 69 && gone.text.contains("systemctl status tacet"))
        bus.die()
        #expect(try tacet(["pause"]).code == 69)
        #expect(try tacet(["pause", "--bus=school"]).code == 64)
    }

    /// Only root and members of the `tacet` group may send commands.
    @Test(.enabled(if: getuid() == 0)) func otherUsersCanReadButNotSendCommands() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        let file = service.folder.appendingPathComponent("signals").path
        let listener = try bus.listen(into: file, by: nobody)
        let heard = { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }
        try service.wait("listener") { heard().contains("is owned by") }
        let properties = "org.freedesktop.DBus.Properties"
        #expect(
            try bus.call(properties, "Get", ["ss", player, "PlaybackStatus"], by: nobody).text == "v s \"Playing\"\n")
        for (interface, member, arguments) in [
            (player, "Pause", []), (session, "Command", ["s", "stop"]),
            (session, "Announce", ["sa{sv}", "gong", "0"]), (session, "Hush", []),
            (properties, "Set", ["ssv", player, "Volume", "d", "0"]),
        ] {
            let denied = try bus.call(interface, member, arguments, by: nobody)
            #expect(denied.code != 0 && denied.text.contains("denied"), "\(member): \(denied.text)")
        }
        #expect(try bus.property(player, "PlaybackStatus") == "v s \"Playing\"\n")
        let scene = try bus.call(properties, "Get", ["ss", session, "Scene"], by: nobody).text
        #expect(scene.hasPrefix("v a{sv} 18 \"active\" as 0 "), "\(scene)")
        _ = try bus.call(player, "Pause")
        try service.wait("event") { heard().contains("org.tacet.Session1.Event (uint64 ") }
        #expect(heard().contains("'command pause', {'active': <@as []>, 'answer': <'success'>, 'faults': <@as []>"))
        listener.end()
    }

    @Test func rejectsMalformedCalls() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let huge = String(repeating: "x", count: 100_000)
        for arguments in [["s", huge], ["i", "1"], ["as", "1", "play"], ["ss", "play", "play"], []] {
            #expect(try bus.call(session, "Command", arguments).code != 0)
        }
        for (arguments, complaint) in [
            (["sa{sv}", "gong", "1", "priority", "i", "101"], "priority must be an integer from 0 to 100"),
            (["sa{sv}", "gong", "1", "expire", "d", "2.5"], "expire must be a number of microseconds, as an integer"),
            (["sa{sv}", "gong", "1", "expires", "t", "5"], "there is no option ‘expires’: did you mean ‘expire’?"),
            (["s", "gong"], "Announce takes arguments of type ‘sa{sv}’"),
            (["sa{sv}", huge, "0"], "the arguments of Announce are too large"),
        ] {
            let answer = try bus.call(session, "Announce", arguments)
            #expect(answer.code != 0 && answer.text.contains(complaint), "\(answer.text)")
        }
        #expect(try bus.call(session, "Announce", ["sa{sv}", "far", "0"]).text == "st \"noSuchContent\" 0\n")
        #expect(try bus.call(player, "Seek", ["s", "far"]).code != 0)
        #expect(
            try bus.call("org.freedesktop.DBus.Properties", "Set", ["ssv", player, "Volume", "s", "loud"]).code != 0)
        #expect(
            try bus.call("org.freedesktop.DBus.Properties", "Set", ["ssv", player, "Volume", "d", "nan"]).code != 0)
        #expect(try bus.property(player, "PlaybackStatus") == "v s \"Playing\"\n")
        #expect(!service.output.contains("Fatal"))
    }

    /// The daemon keeps playing without a bus, and reconnects.
    @Test func reconnectsWhenTheBusRestarts() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let position = service.savedPosition
        bus.die()
        try service.wait("entry") { service.output.contains("[bus-lost ") }
        try service.wait("music meanwhile") { service.savedPosition > position + 0.3 }
        try bus.start()
        try service.wait("name again") { (try? bus.property(player, "PlaybackStatus"))?.contains("Playing") == true }
        service.signal(SIGTERM)
        #expect(service.wait() == 0)
    }

    /// When the system shuts down, systemd may stop the bus and the service in either order.
    @Test func busEndingJustBeforeTheServiceIsNotLogged() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let sockets = { (try? ProcessUse(service.pid))?.files.filter { $0.hasPrefix("socket:") }.count ?? 0 }
        let before = sockets()
        bus.die()
        try service.wait("hang-up") { sockets() < before }
        service.signal(SIGTERM)
        #expect(service.wait() == 0)
        #expect(!service.output.contains("[bus-lost "), "\(service.output)")
    }

    @Test func takesItsNameWhenAnotherProgramReleasesIt() throws {
        let bus = try MessageBus()
        let name = "org.mpris.MediaPlayer2.tacet"
        let driver = "org.freedesktop.DBus"
        let nameOwner = try BusClient(address: bus.address)
        let answer = try nameOwner.call(
            "RequestName", of: driver, at: "/org/freedesktop/DBus", on: driver, [.string(name), .uint32(4)])
        #expect(answer == [.uint32(1)])
        let service = try Service("", tracks: 1, bus: "system", environment: bus.environment)
        try service.manager.wait { $0.contains("READY=1") }
        try service.wait("entry") {
            service.output.contains("[bus-lost ") && service.output.contains("another program has the name \(name)")
        }
        _ = try nameOwner.call("ReleaseName", of: driver, at: "/org/freedesktop/DBus", on: driver, [.string(name)])
        try service.wait("name") { (try? bus.property(player, "PlaybackStatus"))?.contains("Playing") == true }
    }

    @Test func survivesAFloodOfCommandsWithoutReconnectingOrGrowing() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let owner = try bus.supervisor
        let before = try ProcessUse(service.pid)
        let count = 5000
        let floods = try (0..<4).map { try CommandFlood(bus, count: count, reads: $0 > 0) }
        var peak = before.memory
        for flood in floods {
            for _ in 0..<1200 {
                peak = max(peak, try ProcessUse(service.pid).memory)
                if try flood.wait(.milliseconds(100)) { break }
            }
        }
        #expect(floods.map(\.successes) == [0, count, count, count])
        #expect(try bus.supervisor == owner)
        #expect(peak <= before.memory + 10_000, "\(before), at most \(peak) KiB")
        withExtendedLifetime(floods) {}
    }

    /// If a client does not read, the bus stops reading from the daemon. If this state lasts, the daemon reconnects. The
    /// kernel also buffers what the bus does not read, so a few unread answers are enough, and sd-bus does not notice
    /// them.
    @Test(arguments: [1_000_000, 100_000])
    func unreadAnswersDoNotGrowMemoryAndEndTheConnection(limit: Int) throws {
        let bus = try MessageBus(limits: ["max_incoming_bytes": limit])
        let service = try start(bus, in: Service.makeFolderWithLongNames())
        let before = try ProcessUse(service.pid)
        let (program, peak) = try service.reconnects(to: bus)
        // The calls that were under way arrive on the new connection.
        try service.wait("answer") {
            (try? bus.call("org.tacet.Session1", "Command", ["s", "play"]).text)?.hasPrefix("ss \"success\"") ?? false
        }
        #expect(peak <= before.memory + 10_000, "\(before), at most \(peak) KiB")
        withExtendedLifetime(program) {}
    }

    /// A long list of tracks is the longest answer that any user may request. If the bus had to keep all of them, it would
    /// soon no longer read the daemon's messages.
    @Test func listsThatManyProgramsDoNotReadDoNotDelayASignal() throws {
        let bus = try MessageBus(limits: ["max_incoming_bytes": 32 << 20])
        let signal = "[Signal door]\nSource=bus\nEffect=pause\n"
        let service = try start(bus, signal, in: Service.makeFolderWithLongNames())
        let first = try bus.supervisor
        let floods = try (0..<100).map { _ in try CommandFlood(bus, .tracks, count: 100, reads: false) }
        for flood in floods { #expect(try flood.wait(.seconds(60))) }
        let program = try BusClient(address: bus.address)
        let answer = try program.call(
            "SetSignal", of: "org.tacet.Session1", at: "/org/mpris/MediaPlayer2", on: "org.mpris.MediaPlayer2.tacet",
            [.string("door"), .bool(true), .uint64(.max)])
        #expect(answer == [.string("success")])
        // The journal is written after the answer, on another thread.
        try service.wait("interruption") { service.output.contains("[interruption-began ") }
        #expect(try bus.supervisor == first)
        withExtendedLifetime((floods, program)) {}
    }

    @Test func journalNamesTheSenderOfACommand() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let program = try BuiltProgram.path("tacet")
        #expect(try bus.run([program, "volume", "mute"]).code == 0)
        try service.wait("entry") { service.output.contains("COMMAND=volume mute") }
        let line = service.output.split(separator: "\n").first { $0.contains("COMMAND=volume mute") } ?? ""
        #expect(line.contains(" Requested by tacet (pid ") && line.contains(", uid \(getuid())). ["), "\(line)")
        #expect(line.contains(" ISSUER=bus ISSUER_UID=\(getuid()) ISSUER_PID=") && line.contains("ISSUER_COMM=tacet"))
        #expect(line.contains(" LEVEL=mute"))
        _ = try bus.call(player, "Pause")
        try service.wait("entry of busctl") { service.output.contains(" Requested by busctl (pid ") }
    }
}

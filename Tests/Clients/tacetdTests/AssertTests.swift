import BusLab
import Foundation
import Glibc
import ServiceLab
import SoundLab
import Testing

@testable import Systemd

/// Programs assert signals over a real bus: `tacet assert`, `tacet deassert` and `SetSignal`.
@Suite(.serialized) struct AssertTests {
    private let session = "org.tacet.Session1"

    private static let voip = """
        [Signal voip]
        Effect=pause
        Source=bus
        LostGrace=0s
        [Signal wire]
        Effect=pause
        Line=NO_SUCH_LINE

        """

    private func start(_ bus: MessageBus, _ text: String = voip, in folder: URL? = nil) throws -> Service {
        let service = try Service(text, in: folder, bus: "system", environment: bus.environment)
        try service.manager.wait { $0.contains("READY=1") }
        try service.wait("name on the bus") { (try? bus.property(session, "Interrupted"))?.hasPrefix("v b") == true }
        return service
    }

    /// Starts `tacet` in the background.
    private func tacet(_ bus: MessageBus, _ arguments: [String], log: Int32? = nil) throws -> Subprocess {
        try Subprocess(
            [try BuiltProgram.path("tacet")] + arguments, environment: bus.environment, output: log ?? STDERR_FILENO,
            errors: log ?? STDERR_FILENO)
    }

    private func run(_ bus: MessageBus, _ arguments: [String]) throws -> (code: Int32, text: String) {
        try bus.run([try BuiltProgram.path("tacet")] + arguments)
    }

    private func waitUntil(_ interrupted: Bool, _ service: Service, _ bus: MessageBus) throws {
        try service.wait("interruption \(interrupted)") {
            (try? bus.property(session, "Interrupted")) == "v b \(interrupted)\n"
        }
    }

    @Test func signalIsAssertedWhileTheCommandRuns() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let pipe = service.folder.appendingPathComponent("pipe").path
        mkfifo(pipe, 0o600)
        let assertion = try tacet(bus, ["assert", "voip", "--", "sh", "-c", "read line <\(pipe); exit 7"])
        try waitUntil(true, service, bus)
        let why = try run(bus, ["why"]).text
        #expect(why.contains("because voip (asserted by tacet, process \(assertion.pid)) is asserted"), "\(why)")
        try "end\n".write(toFile: pipe, atomically: false, encoding: .utf8)
        #expect(assertion.wait() >> 8 == 7)
        try waitUntil(false, service, bus)
        // The signal was released and not lost.
        #expect(!(try bus.property(session, "Health")).contains("voip"))
    }

    @Test func exitCodeIsThatOfTheCommand() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        defer { withExtendedLifetime(service) {} }
        #expect(try run(bus, ["assert", "voip", "--", "true"]) == (0, ""))
        #expect(try run(bus, ["assert", "voip", "--", "sh", "-c", "kill -9 $$"]).code == 137)
        let missing = try run(bus, ["assert", "voip", "--", "/nonexistent/phone"])
        #expect(missing.code == 127 && missing.text.contains("cannot run /nonexistent/phone: No such file"))
        #expect(try run(bus, ["assert", "voip", "--", "/etc/passwd"]).code == 126)
        // The command runs even if the signal is rejected.
        let wire = try run(bus, ["assert", "wire", "--", "echo", "--hello"])
        #expect(wire.code == 0 && wire.text.contains("--hello\n") && wire.text.contains("comes from NO_SUCH_LINE"))
        #expect(try run(bus, ["assert", "wire"]).code == 1)
        #expect(try run(bus, ["deassert", "vojp"]).text.contains("did you mean ‘voip’?"))
        #expect(try run(bus, ["assert"]).code == 64 && (try run(bus, ["assert", "voip", "--for", "soon"])).code == 64)
        #expect(try run(bus, ["assert", "voip", "--for", "50ms"]) == (0, ""))
        try waitUntil(false, service, bus)
    }

    @Test func commandThatIgnoresSIGTERMKeepsTheSignal() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let folder = service.folder.path
        let script = """
            trap 'touch \(folder)/ignored' TERM; touch \(folder)/ready
            while ! [ -e \(folder)/end ]; do sleep 0.05; done
            """
        let assertion = try tacet(bus, ["assert", "voip", "--", "sh", "-c", script])
        try service.wait("command") { FileManager.default.fileExists(atPath: folder + "/ready") }
        try waitUntil(true, service, bus)
        assertion.signal(SIGTERM)
        try service.wait("signal") { FileManager.default.fileExists(atPath: folder + "/ignored") }
        #expect(try bus.property(session, "Interrupted") == "v b true\n")
        _ = FileManager.default.createFile(atPath: folder + "/end", contents: nil)
        #expect(assertion.wait() == 0)
        try waitUntil(false, service, bus)
    }

    @Test func killedProgramLosesTheSignalButNotTheCommand() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let folder = service.folder.path
        let script = "touch \(folder)/ready; while ! [ -e \(folder)/end ]; do sleep 0.05; done; touch \(folder)/over"
        let assertion = try tacet(bus, ["assert", "voip", "--", "sh", "-c", script])
        try service.wait("command") { FileManager.default.fileExists(atPath: folder + "/ready") }
        try waitUntil(true, service, bus)
        assertion.signal(SIGKILL)
        _ = assertion.wait()
        // The default is WhenLost=release.
        try waitUntil(false, service, bus)
        #expect(try bus.property(session, "Health").contains("voip is lost"))
        _ = FileManager.default.createFile(atPath: folder + "/end", contents: nil)
        try service.wait("end of the command") { FileManager.default.fileExists(atPath: folder + "/over") }
        // A person clears the fault.
        #expect(try run(bus, ["deassert", "voip"]) == (0, "Released.\n"))
        #expect(!(try bus.property(session, "Health")).contains("voip"))
    }

    @Test func commandThatBecomesADaemonEndsWithItsFirstProcess() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let file = service.folder.path + "/end"
        let script = "setsid sh -c 'while ! [ -e \(file) ]; do sleep 0.05; done' >/dev/null 2>&1 &"
        #expect(try tacet(bus, ["assert", "voip", "--", "sh", "-c", script]).wait() == 0)
        try waitUntil(false, service, bus)
        _ = FileManager.default.createFile(atPath: file, contents: nil)
    }

    @Test func withoutACommandItLastsUntilItIsStopped() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let first = try tacet(bus, ["assert", "voip"])
        let second = try tacet(bus, ["assert", "voip"])
        try service.wait("both") {
            (try? run(bus, ["why"]).text)?.contains("process \(second.pid)") == true
                && (try? run(bus, ["why"]).text)?.contains("process \(first.pid)") == true
        }
        first.signal(SIGINT)
        #expect(first.wait() == 0)
        #expect(try bus.property(session, "Interrupted") == "v b true\n")
        // A person releases it for all programs.
        #expect(try run(bus, ["deassert", "voip"]) == (0, "Released.\n"))
        try waitUntil(false, service, bus)
        second.signal(SIGTERM)
        #expect(second.wait() == 0)
    }

    @Test func assertionSurvivesARestartOfTheSupervisor() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let assertion = try tacet(bus, ["assert", "voip", "--", "sleep", "600"])
        try waitUntil(true, service, bus)
        service.kill()
        let next = try start(bus, in: service.folder)
        // The signal is asserted from the start, because the last run saved it.
        #expect(try bus.property(session, "Interrupted") == "v b true\n")
        try next.wait("renewal") { (try? run(bus, ["why"]).text)?.contains("process \(assertion.pid)") == true }
        #expect(!(try bus.property(session, "Health")).contains("voip"))
        assertion.signal(SIGTERM)
        #expect(assertion.wait() >> 8 == 143)
        try waitUntil(false, next, bus)
    }

    @Test func reloadKeepsTheSignal() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let assertion = try tacet(bus, ["assert", "voip"])
        try waitUntil(true, service, bus)
        try Service.configure(Self.voip + "[Playback]\nCloseAfter=1s\n", in: service.folder)
        service.signal(SIGHUP)
        try service.wait("reload") { service.output.contains("The new configuration is active") }
        #expect(try run(bus, ["why"]).text.contains("process \(assertion.pid)"))
        assertion.signal(SIGINT)
        _ = assertion.wait()
        try waitUntil(false, service, bus)
    }

    private static let other = "[Signal wire]\nEffect=pause\nLine=NO_SUCH_LINE\n"

    private func reload(_ service: Service, _ text: String) throws {
        let active = { service.output.components(separatedBy: "The new configuration is active").count }
        let before = active()
        try Service.configure(text, in: service.folder)
        service.signal(SIGHUP)
        try service.wait("reload") { active() > before }
    }

    /// The signal's section disappears and returns, or the signal has another source for a while.
    @Test(arguments: ["", "[Signal voip]\nEffect=pause\n"])
    func signalThatReturnsIsAssertedAgain(meanwhile: String) throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let assertion = try tacet(bus, ["assert", "voip", "--", "sleep", "600"])
        try waitUntil(true, service, bus)
        try reload(service, Self.other + meanwhile)
        try waitUntil(false, service, bus)
        try reload(service, Self.voip)
        #expect(try bus.property(session, "Interrupted") == "v b true\n")
        #expect(try run(bus, ["why"]).text.contains("process \(assertion.pid)"))
        assertion.signal(SIGTERM)
        #expect(assertion.wait() >> 8 == 143)
        try waitUntil(false, service, bus)
        #expect(!(try bus.property(session, "Health")).contains("voip"))
    }

    @Test func signalThatReturnsIsReleasedIfTheCommandHasEnded() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let assertion = try tacet(bus, ["assert", "voip", "--", "sleep", "600"])
        try waitUntil(true, service, bus)
        try reload(service, Self.other)
        try waitUntil(false, service, bus)
        assertion.signal(SIGTERM)
        #expect(assertion.wait() >> 8 == 143)
        try reload(service, Self.voip)
        #expect(try bus.property(session, "Interrupted") == "v b false\n")
        #expect(!(try bus.property(session, "Health")).contains("voip"))
    }

    @Test func signalAddedByAReloadIsAssertedWhileTheCommandRuns() throws {
        let bus = try MessageBus()
        let service = try start(bus, Self.other)
        let assertion = try tacet(bus, ["assert", "voip", "--", "sleep", "600"])
        try service.wait("command") { children(of: assertion.pid) }
        #expect(try bus.property(session, "Interrupted") == "v b false\n")
        try reload(service, Self.voip)
        try waitUntil(true, service, bus)
        assertion.signal(SIGTERM)
        #expect(assertion.wait() >> 8 == 143)
        try waitUntil(false, service, bus)
    }

    /// Returns true if a process has a child.
    private func children(of process: pid_t) -> Bool {
        let list = try? String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
        return list.map { !$0.isEmpty } ?? false
    }

    @Test func assertionSurvivesARestartOfTheBus() throws {
        let bus = try MessageBus()
        let service = try start(bus, Self.voip.replacingOccurrences(of: "LostGrace=0s", with: "LostGrace=1min"))
        defer { withExtendedLifetime(service) {} }
        let assertion = try tacet(bus, ["assert", "voip", "--", "sleep", "600"])
        try waitUntil(true, service, bus)
        bus.die()
        try bus.start()
        try service.wait("renewal") { (try? run(bus, ["why"]).text)?.contains("process \(assertion.pid)") == true }
        #expect(!(try bus.property(session, "Health")).contains("voip"))
        assertion.signal(SIGTERM)
        #expect(assertion.wait() >> 8 == 143)
        try waitUntil(false, service, bus)
    }

    /// Starts a program that asserts the signal for as long as it stays on the bus, and never asserts it again.
    private func holder(_ service: Service, _ bus: MessageBus) throws -> BusClient {
        let program = try BusClient(address: bus.address)
        let answer = try program.call(
            "SetSignal", of: session, at: "/org/mpris/MediaPlayer2", on: "org.mpris.MediaPlayer2.tacet",
            [.string("voip"), .bool(true), .uint64(.max)])
        #expect(answer == [.string("success")])
        try waitUntil(true, service, bus)
        return program
    }

    @Test func assertionOutlivesTheSupervisorsConnection() throws {
        let bus = try MessageBus(limits: CommandFlood.lowLimits)
        let service = try start(bus, in: Service.makeFolderWithLongNames())
        var program: BusClient? = try holder(service, bus)
        let other = try service.reconnects(to: bus)
        // Questions are refused while the answers to the flood are queued.
        try service.wait("answer") { (try? bus.property(session, "Interrupted"))?.isEmpty == false }
        #expect(try bus.property(session, "Interrupted") == "v b true\n")
        #expect(!service.output.contains("[fault SIGNAL=voip"), "\(service.output)")
        // The program is followed on the new connection.
        program = nil
        try service.wait("loss") {
            service.output.contains(
                "has left the bus. WhenLost= decides whether it counts as asserted. [fault SIGNAL=voip")
        }
        withExtendedLifetime((program, other)) {}
    }

    @Test func endOfTheBusReleasesTheSignalsOfItsPrograms() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let program = try holder(service, bus)
        bus.die()
        try bus.start()
        try service.wait("loss") { service.output.contains("voip (the bus) is lost: the bus on which ") }
        #expect(!service.output.contains("has left the bus"))
        withExtendedLifetime(program) {}
    }

    @Test func commandRunsWithoutASupervisor() throws {
        let bus = try MessageBus()
        let command = try run(bus, ["assert", "voip", "--", "echo", "hello"])
        #expect(command.code == 0 && command.text.contains("hello\n"))
        #expect(command.text.contains("the daemon is not running, so voip will be asserted later"))
        #expect(try run(bus, ["assert", "voip"]).code == 69)
        #expect(try run(bus, ["deassert", "voip"]).code == 69)
    }

    /// Starts a supervisor that does not run, and for which so many calls wait that the bus refuses others.
    private func startBusy() throws -> (bus: MessageBus, service: Service, flood: CommandFlood) {
        let bus = try MessageBus(limits: ["max_outgoing_bytes": 20_000, "max_replies_per_connection": 50_000])
        let service = try start(bus)
        service.signal(SIGSTOP)
        let flood = try CommandFlood(bus, .properties, count: 10_000, reads: false)
        #expect(try flood.wait(.seconds(60)))
        return (bus, service, flood)
    }

    /// While too many calls wait for the supervisor, the bus refuses further ones, and no event reports when it accepts
    /// calls again.
    @Test func assertionIsRetriedWhenABusyBusRefusesIt() throws {
        let (bus, service, flood) = try startBusy()
        let log = log(service)
        let assertion = try tacet(bus, ["assert", "voip", "--", "sleep", "60"], log: log.descriptor)
        try service.wait("refusal") {
            (try? String(contentsOfFile: log.path, encoding: .utf8))?.contains("voip will be asserted later") == true
        }
        service.signal(SIGCONT)
        try waitUntil(true, service, bus)
        assertion.signal(SIGTERM)
        #expect(assertion.wait() >> 8 == 128 + SIGTERM)
        withExtendedLifetime(flood) {}
    }

    /// The bus refuses the calls at first, and later only the supervisor is too busy to answer.
    @Test func timeOfForIsAlsoTheTimeForAttempts() throws {
        let (bus, service, flood) = try startBusy()
        let brief = try run(bus, ["assert", "voip", "--for", "2500ms"])
        #expect(brief.code == 69 && brief.text.contains("so voip will be asserted later"), "\(brief.text)")
        #expect(brief.text.contains("voip was not asserted within the time of --for"), "\(brief.text)")
        let log = log(service)
        let assertion = try tacet(bus, ["assert", "voip", "--for", "1h"], log: log.descriptor)
        try service.wait("refusal") {
            (try? String(contentsOfFile: log.path, encoding: .utf8))?.contains("voip will be asserted later") == true
        }
        service.signal(SIGCONT)
        try waitUntil(true, service, bus)
        assertion.signal(SIGTERM)
        #expect(assertion.wait() == 0)
        try waitUntil(false, service, bus)
        #expect(!(try bus.property(session, "Health")).contains("voip"))
        withExtendedLifetime(flood) {}
    }

    /// If the program left the bus, the signal would be lost.
    @Test(arguments: [[], ["--", "sleep", "600"]])
    func programWaitsUntilABusySupervisorHasReleasedTheSignal(command: [String]) throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let log = log(service)
        let assertion = try tacet(bus, ["assert", "voip"] + command, log: log.descriptor)
        try waitUntil(true, service, bus)
        service.signal(SIGSTOP)
        assertion.signal(SIGTERM)
        try service.wait("message") {
            (try? String(contentsOfFile: log.path, encoding: .utf8))?.contains("waits until it has released voip")
                == true
        }
        service.signal(SIGCONT)
        #expect(assertion.wait() >> 8 == (command.isEmpty ? 0 : 128 + SIGTERM))
        try waitUntil(false, service, bus)
        #expect(!(try bus.property(session, "Health")).contains("voip"))
    }

    /// If the bus's socket is missing, the connection waits for it without an error.
    @Test func commandRunsWithoutABus() throws {
        let bus = try MessageBus()
        bus.die()
        let nowhere = ["env", "DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nowhere/bus", try BuiltProgram.path("tacet")]
        let command = try bus.run(nowhere + ["assert", "voip", "--", "echo", "hello"])
        #expect(command.code == 0 && command.text.contains("hello\n"))
        #expect(command.text.contains("so voip will be asserted later"))
        #expect(try bus.run(nowhere + ["assert", "voip", "--for", "1s"]).code == 69)
        #expect(try run(bus, ["assert", "voip", "--for", "1s"]).code == 69)
    }

    @Test func programThatLeavesTheBusLosesItsLease() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        // busctl leaves as soon as it has its answer.
        #expect(try bus.call(session, "SetSignal", ["sbt", "voip", "true", "0"]).text == "s \"success\"\n")
        try service.wait("loss") { (try? bus.property(session, "Health"))?.contains("voip is lost") == true }
        try waitUntil(false, service, bus)
        #expect(try bus.call(session, "SetSignal", ["sbt", "wire", "true", "0"]).code != 0)
        #expect(try bus.call(session, "SetSignal", ["sb", "voip", "true"]).code != 0)
    }

    // MARK: Levels on standard input

    /// The daemon's reason why the signal is lost, or an empty text.
    private func loss(_ bus: MessageBus) -> String {
        (try? bus.property(session, "Health"))?.contains("voip is lost") == true ? "lost" : ""
    }

    /// A program that states the level of an input to `tacet assert --stdin`.
    private final class Levels {
        let program: Subprocess
        private let pipe: [Int32]

        init(_ bus: MessageBus, lease: String, log: Int32) throws {
            var ends: [Int32] = [0, 0]
            try #require(Glibc.pipe(&ends) == 0)
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            pipe = ends
            program = try Subprocess(
                [try BuiltProgram.path("tacet"), "assert", "voip", "--stdin", "--lease", lease],
                environment: bus.environment, input: ends[0], errors: log)
            close(ends[0])
        }

        func write(_ text: String) {
            _ = Array(text.utf8).withUnsafeBytes { Glibc.write(pipe[1], $0.baseAddress, $0.count) }
        }
        func hangUp() { close(pipe[1]) }
    }

    private func log(_ service: Service) -> (descriptor: Int32, path: String) {
        let path = service.folder.appendingPathComponent("words").path
        return (open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600), path)
    }

    @Test func levelsOnStandardInputSetAndReleaseTheSignal() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let log = log(service)
        let levels = try Levels(bus, lease: "1h", log: log.descriptor)
        levels.write("1\n")
        try waitUntil(true, service, bus)
        // An incomplete line does not count yet. A line that is not a level does not change anything.
        levels.write("Get bit error\n 0")
        try service.wait("complaint") { (try? String(contentsOfFile: log.path, encoding: .utf8))?.isEmpty == false }
        #expect(try bus.property(session, "Interrupted") == "v b true\n")
        levels.write(" \r\n")
        try waitUntil(false, service, bus)
        #expect(loss(bus) == "")
        let words = try String(contentsOfFile: log.path, encoding: .utf8)
        #expect(words == "tacet: ‘Get bit error’ is not a level: write 0 or 1\n")
        levels.hangUp()
        #expect(levels.program.wait() >> 8 == 1)
        try service.wait("loss") { loss(bus) == "lost" }
    }

    @Test(arguments: ["1\n", "0\n"]) func signalIsLostWhileNoLevelArrives(last: String) throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let levels = try Levels(bus, lease: "200ms", log: log(service).descriptor)
        levels.write(last)
        try service.wait("loss") { loss(bus) == "lost" }
        // The program still waits, and a level ends the loss.
        levels.write(last)
        try service.wait("level") { loss(bus) == "" }
        levels.program.signal(SIGTERM)
        #expect(levels.program.wait() == 0)
        try service.wait("loss") { loss(bus) == "lost" }
    }

    @Test func signalIsLostIfThereHasNeverBeenALevel() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let levels = try Levels(bus, lease: "200ms", log: log(service).descriptor)
        try service.wait("loss") { loss(bus) == "lost" }
        levels.write("1\n")
        try waitUntil(true, service, bus)
        levels.hangUp()
    }

    @Test func levelsSurviveARestartOfTheSupervisor() throws {
        let bus = try MessageBus()
        let first = try start(bus)
        let levels = try Levels(bus, lease: "1h", log: log(first).descriptor)
        levels.write("1\n")
        try waitUntil(true, first, bus)
        first.signal(SIGTERM)
        _ = first.wait()
        let second = try start(bus)
        // It has another state folder, so only the program can have asserted the signal.
        try waitUntil(true, second, bus)
        levels.hangUp()
    }

    @Test func standardInputIsRequiredToBeAPipe() throws {
        let bus = try MessageBus()
        let file = try bus.run(["sh", "-c", "\(try BuiltProgram.path("tacet")) assert voip --stdin </dev/null"])
        #expect(file.code == 64 && file.text.contains("standard input must be a pipe"), "\(file)")
        for rest in [["--for", "1s"], ["--", "true"]] {
            let refused = try run(bus, ["assert", "voip", "--stdin"] + rest)
            #expect(refused.code == 64 && refused.text.contains("--stdin cannot be combined"), "\(refused)")
        }
        #expect(try run(bus, ["assert", "voip", "--lease", "1s"]).text.contains("--lease needs --stdin"))
        #expect(
            try run(bus, ["assert", "voip", "--stdin", "--lease", "1ms"]).text.contains("must be from 100ms to 1h"))
    }

    /// The example for inputs that are not GPIO lines.
    private func adapt(_ input: [String], _ bus: MessageBus) throws -> Subprocess {
        let programs = URL(fileURLWithPath: try BuiltProgram.path("tacet")).deletingLastPathComponent().path
        return try Subprocess(
            ["bash", "deploy/examples/tacet-adapter", "voip"] + input,
            environment: bus.environment.merging(["PATH": "\(programs):/usr/bin:/bin"]) { $1 })
    }

    /// The stand-in for the vendor's command prints a file. Like piTest, it reports an error with exit code 0.
    @Test func adapterFollowsACommandAndLosesAnInputThatCannotBeRead() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let input = service.folder.appendingPathComponent("input")
        func set(_ value: String) throws { try value.write(to: input, atomically: true, encoding: .utf8) }
        try set("0\n")
        let adapter = try adapt(["sh", "-c", "cat \(input.path) || true"], bus)
        try set("1\n")
        try waitUntil(true, service, bus)
        try set("0\n")
        try waitUntil(false, service, bus)
        #expect(loss(bus) == "")
        try set("Get bit error\n")
        try service.wait("loss of a released signal") { loss(bus) == "lost" }
        try set("1\n")
        try waitUntil(true, service, bus)
        #expect(loss(bus) == "")
        try FileManager.default.removeItem(at: input)
        try service.wait("loss of an asserted signal") { loss(bus) == "lost" }
        try killReader(of: adapter)
        _ = adapter.wait()
    }

    @Test func adapterReadsAFileAndItsEndLosesTheSignal() throws {
        let bus = try MessageBus()
        let service = try start(bus)
        let input = service.folder.appendingPathComponent("value")
        // Like a file in /sys, it is written in place.
        func set(_ value: String) throws { try value.write(to: input, atomically: false, encoding: .utf8) }
        try set("1\n")
        let adapter = try adapt([input.path], bus)
        try waitUntil(true, service, bus)
        try set("0\n")
        try waitUntil(false, service, bus)
        #expect(loss(bus) == "")
        // A missing file must not repeat the last level.
        try FileManager.default.removeItem(at: input)
        try service.wait("loss") { loss(bus) == "lost" }
        try set("0\n")
        try service.wait("level") { loss(bus) == "" }
        try killReader(of: adapter)
        try service.wait("loss") { loss(bus) == "lost" }
        #expect(adapter.wait() >> 8 == 1)
    }

    /// Kills the shell that reads the input, which is the adapter's first child. This ends the adapter.
    private func killReader(of adapter: Subprocess) throws {
        let children = try String(contentsOfFile: "/proc/\(adapter.pid)/task/\(adapter.pid)/children", encoding: .utf8)
        kill(try #require(children.split(separator: " ").compactMap { pid_t($0) }.first), SIGKILL)
    }
}

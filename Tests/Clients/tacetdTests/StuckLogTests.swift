import BusLab
import Foundation
import SoundLab
import Testing

/// A log that no program reads. The daemon's standard error is a full pipe, or the journal's socket is full. Everything
/// but the log continues.
@Suite(.serialized) struct StuckLogTests {
    private let session = "org.tacet.Session1"

    /// Sends commands on the bus, a signal, reloads and a stop. All of these are logged, with fewer entries than the
    /// queue can hold.
    private func useEverything(_ service: Service, _ bus: MessageBus) throws {
        try service.manager.wait { $0.contains("READY=1") }
        try service.wait("name on the bus") { (try? bus.property(session, "Interrupted"))?.hasPrefix("v b") == true }
        for _ in 0..<20 {
            #expect(try bus.call(session, "Command", ["s", "pause"]).text == "ss \"success\" \"\"\n")
            #expect(try bus.call(session, "Command", ["s", "play"]).text == "ss \"success\" \"\"\n")
        }
        #expect(try bus.call(session, "SetSignal", ["sbt", "door", "true", "0"]).text == "s \"success\"\n")
        try service.wait("interruption") { (try? bus.property(session, "Interrupted")) == "v b true\n" }
        service.signal(SIGHUP)
        try service.manager.wait { $0.contains("RELOADING=1") }
        try service.manager.wait { $0.contains("READY=1") }
        // Mistakes are also logged.
        try Service.configure("[Playback]\nFadeOut=soon\n", in: service.folder)
        service.signal(SIGHUP)
        try service.manager.wait { $0.contains("RELOADING=1") }
        try service.manager.wait { $0.contains("READY=1") }
        service.signal(SIGTERM)
        #expect(service.wait() == 0)
        #expect(service.state()?.intent == "playing")
    }

    private static let text = "[Signal door]\nSource=bus\nEffect=pause\n"

    @Test func fullPipeOfStandardErrorStopsNothing() throws {
        let bus = try MessageBus()
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { ends.forEach { close($0) } }
        let flags = fcntl(ends[1], F_GETFL)
        _ = fcntl(ends[1], F_SETFL, flags | O_NONBLOCK)
        for size in [4096, 1] {
            let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: size)
            while write(ends[1], bytes, bytes.count) > 0 {}
        }
        _ = fcntl(ends[1], F_SETFL, flags)
        let service = try Service(Self.text, bus: "system", environment: bus.environment, errors: ends[1])
        try useEverything(service, bus)
    }

    /// A separate `/run` for the daemon, with a journal that accepts nothing, because its socket is full and no program
    /// reads it.
    private static let journal = """
        import os, socket, sys
        os.makedirs("/run/systemd/journal")
        journal = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        journal.bind("/run/systemd/journal/socket")
        journal.set_inheritable(True)
        others = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        others.setblocking(False)
        try:
            while True:
                others.sendto(b"MESSAGE=of somebody else", "/run/systemd/journal/socket")
        except BlockingIOError:
            pass
        others.set_inheritable(True)
        stream = os.fstat(2)
        os.environ["JOURNAL_STREAM"] = f"{stream.st_dev}:{stream.st_ino}"
        os.execv(sys.argv[1], sys.argv[1:])
        """

    @Test(.enabled(if: geteuid() == 0, "needs a mount namespace")) func fullSocketOfTheJournalStopsNothing() throws {
        let bus = try MessageBus()
        let service = try Service(
            Self.text, bus: "system", environment: bus.environment,
            wrapper: [
                "unshare", "--mount", "/bin/sh", "-c", "mount -t tmpfs none /run && exec \"$@\"", "sh",
                "/usr/bin/python3", "-c", Self.journal,
            ])
        try useEverything(service, bus)
        // The entries were not written to standard error instead.
        #expect(!service.output.contains("["))
    }
}

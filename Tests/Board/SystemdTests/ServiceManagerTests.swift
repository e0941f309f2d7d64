import Glibc
import ServiceLab
import Systemd
import Testing

@Suite(.serialized) struct ServiceManagerTests {
    @Test func managerReceivesEveryNotification() throws {
        let manager = try ServiceSocket()
        setenv("NOTIFY_SOCKET", manager.name, 1)
        defer { unsetenv("NOTIFY_SOCKET") }

        #expect(ServiceManager.notify(.ready, .status("All is\nwell")))
        #expect(manager.receive(within: .zero) == "READY=1\nSTATUS=All is well")
        #expect(ServiceManager.notify(.watchdog))
        #expect(manager.receive(within: .zero) == "WATCHDOG=1")
        #expect(ServiceManager.notify(.reloading))
        #expect(manager.receive(within: .zero)?.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") == true)
        #expect(ServiceManager.notify(.stopping))
        #expect(manager.receive(within: .zero) == "STOPPING=1")
    }

    /// The manager also treats `\r` as the end of a line, and the next line as a separate notification.
    @Test func statusIsOneLineForAnyFileName() throws {
        let manager = try ServiceSocket()
        setenv("NOTIFY_SOCKET", manager.name, 1)
        defer { unsetenv("NOTIFY_SOCKET") }

        let name = "a\rMAINPID=1\r\nWATCHDOG=trigger\u{85}\u{0}b\u{1B}[2J.flac"
        #expect(ServiceManager.attempt(.status("Playing ‘\(name)’")) == .sent)
        let text = try #require(manager.receive(within: .zero))
        #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control })
        #expect(text.hasPrefix("STATUS=Playing ‘a\\x0dMAINPID=1\\x0d\\x0aWATCHDOG=trigger\\x85\\x00b\\x1b[2J.flac’"))
        // The manager ignores messages of 4 KiB or more.
        #expect(ServiceManager.attempt(.ready, .status(String(repeating: "x", count: 100_000))) == .sent)
        let lines = try #require(manager.receive(within: .zero)).split(separator: "\n")
        #expect(lines.map(\.utf8.count) == ["READY=1".utf8.count, "STATUS=".utf8.count + 1024])
    }

    /// `notify` would wait for ever.
    @Test func doesNotWaitForAHungManager() throws {
        let manager = try ServiceSocket()
        setenv("NOTIFY_SOCKET", manager.name, 1)
        defer { unsetenv("NOTIFY_SOCKET") }

        var sent = 0
        while ServiceManager.attempt(.watchdog, .status("All is\nwell")) == .sent, sent < 100_000 { sent += 1 }
        #expect((1..<100_000).contains(sent))
        #expect(ServiceManager.attempt(.watchdog) == .busy)
        #expect(manager.receive(within: .zero) == "WATCHDOG=1\nSTATUS=All is well")
        #expect(ServiceManager.attempt(.watchdog) == .sent)
    }

    @Test func notifyingWithoutAManagerHasNoEffect() {
        unsetenv("NOTIFY_SOCKET")
        #expect(!ServiceManager.notify(.ready))
        #expect(ServiceManager.attempt(.ready) == .nobody)
        setenv("NOTIFY_SOCKET", "@nobody-reads-this", 1)
        defer { unsetenv("NOTIFY_SOCKET") }
        #expect(ServiceManager.attempt(.ready) == .nobody)
        #expect(ServiceManager.watchdogInterval == nil)
    }

    @Test func watchdogOfAnotherProcessIsIgnored() {
        setenv("WATCHDOG_USEC", "3000000", 1)
        defer { unsetenv("WATCHDOG_USEC") }
        #expect(ServiceManager.watchdogInterval == .seconds(3))
        setenv("WATCHDOG_PID", "1", 1)
        defer { unsetenv("WATCHDOG_PID") }
        #expect(ServiceManager.watchdogInterval == nil)
    }
}

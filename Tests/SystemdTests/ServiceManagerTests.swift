import Glibc
import Systemd
import Testing

/// With a socket that plays the service manager.
@Suite(.serialized) struct ServiceManagerTests {
    @Test func theManagerHearsEveryNotice() throws {
        let name = "tacet-test-\(getpid())"
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // An abstract one: a null byte first, and no file.
        withUnsafeMutableBytes(of: &address.sun_path) {
            UnsafeMutableRawBufferPointer(rebasing: $0[1...]).copyBytes(from: name.utf8)
        }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + 1 + name.utf8.count)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) }
        }
        try #require(bound == 0)
        setenv("NOTIFY_SOCKET", "@" + name, 1)
        defer { unsetenv("NOTIFY_SOCKET") }

        #expect(ServiceManager.notify(.ready, .status("All is\nwell")))
        #expect(receive(socket) == "READY=1\nSTATUS=All is well")
        #expect(ServiceManager.notify(.watchdog))
        #expect(receive(socket) == "WATCHDOG=1")
        #expect(ServiceManager.notify(.reloading))
        #expect(receive(socket).hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
        #expect(ServiceManager.notify(.stopping))
        #expect(receive(socket) == "STOPPING=1")
    }

    @Test func nobodyListens() {
        unsetenv("NOTIFY_SOCKET")
        #expect(!ServiceManager.notify(.ready))
        #expect(ServiceManager.watchdogInterval == nil)
    }

    @Test func theWatchdogIsForThisProcess() {
        setenv("WATCHDOG_USEC", "3000000", 1)
        defer { unsetenv("WATCHDOG_USEC") }
        #expect(ServiceManager.watchdogInterval == .seconds(3))
        setenv("WATCHDOG_PID", "1", 1)
        defer { unsetenv("WATCHDOG_PID") }
        #expect(ServiceManager.watchdogInterval == nil)
    }

    private func receive(_ socket: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}

import Clocks
import Glibc
import Systemd
import Testing

@Suite struct EventLoopTests {
    @Test func timerFiresOnceAtItsDeadline() throws {
        let loop = try EventLoop()
        var calls: [Duration] = []
        let timer = try loop.timer { calls.append(SystemClock.monotonic.now) }
        let deadline = SystemClock.monotonic.now + .milliseconds(20)
        timer.deadline = deadline
        while calls.isEmpty { try loop.turn(within: .seconds(5)) }
        #expect(calls[0] >= deadline)
        #expect(try !loop.turn(within: .milliseconds(1)))
        timer.deadline = .zero
        try loop.turn(within: .seconds(5))
        #expect(calls.count == 2)
        timer.deadline = .zero
        timer.deadline = nil
        #expect(try !loop.turn(within: .milliseconds(1)))
    }

    @Test func handlerRunsWhileItsDescriptorIsReadable() throws {
        let loop = try EventLoop()
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        var calls = 0
        var source: EventSource? = try loop.whenReadable(ends[0]) { calls += 1 }
        #expect(try !loop.turn(within: .zero))
        write(ends[1], "x", 1)
        try loop.turn(within: .seconds(5))
        try loop.turn(within: .seconds(5))
        #expect(calls == 2)
        source?.isEnabled = false
        #expect(try !loop.turn(within: .zero))
        source?.isEnabled = true
        var byte: UInt8 = 0
        read(ends[0], &byte, 1)
        close(ends[1])
        // The other side has closed the connection.
        try loop.turn(within: .seconds(5))
        #expect(calls == 3)
        source = nil
        #expect(try !loop.turn(within: .zero))
    }

    /// Between fork and exec, a child has the open files of its parent. In this test, another descriptor takes its
    /// place.
    @Test func descriptorMayBeClosedBeforeItsSourceIsReleased() throws {
        let loop = try EventLoop()
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let child = dup(ends[0])
        defer { close(child) }
        var calls = 0
        var source: EventSource? = try loop.whenReadable(ends[0]) { calls += 1 }
        close(ends[0])
        write(ends[1], "x", 1)
        close(ends[1])
        try loop.turn(within: .seconds(5))
        #expect(calls == 1)
        source = nil
        // If epoll still reported it, sd-event would end the process.
        #expect(try !loop.turn(within: .zero))
        #expect(calls == 1 && source == nil)
    }

    @Test func handlerCanReleaseItsOwnSource() throws {
        let loop = try EventLoop()
        var timer: EventTimer?
        var calls = 0
        timer = try loop.timer {
            timer = nil
            calls += 1
        }
        timer?.deadline = .zero
        try loop.turn(within: .seconds(5))
        #expect(calls == 1 && timer == nil)
    }

    @Test func handlersRunInOrderOfPriority() throws {
        let loop = try EventLoop()
        var calls: [String] = []
        let idle = try loop.timer(priority: .idle) { calls.append("idle") }
        let normal = try loop.timer { calls.append("normal") }
        let important = try loop.timer(priority: .important) { calls.append("important") }
        for timer in [idle, normal, important] { timer.deadline = .zero }
        while try loop.turn(within: .zero) {}
        #expect(calls == ["important", "normal", "idle"])
    }

    @Test func runEndsWithTheCodeOfExit() throws {
        let loop = try EventLoop()
        let timer = try loop.timer { loop.exit(7) }
        timer.deadline = .zero
        #expect(try loop.run() == 7)
    }

    @Test func folderChangesAreReported() throws {
        let folder = try TemporaryFolder()
        let loop = try EventLoop()
        var calls = 0
        var source: EventSource? = try loop.whenFolderChanges(folder.path) { calls += 1 }
        #expect(try !loop.turn(within: .zero))
        let file = folder.path + "/chip"
        close(creat(file, 0o600))
        while calls < 1 { try loop.turn(within: nil) }
        chmod(file, 0o666)
        while calls < 2 { try loop.turn(within: nil) }
        // Neither new content nor removal is reported.
        #expect(unlink(file) == 0)
        while try loop.turn(within: .zero) {}
        #expect(calls == 2)
        source = nil
        close(creat(file, 0o600))
        #expect(try !loop.turn(within: .zero))
        #expect(source == nil)
    }

    @Test func missingFolderCannotBeWatched() throws {
        let loop = try EventLoop()
        #expect(throws: SystemdError("watch /nowhere/at/all", code: ENOENT)) {
            _ = try loop.whenFolderChanges("/nowhere/at/all") {}
        }
    }

    @Test func closedDescriptorIsAnError() throws {
        let loop = try EventLoop()
        #expect(throws: SystemdError("watch a descriptor", code: EBADF)) { _ = try loop.whenReadable(-1) {} }
    }
}

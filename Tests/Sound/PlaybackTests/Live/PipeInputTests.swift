import ALSA
import CAlarm
import Foundation
import SoundLab
import Testing

@testable import Playback

/// Named pipes, and the thread that reads one.
@Suite(.serialized) struct PipeInputTests {
    let folder: TemporaryFolder
    let input = LiveInput("radio")
    let path: String
    let format = LiveFormat(.s16, StreamFormat(rate: 48_000, channels: 2))

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("radio")
    }

    private struct Timeout: Error, CustomStringConvertible {
        let description: String
    }

    /// Evaluates a condition until it holds.
    private func wait(_ what: String, within timeout: Duration = .seconds(10), until isDone: () -> Bool) throws {
        let deadline = ContinuousClock.now + timeout
        while !isDone() {
            guard ContinuousClock.now < deadline else { throw Timeout(description: "no \(what) within \(timeout)") }
            poll(nil, 0, 1)
        }
    }

    /// Waits for a report.
    private func wait(_ pipe: PipeInput, _ what: String, _ isWanted: (InputReport) -> Bool) throws -> InputReport {
        var found: InputReport?
        try wait(what) {
            found = pipe.takeReports().first(where: isWanted) ?? found
            return found != nil
        }
        return try #require(found)
    }

    private func start() throws -> PipeInput {
        let pipe = PipeInput(path, format: format, inputs: [input])
        try wait("pipe") { (try? InputPipe(path, writers: PipeWriters())) != nil && isPipe(path) }
        return pipe
    }

    private func isPipe(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    /// A program that writes to the pipe.
    private final class Writer {
        let descriptor: Int32

        init(_ path: String) throws {
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw Timeout(description: "cannot open \(path)") }
        }

        deinit { close(descriptor) }

        /// Writes bytes, and waits until there is room for them.
        func write(_ bytes: [UInt8]) {
            var done = 0
            while done < bytes.count {
                let count = bytes[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if count <= 0 { return }
                done += count
            }
        }

        /// Writes frames whose left samples are 0.25 and whose right samples are -0.5.
        func write(frames: Int) { write(Writer.frames(frames)) }

        static func frames(_ count: Int) -> [UInt8] {
            (0..<count).flatMap { (_: Int) -> [UInt8] in [0x00, 0x20, 0x00, 0xC0] }
        }
    }

    /// The frames that the input has received and still holds.
    private var received: [(left: Float, right: Float)] {
        let reader = input.buffer.reader
        let end = input.buffer.writeIndex
        return (max(reader.start.value, end - reader.capacity)..<end).map { index in
            let frame = reader.segment(at: index, limit: 1).start
            return (frame[0], frame[1])
        }
    }

    /// True if all frames that the input holds are those of a `Writer`, except for the edges, which the resampler rounds.
    private var isWhole: Bool {
        let frames = received.dropFirst(300).dropLast(300)
        return frames.count > 100 && frames.allSatisfy { abs($0.left - 0.25) < 1e-3 && abs($0.right + 0.5) < 1e-3 }
    }

    @Test func createsAPipeThatTheGroupCanWriteTo() throws {
        let old = umask(0o077)
        defer { umask(old) }
        let pipe = try start()
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_mode & 0o7777 == 0o660)
        #expect(pipe.takeReports().isEmpty)
        #expect(pipe.stop(within: .seconds(5)))
        // The pipe stays for the next start.
        #expect(isPipe(path))
        let again = try start()
        #expect(again.takeReports().isEmpty)
    }

    @Test func assignsThePipeToAGroup() throws {
        // Only root may choose any group.
        let group: gid_t = geteuid() == 0 ? 4321 : getegid()
        let pipe = try InputPipe(path, writers: PipeWriters(group: group))
        defer { withExtendedLifetime(pipe) {} }
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_gid == group)
    }

    @Test func membersOfAnotherGroupMayAlsoWriteToThePipe() throws {
        // A second start finds the pipe as the first one has left it.
        for _ in 0..<2 { _ = try InputPipe(path, writers: PipeWriters(group: getegid(), others: 4322)) }
        var list = [UInt8](repeating: 0, count: 100)
        let count = getxattr(path, "system.posix_acl_access", &list, list.count)
        try #require(count > 0, "\(String(cString: strerror(errno)))")
        // Owner, group, the other group, all groups, and everybody else, each with a tag, permissions and a number.
        let entries = stride(from: 4, to: count, by: 8).map { Array(list[$0..<$0 + 8]) }
        let none: [UInt8] = [0xff, 0xff, 0xff, 0xff]
        let expected: [[UInt8]] = [
            [0x01, 0, 6, 0] + none, [0x04, 0, 6, 0] + none, [0x08, 0, 6, 0, 0xe2, 0x10, 0, 0], [0x10, 0, 6, 0] + none,
            [0x20, 0, 0, 0] + none,
        ]
        #expect(entries == expected)
        var status = stat()
        #expect(lstat(path, &status) == 0 && status.st_mode & 0o7777 == 0o660)
    }

    @Test func refusesWhatIsNotAPipe() throws {
        try folder.write("text", to: "file")
        #expect(mkfifo(folder.path("other"), 0o600) == 0)
        #expect(symlink(folder.path("other"), folder.path("link")) == 0)
        try folder.makeFolder("folder")
        for name in ["file", "link", "folder"] {
            let error = thrown(InputError.self) { try InputPipe(folder.path(name), writers: PipeWriters()) }
            #expect(error?.problem == .isOther)
        }
        #expect(try folder.bytes(of: "file") == Array("text".utf8))
        let missing = thrown(InputError.self) { try InputPipe(folder.path("none/radio"), writers: PipeWriters()) }
        #expect(missing?.problem == .create && missing?.code == ENOENT)
        #expect(missing?.description.hasSuffix("because its folder does not exist") == true)
    }

    @Test func reportsAFullDiskWhenThePipeIsCreated() {
        let error = thrown(InputError.self) {
            try InputPipe(path, writers: PipeWriters()) { _, _ in
                errno = ENOSPC
                return -1
            }
        }
        #expect(error?.description == "cannot create the pipe \(path): No space left on device")
    }

    @Test func deliversWhatAWriterWritesAndReportsItsBeginAndEnd() throws {
        let pipe = try start()
        let begin = SystemTime.now
        let writer = try Writer(path)
        writer.write(frames: 24_000)
        let arrived = try wait(pipe, "arrival") { if case .arrived = $0 { true } else { false } }
        guard case .arrived(let first) = arrived else { return }
        #expect(first >= begin && first <= SystemTime.now)
        try wait("frames") { pipe.statistics.frames == 24_000 }
        let ceased = try wait(pipe, "end") { if case .ceased = $0 { true } else { false } }
        guard case .ceased(let last) = ceased else { return }
        // The end is reported with the time of the last bytes, which the writer had to wait for.
        #expect(last > first && SystemTime.now - last >= PipeInput.pause.wholeNanoseconds)
        #expect(received.count > 20_000 && isWhole)
        #expect(pipe.statistics.underruns == 0)
        withExtendedLifetime(writer) {}
    }

    @Test func aWriterThatIsFasterThanRealTimeIsHeldUp() throws {
        let pipe = try start()
        let writer = try Writer(path)
        let begin = SystemTime.now
        writer.write(frames: 48_000)
        // The pipe and the buffer hold well below 700 ms of this second.
        let held = Double(SystemTime.now - begin) / 1e9
        #expect(held > 0.25)
        try wait("frames") { pipe.statistics.frames == 48_000 }
        #expect(pipe.statistics.speed == 0 && pipe.statistics.discardedAtStart == 0)
        withExtendedLifetime(writer) {}
    }

    @Test func halfAFrameAtTheEndOfAWriterIsDropped() throws {
        let pipe = try start()
        for rest in 1...3 {
            let writer = try Writer(path)
            writer.write(Writer.frames(960) + [0x7F, 0x7F, 0x7F].prefix(rest))
            _ = consume writer
            // The next writer opens the pipe after the thread has noticed the end of this one.
            let turns = pipe.turns
            try wait("turn") { pipe.statistics.frames == 960 * rest && pipe.turns > turns }
        }
        let writer = try Writer(path)
        writer.write(frames: 9600)
        try wait("frames") { pipe.statistics.frames == 960 * 3 + 9600 }
        let deadline = SystemTime.now + 1_000_000_000
        try wait("stream") { input.buffer.writeIndex > 0 || SystemTime.now > deadline }
        #expect(isWhole)
        withExtendedLifetime(writer) {}
    }

    @Test func writersThatOpenAndCloseQuicklyCauseLittleWork() throws {
        let pipe = try start()
        let (begin, turns) = (SystemTime.now, pipe.turns)
        for number in 0..<1000 {
            let writer = try Writer(path)
            if number % 2 == 0 { writer.write(frames: 1) }
            _ = consume writer
        }
        let milliseconds = (SystemTime.now - begin) / 1_000_000
        // There are two waits in each turn, and a turn takes 5 ms.
        #expect(pipe.turns - turns < 2 * milliseconds / 5 + 20)
        let writer = try Writer(path)
        let before = pipe.statistics.frames
        writer.write(frames: 4800)
        try wait("frames") { pipe.statistics.frames >= before + 4800 }
        #expect(pipe.takeReports().allSatisfy { if case .failed = $0 { false } else { true } })
        withExtendedLifetime(writer) {}
    }

    @Test func twoWritersAtOnceAreBothRead() throws {
        let pipe = try start()
        let (one, other) = (try Writer(path), try Writer(path))
        for _ in 0..<20 {
            one.write(frames: 480)
            other.write(frames: 480)
        }
        try wait("frames") { pipe.statistics.frames == 19_200 }
        #expect(isWhole)
        withExtendedLifetime((one, other)) {}
    }

    @Test func aPipeThatIsRemovedIsCreatedAgain() throws {
        let pipe = try start()
        let old = try Writer(path)
        old.write(frames: 480)
        try wait("frames") { pipe.statistics.frames == 480 }
        #expect(unlink(path) == 0)
        try wait("new pipe") { isPipe(path) }
        let writer = try Writer(path)
        writer.write(frames: 480)
        try wait("frames") { pipe.statistics.frames == 960 }
        withExtendedLifetime((old, writer)) {}
    }

    @Test func reportsWhatReplacesThePipeUntilItIsRemoved() throws {
        let pipe = try start()
        try folder.write("text", to: "text")
        #expect(rename(folder.path("text"), path) == 0)
        let failed = try wait(pipe, "failure") { if case .failed = $0 { true } else { false } }
        #expect(failed == .failed(InputError(path, .isOther, code: 0)))
        #expect(unlink(path) == 0)
        #expect(try wait(pipe, "return") { $0 == .returned } == .returned)
        try wait("pipe") { isPipe(path) }
    }

    @Test func aFolderThatAppearsLaterEndsTheFailure() throws {
        let late = folder.path("late/radio")
        let pipe = PipeInput(late, format: format, inputs: [input])
        let failed = try wait(pipe, "failure") { if case .failed = $0 { true } else { false } }
        #expect(failed == .failed(InputError(late, .create, code: ENOENT)))
        try folder.makeFolder("late")
        #expect(try wait(pipe, "return") { $0 == .returned } == .returned)
    }

    @Test func anIdlePipeDoesNotWakeTheProcess() throws {
        let idle = PipeInput(folder.path("idle"), format: format, inputs: [LiveInput("idle")])
        try wait("pipe") { isPipe(folder.path("idle")) }
        let pipe = try start()
        // Creating the second pipe changes the folder of the first.
        var turns = -1
        try wait("rest") {
            defer { turns = idle.turns }
            poll(nil, 0, 20)
            return turns == idle.turns
        }
        let writer = try Writer(path)
        writer.write(frames: 24_000)
        try wait("frames") { pipe.statistics.frames == 24_000 }
        _ = try wait(pipe, "end") { if case .ceased = $0 { true } else { false } }
        #expect(idle.turns == turns)
        #expect(idle.stop(within: .seconds(5)))
        withExtendedLifetime(writer) {}
    }
}

/// The time on CLOCK_MONOTONIC in nanoseconds.
private enum SystemTime {
    static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}

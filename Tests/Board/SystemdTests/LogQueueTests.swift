import Glibc
import Synchronization
import Testing
import Threads

@testable import Systemd

/// A log with a stuck reader, which is a real pipe that no thread reads.
@Suite struct LogQueueTests {
    private final class Pipe: Sendable {
        let reader: Int32
        let writer: Int32

        init() throws {
            var ends: [Int32] = [0, 0]
            try #require(pipe(&ends) == 0)
            (reader, writer) = (ends[0], ends[1])
        }

        deinit {
            close(reader)
            close(writer)
        }

        /// Writes until the pipe is full.
        func fill() {
            let flags = fcntl(writer, F_GETFL)
            _ = fcntl(writer, F_SETFL, flags | O_NONBLOCK)
            for size in [4096, 1] {
                let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: size)
                while write(writer, bytes, bytes.count) > 0 {}
            }
            _ = fcntl(writer, F_SETFL, flags)
        }

        /// Reads until `end` has been read.
        func lines(until end: String) -> [String] {
            var text = ""
            var bytes = [UInt8](repeating: 0, count: 65_536)
            while !text.hasSuffix(end + "\n") {
                let count = read(reader, &bytes, bytes.count)
                guard count > 0 else { break }
                text += String(decoding: bytes.prefix(count), as: UTF8.self)
            }
            return text.split(separator: "\n").map(String.init)
        }
    }

    /// - Parameter began: a wake-up that is signalled when the first entry is being written.
    private func queue(_ pipe: Pipe, _ began: WakeUp = WakeUp()) -> LogQueue<String> {
        LogQueue("test-log") { text, _ in
            began.ring()
            let line = Array((text + "\n").utf8)
            _ = write(pipe.writer, line, line.count)
        } describeLoss: {
            "lost \($0)"
        }
    }

    @Test func entriesAreWrittenInOrder() throws {
        let pipe = try Pipe()
        let queue = queue(pipe)
        for number in 0..<100 { queue.add("\(number)", size: 10) }
        #expect(queue.flush(within: .seconds(60)))
        #expect(pipe.lines(until: "99") == (0..<100).map(String.init))
    }

    @Test func stuckReaderDoesNotBlockWritersAndLostEntriesAreCounted() throws {
        let pipe = try Pipe()
        pipe.fill()
        let began = WakeUp()
        let queue = queue(pipe, began)
        // The thread takes the first entry, and there is room for 1024 more.
        queue.add("0", size: 10)
        #expect(began.wait(.seconds(60)))
        for number in 1..<3000 { queue.add("\(number)", size: 10) }
        #expect(!queue.flush(within: .zero))
        let lines = Mutex<[String]>([])
        let reader = pthread(reading: { lines.withLock { $0 = pipe.lines(until: "end") } })
        #expect(queue.flush(within: .seconds(60)))
        queue.add("end", size: 10)
        reader()
        let read = lines.withLock { $0 }
        let written = read.compactMap(Int.init)
        // The first entries are in order, and the number of those that did not fit follows.
        #expect(written == Array(0..<1025))
        #expect(read.dropFirst(written.count) == ["lost 1975", "end"])
    }

    @Test func queuedBytesAreLimited() throws {
        let pipe = try Pipe()
        pipe.fill()
        let began = WakeUp()
        let queue = queue(pipe, began)
        // The thread takes the first entry, and there is room for three more.
        queue.add("0", size: 300 << 10)
        #expect(began.wait(.seconds(60)))
        for number in 1..<10 { queue.add("\(number)", size: 300 << 10) }
        // There is room for a small entry after the entry with the number of lost ones.
        queue.add("small", size: 10)
        let lines = Mutex<[String]>([])
        let reader = pthread(reading: { lines.withLock { $0 = pipe.lines(until: "end") } })
        #expect(queue.flush(within: .seconds(60)))
        queue.add("end", size: 10)
        reader()
        let read = lines.withLock { $0 }
        let written = read.compactMap(Int.init)
        #expect(written == [0, 1, 2, 3])
        #expect(read.dropFirst(written.count) == ["lost 6", "small", "end"])
    }

    /// Runs a function on another thread.
    /// - Returns: a function that waits for its end.
    private func pthread(reading body: @escaping @Sendable () -> Void) -> () -> Void {
        let thread = NativeThread("test-reader", body)
        return { while thread?.join(within: .seconds(60)) == false {} }
    }
}

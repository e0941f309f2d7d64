import Glibc
import Synchronization
import Testing
import Threads

@testable import Systemd

/// A log whose reader is stuck: a real pipe that nobody reads.
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

        /// Writes until there is no room.
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

    private func queue(_ pipe: Pipe) -> LogQueue<String> {
        LogQueue("test-log") { text, _ in
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

    @Test func stuckReaderStopsNobodyAndWhatIsLostIsCounted() throws {
        let pipe = try Pipe()
        pipe.fill()
        let queue = queue(pipe)
        for number in 0..<3000 { queue.add("\(number)", size: 10) }
        #expect(!queue.flush(within: .zero))
        let lines = Mutex<[String]>([])
        let reader = pthread(reading: { lines.withLock { $0 = pipe.lines(until: "end") } })
        #expect(queue.flush(within: .seconds(60)))
        queue.add("end", size: 10)
        reader()
        let read = lines.withLock { $0 }
        let written = read.compactMap(Int.init)
        // The first ones, in order; then how many there was no room for.
        #expect(written == Array(0..<written.count) && (1024...1025).contains(written.count))
        #expect(read.dropFirst(written.count) == ["lost \(3000 - written.count)", "end"])
    }

    @Test func bytesAreLimitedToo() throws {
        let pipe = try Pipe()
        pipe.fill()
        let queue = queue(pipe)
        for number in 0..<10 { queue.add("\(number)", size: 300 << 10) }
        // There is room for a small one, after the number of those that are lost.
        queue.add("small", size: 10)
        let lines = Mutex<[String]>([])
        let reader = pthread(reading: { lines.withLock { $0 = pipe.lines(until: "end") } })
        #expect(queue.flush(within: .seconds(60)))
        queue.add("end", size: 10)
        reader()
        let read = lines.withLock { $0 }
        let written = read.compactMap(Int.init)
        #expect(written == Array(0..<written.count) && (3...4).contains(written.count))
        #expect(read.dropFirst(written.count) == ["lost \(10 - written.count)", "small", "end"])
    }

    /// Runs on another thread.
    /// - Returns: waits for its end.
    private func pthread(reading body: @escaping @Sendable () -> Void) -> () -> Void {
        let thread = NativeThread("test-reader", body)
        return { while thread?.join(within: .seconds(60)) == false {} }
    }
}

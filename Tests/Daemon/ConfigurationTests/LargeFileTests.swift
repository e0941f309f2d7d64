import Foundation
import Glibc
import Testing

@testable import Configuration

/// Files that are too large to have been written by a person.
@Suite("Files with very many lines")
struct LargeFileTests {
    /// Lines that each cause a mistake or a warning, by a number.
    static let lines: [@Sendable (Int) -> String] = [
        { "K\($0)=1" }, { "[Signal s\($0)]" }, { "[Nothing\($0)]" }, { "neither a key nor a heading \($0)" },
        { "[Signal s\($0 % 7)]\nDebounce=1ms" }, { _ in "Category=playback" },
    ]

    private func diagnostics(_ line: (Int) -> String, _ count: Int) -> [Diagnostic] {
        let text = "[Session]\n" + (0..<count).map(line).joined(separator: "\n")
        let attempt = ConfigurationAttempt([ConfigurationText(path: "a.conf", bytes: Array(text.utf8))])
        do throws(ConfigurationError) { return try attempt.get().warnings } catch { return error.diagnostics }
    }

    @Test("Only the first errors and warnings are listed", arguments: lines.indices)
    func messagesAreBounded(kind: Int) {
        let found = diagnostics(Self.lines[kind], 3000)
        for severity in [Diagnostic.Severity.error, .warning] {
            let list = found.filter { $0.severity == severity }
            #expect(list.count <= 101)
            #expect(
                list.count <= 100
                    || list.last?.message == "there are more than 100 \(severity)s, so the rest is not listed")
        }
        #expect(!found.isEmpty)
    }

    @Test("Warnings do not hide an error")
    func errorAfterWarnings() {
        let found = diagnostics({ $0 < 2999 ? "Category=playback" : "Kategory=playback" }, 3000)
        #expect(found.contains { $0.message == "unknown key ‘Kategory’ in [Session]" })
    }

    /// The processor time of this thread.
    private var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Returns the processor time for a file with this many lines.
    private func time(_ line: (Int) -> String, _ count: Int) -> Duration {
        let text = "[Session]\n" + (0..<count).map(line).joined(separator: "\n")
        let texts = [ConfigurationText(path: "a.conf", bytes: Array(text.utf8))]
        let times = (0..<3).map { _ in
            let start = processorTime
            _ = ConfigurationAttempt(texts)
            return processorTime - start
        }
        return times.min() ?? .zero
    }

    /// With quadratic work, 16 times as many lines take 256 times as long.
    @Test("The work grows at most with the number of lines", arguments: lines.indices)
    func workIsLinear(kind: Int) {
        let (few, many) = (time(Self.lines[kind], 500), time(Self.lines[kind], 8000))
        #expect(many < few * 48, "\(few), \(many)")
    }
}

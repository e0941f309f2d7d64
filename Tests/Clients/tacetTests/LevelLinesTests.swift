import Testing

@testable import tacet

@Suite struct LevelLinesTests {
    @Test func linesOfOneDigitAreLevels() {
        var lines = LevelLines()
        #expect(lines.read("1\n 0 \r\n".utf8) == [.level(true), .level(false)])
        #expect(lines.read("  1".utf8) == [])
        #expect(
            lines.read("\n10\n\nGet bit error\n".utf8) == [
                .level(true), .other("10"), .other(""), .other("Get bit error"),
            ])
    }

    @Test func longLineIsCutAndIsNotALevel() {
        var lines = LevelLines()
        #expect(lines.read(String(repeating: " ", count: 100_000).utf8) == [])
        #expect(lines.read("1\n0\n".utf8) == [.other(String(repeating: " ", count: 80)), .level(false)])
    }
}

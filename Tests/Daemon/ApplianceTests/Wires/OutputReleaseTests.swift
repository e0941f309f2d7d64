import AudioSession
import Configuration
import Foundation
import Synchronization
import Testing

@testable import Appliance
@testable import GPIO

/// The levels of the outputs while the daemon does not run, on a board whose kernel keeps them, as a Raspberry Pi's does.
@Suite final class OutputReleaseTests {
    private let board = FakeOutputs(["AMP", "LAMP"])
    private let folder = FileManager.default.temporaryDirectory.path + "/tacet-outputs-\(UUID().uuidString)"
    private var source: ConfigurationSource { .file(folder + "/tacet.conf") }
    private let text = """
        [Output amplifier]
        Means=playing
        Line=AMP
        [Output lamp]
        Means=interrupted
        Line=LAMP
        ActiveLow=yes

        """

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try write(text)
        board.dies(with: ["AMP": true, "LAMP": false])
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func write(_ text: String) throws {
        try (text + "[State]\nDirectory=\(folder)\n").write(
            toFile: folder + "/tacet.conf", atomically: true, encoding: .utf8)
    }

    private func host(pause: @escaping @Sendable (Duration) -> Void = { _ in }) -> OutputRelease.Host {
        OutputRelease.Host(
            scan: { [board] in board.scan() },
            writer: { [board] in LineWriter(consumer: "test", system: board) }, pause: pause,
            wait: { _, thread, _ in thread.takeOutcome(within: nil) })
    }

    private func release(_ host: OutputRelease.Host) throws -> [UnreleasedOutput] {
        try OutputRelease.run(source, on: host, serviceDirectory: nil)
    }

    @Test func outputsOfADeadDaemonAreDeasserted() throws {
        #expect(try release(host()).isEmpty)
        #expect(board.kept == ["AMP": false, "LAMP": true] && board.levels.isEmpty)
    }

    @Test func aMissingLineIsReportedAndTheOthersAreDeasserted() throws {
        try write(text + "[Output other]\nMeans=healthy\nLine=NOWHERE\n")
        let problems = try release(host { _ in Issue.record("there is nothing to wait for") })
        #expect(problems.map(\.output.policy.id) == ["other"], "\(problems)")
        #expect(board.kept == ["AMP": false, "LAMP": true])
        let entry = try #require(problems.first).entry
        #expect(entry.event == .outputNotReleased && entry[.output] == ["other"])
        #expect(
            entry.message.hasPrefix("The output other (NOWHERE) may still be asserted, because"), "\(entry.message)")
    }

    @Test func aBusyLineIsRequestedAgainUntilItIsFree() throws {
        board.holders = ["AMP": "tacet"]
        let pauses = Mutex<[Duration]>([])
        let problems = try release(
            host { [board] pause in
                let count = pauses.withLock {
                    $0.append(pause)
                    return $0.count
                }
                if count == 2 { board.holders = [:] }
            })
        #expect(problems.isEmpty && board.kept == ["AMP": false, "LAMP": true])
        #expect(pauses.withLock { $0 } == [.milliseconds(50), .milliseconds(100)])
    }

    /// The line may belong to a running daemon.
    @Test func aLineThatStaysBusyIsGivenUpAndTheOthersAreDeasserted() throws {
        board.holders = ["AMP": "gpioset"]
        let total = Mutex(Duration.zero)
        let problems = try release(host { pause in total.withLock { $0 += pause } })
        #expect(problems.map(\.output.policy.id) == ["amplifier"])
        #expect(problems.first?.reason.contains("gpioset") == true, "\(problems)")
        #expect(board.kept == ["AMP": true, "LAMP": true])
        #expect(total.withLock { $0 } == .milliseconds(750))
    }

    @Test func aChipThatDoesNotAnswerDelaysNoOtherChip() throws {
        try write("[Output relay]\nMeans=healthy\nLine=RELAY\n" + text)
        let expander = StuckExpander(beside: board)
        defer { expander.answer() }
        let problems = try release(
            OutputRelease.Host(
                scan: { expander.scan() }, writer: { LineWriter(consumer: "test", system: expander) },
                wait: { path, thread, timeout in
                    #expect(timeout <= .seconds(2))
                    guard path == StuckExpander.path else { return thread.takeOutcome(within: nil) }
                    expander.waitUntilAsked()
                    return thread.takeOutcome(within: .zero)
                }))
        #expect(problems.map(\.words) == ["output relay: /dev/gpiochip2 did not answer within 2 s"])
        #expect(board.kept == ["AMP": false, "LAMP": true])
    }

    /// Another configuration may have been written since the dead daemon has read its own.
    @Test func theLinesOfTheLastConfigurationThatWorkedAreDeassertedAsWell() throws {
        try KeptConfiguration(try Configuration.load(source), from: source, at: .zero).write(to: folder)
        try write("[Output amplifier]\nMeans=playing\nLine=AMP\n")
        #expect(try release(host()).isEmpty)
        #expect(board.kept == ["AMP": false, "LAMP": true])
    }

    @Test func mistakesLeaveTheLastConfigurationThatWorked() throws {
        try KeptConfiguration(try Configuration.load(source), from: source, at: .zero).write(to: folder)
        try write("[Output amplifier]\nMeans=nonsense\n")
        #expect(try release(host()).isEmpty)
        #expect(board.kept == ["AMP": false, "LAMP": true])
    }
}

/// A board with a second chip, whose line RELAY cannot be requested until `answer` is called.
private final class StuckExpander: OutputSystem, @unchecked Sendable {
    static let path = "/dev/gpiochip2"
    private let board: FakeOutputs
    private let asked = DispatchSemaphore(value: 0)
    private let gate = DispatchSemaphore(value: 0)

    init(beside board: FakeOutputs) { self.board = board }

    func waitUntilAsked() { asked.wait() }
    func answer() { gate.signal() }

    func realPath(_ path: String) -> String { path }

    func scan() -> Board {
        let line = LineInfo(offset: 0, name: "RELAY", isUsed: false, consumer: nil)
        let chip = ChipInfo(path: Self.path, name: "gpiochip2", label: "expander", lines: [line])
        return Board(chips: board.scan().chips + [chip])
    }

    func request(_ line: OutputSetting, of path: String, consumer: String) throws(GPIOError) -> any DrivenOutput {
        guard path == Self.path else { return try board.request(line, of: path, consumer: consumer) }
        asked.signal()
        gate.wait()
        throw .system(EIO, "request", path)
    }
}

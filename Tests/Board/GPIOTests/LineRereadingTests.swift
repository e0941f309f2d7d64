import Glibc
import Signals
import Testing

@testable import GPIO

/// Edges that the kernel or the hardware loses, and chips that do not report any.
@Suite struct LineRereadingTests {
    private let main = "/dev/gpiochip0"
    private let system = FakeSystem([.fake(0, "main", ["PHONE_CALL", "ALARM"])])
    private let wanted = [
        WantedLine("phone", .named("PHONE_CALL", chip: nil), poll: .milliseconds(50)),
        WantedLine("alarm", .named("ALARM", chip: nil)),
    ]

    private func reader() -> LineReader<String> {
        let reader = LineReader(wanted, consumer: "test", system: system)
        _ = reader.acquire()
        return reader
    }

    private func reread(_ reader: LineReader<String>) -> [String] {
        reader.reread().map { change in
            guard case .turned(let level) = change.state else { return "\(change.id) missing" }
            return "\(change.id) \(level ? 1 : 0)\(change.isRepaired ? " repaired" : "")"
        }
    }

    @Test func lostEdgeIsRepairedOnceItsLevelIsFoundTwice() {
        let reader = reader()
        system.levels[main] = [0: true]
        #expect(reread(reader) == [] && reader.isSuspicious && reader.repairs == 0)
        #expect(reread(reader) == ["phone 1 repaired"])
        #expect(reader.level(of: "phone") == true && reader.repairs == 1 && !reader.isSuspicious)
        #expect(reread(reader) == [])
    }

    @Test func edgeThatArrivesLateIsNotLost() {
        let reader = reader()
        system.levels[main] = [0: true]
        #expect(reread(reader) == [])
        system.edge(main, 0, true, at: .seconds(1))
        #expect(reread(reader) == ["phone 1"])
        #expect(reader.repairs == 0 && !reader.isSuspicious)
    }

    @Test func edgeBetweenTheReadingsIsNotLost() throws {
        let reader = reader()
        let lines = try #require(system.lines(of: main).first)
        // The level changes, and its edge is queued, after the queue was read but before the levels are.
        system.levels[main] = [0: true]
        lines.onLevels = { [main, system] in
            lines.onLevels = {}
            system.edge(main, 0, true, at: .seconds(1))
        }
        #expect(reread(reader) == ["phone 1"])
        #expect(!reader.isSuspicious)
    }

    @Test func pulseThatIsOverIsNotRepaired() {
        let reader = reader()
        system.levels[main] = [0: true]
        #expect(reread(reader) == [])
        system.levels[main] = [0: false]
        #expect(reread(reader) == [] && !reader.isSuspicious && reader.repairs == 0)
    }

    @Test func lossOfTheChipIsFoundByRereading() throws {
        let reader = reader()
        try #require(system.lines(of: main).first).failure = ENODEV
        #expect(reread(reader) == ["phone missing", "alarm missing"])
        #expect(reader.isIncomplete)
    }

    @Test(arguments: [ENXIO, ENODEV, EOPNOTSUPP, EINVAL]) func chipWithoutEdgesIsPolled(code: Int32) {
        system.edgeless[main] = code
        let reader = reader()
        #expect(!reader.isIncomplete && reader.problems.isEmpty)
        // Both lines are read together, as often as the most demanding one requires.
        #expect(reader.polling(of: "phone")?.interval == .milliseconds(20))
        #expect(reader.polling(of: "phone")?.reason == String(errno: code))
        #expect(system.requests == [[0, 1]])
    }

    @Test func chipThatLosesItsEdgesIsPolledWhenItReturns() throws {
        let reader = reader()
        #expect(reader.polling(of: "phone") == nil)
        try #require(system.lines(of: main).first).failure = ENODEV
        _ = reader.readChanges()
        system.edgeless[main] = ENXIO
        _ = reader.acquire()
        #expect(reader.polling(of: "phone") != nil && !reader.isIncomplete)
    }

    @Test func failureOfThePollIsTheProblem() {
        system.edgeless[main] = ENXIO
        system.refusals[main] = [0: EBUSY]
        let reader = reader()
        #expect(reader.problems["phone"]?.reason == .busy(consumer: nil))
        #expect(reader.polling(of: "alarm") != nil)
    }

    @Test func otherErrorsAreNotMistakenForMissingEdges() {
        system.edgeless[main] = EACCES
        let reader = reader()
        #expect(reader.problems["phone"]?.reason == .permission && system.requests.isEmpty)
    }
}

@Suite struct PolledLevelsTests {
    private func levels() -> PolledLevels {
        PolledLevels(of: "/dev/gpiochip0", [3, 5], [false, false], every: .milliseconds(20))
    }

    private var failure: GPIOError { .system(EIO, "read the lines of", "/dev/gpiochip0") }

    @Test func changeIsQueuedWithTheTimeOfItsReading() throws {
        var lines = levels()
        let unchanged = lines.finish(.success([false, false]), at: .seconds(1))
        #expect(!unchanged)
        let changed = lines.finish(.success([false, true]), at: .seconds(2))
        #expect(changed)
        #expect(try lines.takeEdges() == [ChipEdge(offset: 5, level: true, time: .seconds(2))])
        #expect(try lines.takeEdges().isEmpty)
        #expect(try lines.levels(at: .seconds(2)) == [false, true])
    }

    @Test func disturbanceOfTheBusIsNotALoss() throws {
        var lines = levels()
        for _ in 1..<PolledLevels.mostFailures {
            let isNews = lines.finish(.failure(failure), at: .zero)
            #expect(!isNews)
        }
        _ = lines.finish(.success([true, false]), at: .zero)
        #expect(lines.loss == nil)
        #expect(try lines.takeEdges().count == 1)
    }

    @Test func repeatedFailureIsALossAfterTheLastChange() throws {
        var lines = levels()
        _ = lines.finish(.success([true, false]), at: .zero)
        for _ in 0..<PolledLevels.mostFailures { _ = lines.finish(.failure(failure), at: .zero) }
        #expect(lines.loss == failure)
        #expect(try lines.takeEdges().count == 1)
        #expect(throws: failure) { try lines.takeEdges() }
    }

    @Test func removalIsALossAtOnce() {
        var lines = levels()
        let removal = GPIOError.system(ENODEV, "read the lines of", "/dev/gpiochip0")
        let isNews = lines.finish(.failure(removal), at: .zero)
        #expect(isNews && lines.loss == removal)
    }

    @Test func readingThatDoesNotReturnIsALoss() throws {
        var lines = levels()
        lines.begin(at: .seconds(10))
        #expect(try lines.levels(at: .seconds(11)) == [false, false])
        #expect(throws: GPIOError.self) { try lines.levels(at: .milliseconds(11_001)) }
        _ = lines.finish(.success([false, false]), at: .seconds(12))
        #expect(try lines.levels(at: .seconds(13)) == [false, false])
    }

    @Test func slowBusIsReadLessOften() {
        let lines = levels()
        #expect(lines.pause(after: .milliseconds(1)) == .milliseconds(19))
        #expect(lines.pause(after: .milliseconds(50)) == .milliseconds(150))
    }
}

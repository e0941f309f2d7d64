import Signals
import Testing

@testable import GPIO

@Suite struct LineReaderTests {
    private let main = "/dev/gpiochip0"
    private let extra = "/dev/gpiochip1"
    private let system = FakeSystem([
        .fake(0, "main", ["PHONE_CALL", "ALARM", "COVER"]), .fake(1, "extra", ["DOOR"]),
    ])
    private let all = [
        WantedLine("phone", .named("PHONE_CALL", chip: nil)),
        WantedLine("alarm", .offset(1, chip: "main")),
        WantedLine("door", .named("DOOR", chip: nil)),
    ]

    private func reader(_ wanted: [WantedLine<String>]? = nil) -> LineReader<String> {
        LineReader(wanted ?? all, consumer: "test", system: system)
    }

    /// Acquires the missing lines, and returns each with its level or the reason why it is still missing.
    private func acquire(_ reader: LineReader<String>) -> [String] {
        let missing = reader.wanted.map(\.id).filter { reader.level(of: $0) == nil }
        let found = reader.acquire()
        return missing.compactMap { id in
            if let change = found.first(where: { $0.id == id }) { return text(change, of: reader) }
            return reader.problems[id].map { "\(id) \($0.reason)" }
        }
    }

    private func read(_ reader: LineReader<String>, readsLevels: Bool = false) -> [String] {
        reader.readChanges(readsLevels: readsLevels).map { text($0, of: reader) }
    }

    private func text(_ change: LevelChange<String>, of reader: LineReader<String>) -> String {
        switch change.state {
        case .turned(let level): "\(change.id) \(level ? 1 : 0) \(change.time ?? .zero)"
        case .found(let level): "\(change.id) \(level ? 1 : 0)"
        case .missing: "\(change.id) \(reader.problems[change.id].map { "\($0.reason)" } ?? "")"
        }
    }

    @Test func acquiringReportsLevels() {
        system.levels = [main: [1: true]]
        let reader = reader()
        #expect(reader.descriptors.isEmpty && reader.isIncomplete)
        #expect(acquire(reader) == ["phone 0", "alarm 1", "door 0"])
        // There is one request for each chip, so that its levels are read at the same time.
        #expect(system.requests == [[0, 1], [0]])
        #expect(reader.descriptors == [0, 1] && !reader.isIncomplete && reader.problems.isEmpty)
        #expect(reader.acquire().isEmpty && system.requests.count == 2)
    }

    @Test func sortsEdgesOfSeveralChipsByTime() {
        let reader = reader()
        _ = reader.acquire()
        system.edge(main, 0, true, at: .seconds(3))
        system.edge(main, 1, true, at: .seconds(5))
        system.edge(extra, 0, true, at: .seconds(4))
        #expect(read(reader) == ["phone 1 3.0 seconds", "door 1 4.0 seconds", "alarm 1 5.0 seconds"])
        #expect(reader.level(of: "door") == true)
        #expect(read(reader).isEmpty)
    }

    /// The kernel does not record edges while the system is suspended.
    @Test func readsLevelsAgainWhenEdgesAreMissing() {
        let reader = reader()
        _ = reader.acquire()
        system.levels = [main: [1: true]]
        system.now = .seconds(9)
        #expect(read(reader).isEmpty)
        #expect(read(reader, readsLevels: true) == ["alarm 1 9.0 seconds"])
        #expect(read(reader, readsLevels: true).isEmpty && reader.level(of: "alarm") == true)
    }

    /// The kernel queues edges from the time of the request, and the reader reads the levels a moment later.
    @Test func dropsEdgesOlderThanTheLevelReading() {
        let reader = reader()
        system.now = .seconds(10)
        _ = reader.acquire()
        system.edge(main, 0, true, at: .seconds(9))
        system.edge(main, 0, false, at: .seconds(10))
        system.edge(main, 0, true, at: .seconds(11))
        #expect(read(reader) == ["phone 1 11.0 seconds"])
    }

    @Test func acquiresTheOthersWhenOneLineIsBusy() {
        system.refusals = [main: [1: 16]]
        system.chips[0].lines[1].consumer = "gpiomon"
        let wanted =
            all + [WantedLine("ghost", .named("GHOST", chip: nil)), WantedLine("cover", .offset(2, chip: main))]
        let reader = reader(wanted)
        #expect(
            acquire(reader) == [
                "phone 0", "alarm \(GPIOError.Reason.busy(consumer: "gpiomon"))", "door 0", "ghost lineNotFound",
                "cover 0",
            ])
        #expect(system.requests == [[0, 1, 2], [0], [1], [2], [0]])
        #expect(
            reader.problems["alarm"]?.description.hasPrefix(
                "cannot request ALARM (line 1 of gpiochip0): Device or resource busy: in use by ‘gpiomon’. ") == true)

        system.refusals = [:]
        #expect(acquire(reader) == ["alarm 0", "ghost lineNotFound"])
        #expect(reader.problems.keys.sorted() == ["ghost"])
    }

    /// The listing may be out of date, so the reader also tries a used line, but not together with the free ones.
    @Test func requestsAUsedLineSeparately() {
        system.chips[0].lines[1].isUsed = true
        _ = reader().acquire()
        #expect(system.requests == [[0], [1], [0]])
    }

    @Test func rejectsASecondNameForTheSameLine() {
        let twice = [all[0], WantedLine("ring", .offset(0, chip: "gpiochip0"))]
        let reader = reader(twice)
        #expect(acquire(reader) == ["phone 0", "ring duplicate"])
        #expect(
            reader.problems["ring"]?.description
                == "cannot request line 0 of gpiochip0: PHONE_CALL (line 0 of gpiochip0) "
                + "is already used as phone. A line can have only one use, so specify another line")
        // The duplicate is also rejected later, when the first name holds the line.
        #expect(acquire(reader) == ["ring duplicate"])
    }

    @Test func acquiresLinesAgainWhenTheChipReturnsWithAnotherNumber() {
        let reader = reader()
        _ = reader.acquire()
        system.lines(of: main).forEach { $0.failure = 19 }
        system.edge(extra, 0, true, at: .seconds(1))
        let lost = read(reader)
        #expect(lost == ["door 1 1.0 seconds", "phone unavailable", "alarm unavailable"])
        #expect(
            reader.problem(of: "phone") == "cannot read the edges of PHONE_CALL (line 0 of gpiochip0): "
                + "No such device. Check the chip's connection and power, and the kernel log "
                + "(`dmesg`)")
        #expect(system.lines(of: main).isEmpty, "released")
        #expect(reader.descriptors == [1] && reader.isIncomplete && reader.level(of: "phone") == nil)

        let chip = system.chips.removeFirst()
        #expect(acquire(reader) == ["phone lineNotFound", "alarm chipNotFound"])
        #expect(read(reader).isEmpty)

        system.chips.append(.fake(7, chip.label, chip.lines.map(\.name)))
        system.levels["/dev/gpiochip7"] = [0: true]
        #expect(acquire(reader) == ["phone 1", "alarm 0"])
        system.edge("/dev/gpiochip7", 0, false, at: .seconds(2))
        #expect(read(reader) == ["phone 0 2.0 seconds"])
    }

    @Test func reportsAChipThatDisappearsDuringTheRequest() {
        system.refusals = [main: [0: 19, 1: 19]]
        #expect(acquire(reader()) == ["phone unavailable", "alarm unavailable", "door 0"])
    }

    /// With libgpiod 1, the kernel keeps 16 edges and drops newer ones.
    @Test func reportsTheFinalLevelAfterABurst() {
        let reader = reader()
        _ = reader.acquire()
        for count in 1...16 { system.edge(main, 0, count % 2 == 1, at: .milliseconds(count)) }
        system.levels[main] = [0: true]
        system.now = .seconds(1)
        let edges = read(reader)
        #expect(edges.count == 17 && edges.suffix(2) == ["phone 0 0.016 seconds", "phone 1 1.0 seconds"])
        // The level reading already covers edges that arrive late.
        system.edge(main, 0, false, at: .milliseconds(998))
        system.edge(main, 0, true, at: .milliseconds(999))
        system.edge(main, 0, false, at: .milliseconds(1001))
        #expect(read(reader) == ["phone 0 1.001 seconds"])
    }

    /// With libgpiod 2, the kernel has one queue for all lines of a request and drops the oldest edges.
    @Test func reportsALevelWhoseEdgeWasLostInAnotherLinesBurst() {
        let reader = reader()
        _ = reader.acquire()
        for count in 1...64 { system.edge(main, 0, count % 2 == 1, at: .milliseconds(count)) }
        system.levels[main] = [1: true]
        system.now = .seconds(1)
        let edges = read(reader)
        #expect(edges.count == 65 && edges.last == "alarm 1 1.0 seconds")
    }

    @Test func insertsNoEdgeWhenABurstLostNone() {
        let reader = reader()
        _ = reader.acquire()
        for count in 1...16 { system.edge(main, 0, count % 2 == 1, at: .milliseconds(count)) }
        #expect(read(reader).count == 16)
    }
}

import Appliance
import CrashLab
import Glibc
import ResumeStore

/// What a checkpoint costs: the control loop, the disk, and a power cut the programme.
struct StateBench {
    private static var keepers: [any Keeper.Type] { [SlotKeeper.self, RenamingKeeper.self, DatabaseKeeper.self] }
    private static let rounds = 20
    private static let batch = 25
    private static let counted = 200

    let folder: String

    func run() throws {
        try compare()
        try measureLoop()
        cutPower()
    }

    /// Saves so many times by one of the keepers.
    func save(_ count: Int, by name: String) throws {
        guard let type = Self.keepers.first(where: { $0.name == name }) else { throw BenchError("who is \(name)?") }
        let keeper = try type.init(folder: folder)
        for number in 0..<count { try keeper.save(Self.state(number), text: try Self.text(number)) }
    }

    // MARK: The disk

    private func compare() throws {
        let keepers = try Self.keepers.map { try $0.init(folder: folder) }
        var times = keepers.map { _ in [Double]() }
        var bytes = keepers.map { _ in 0 }
        // In turn, so that each has the same disk.
        for round in 0..<Self.rounds {
            for (index, keeper) in keepers.enumerated() {
                let before = try Self.bytesWritten()
                for number in 0..<Self.batch {
                    let (state, text) = (Self.state(round * Self.batch + number), try Self.text(number))
                    times[index].append(try Self.microseconds { try keeper.save(state, text: text) })
                }
                bytes[index] += try Self.bytesWritten() - before
            }
        }
        let count = Self.rounds * Self.batch
        print("\nA checkpoint of \(try Self.text(0).count) bytes, \(count) times each, in turn, in \(folder)")
        print("  " + row(["", "ms: median", "p99", "bytes", "flushes"]))
        for (index, keeper) in Self.keepers.enumerated() {
            let sorted = times[index].sorted()
            print(
                "  "
                    + row([
                        keeper.name, decimals(sorted[count / 2] / 1000), decimals(sorted[count * 99 / 100] / 1000),
                        "\(bytes[index] / count)", try flushes(keeper.name).map { decimals($0) } ?? "?",
                    ]))
        }
        print(
            "  Bytes are those that the process has dirtied (/proc/self/io); what the file system's journal adds is not"
        )
        print("  among them. Flushes are calls of fsync and fdatasync (strace).")
    }

    /// Per checkpoint; nil where there is no strace.
    private func flushes(_ name: String) throws -> Double? {
        let command =
            "strace -f -qq -e trace=fsync,fdatasync -o /dev/stdout '\(CommandLine.arguments[0])' '\(folder)' '\(name)' "
        func count(_ times: Int) -> Double? {
            guard let pipe = popen(command + "\(times) 2>/dev/null | grep -c sync", "r") else { return nil }
            defer { pclose(pipe) }
            var line = [CChar](repeating: 0, count: 32)
            guard fgets(&line, CInt(line.count), pipe) != nil else { return nil }
            return Double(String(decoding: line.prefix { $0 > 32 }.map(UInt8.init), as: UTF8.self))
        }
        // Without what the start takes.
        guard let start = count(1), let all = count(1 + Self.counted), all > 0 else { return nil }
        return (all - start) / Double(Self.counted)
    }

    // MARK: The control loop

    private func measureLoop() throws {
        let writer = StateWriter(ResumeStore(directory: folder))
        var times: [Double] = []
        for number in 0..<2000 {
            let state = Self.state(number)
            times.append(Self.microseconds { writer.write(state, urgently: false) })
            poll(nil, 0, 1)
        }
        while !writer.isIdle { poll(nil, 0, 1) }
        writer.quit()
        times.sort()
        print("\nA checkpoint's share of the control loop, \(times.count) times, µs")
        print("  " + row(["", "median", "p99", "largest"]))
        print(
            "  "
                + row([
                    "handing it over to be written", decimals(times[times.count / 2]),
                    decimals(times[times.count * 99 / 100]), decimals(times.last ?? 0),
                ]))
    }

    // MARK: Power cuts

    private func cutPower() {
        var outcome = CrashRun.Outcome()
        var violations = 0
        for seed in 1...530 as ClosedRange<UInt64> {
            let run = CrashRun(seed: seed, interval: .seconds(5)).run(lives: 20)
            outcome.cuts += run.cuts
            outcome.lost += run.lost
            outcome.lostOnSlowDisks += run.lostOnSlowDisks
            violations += run.violations.count
        }
        print(
            "\nProgramme lost by a power cut, s, with Interval=5s (\(outcome.cuts) cuts, \(violations) of them a fault)"
        )
        print(
            "  Half of them are aimed at a write, and many lives are shorter than 0.1 s: the worst says more than the median."
        )
        print("  " + row(["", "median", "worst", "cuts"]))
        for (name, lost) in [
            ("a disk that takes 0.5 to 30 ms", outcome.lost.sorted()),
            ("one that takes up to 15 s", outcome.lostOnSlowDisks.sorted()),
        ] where !lost.isEmpty {
            print("  " + row([name, decimals(lost[lost.count / 2]), decimals(lost.last ?? 0), "\(lost.count)"]))
        }
    }

    // MARK: Means

    private static func state(_ number: Int) -> SavedState {
        SavedState(
            savedAt: .seconds(1_700_000_000 + 5 * number), intent: "playing",
            track: "/srv/music/Sectoid/03 - All Above.flac", trackNumber: 2, position: .milliseconds(5000 * number),
            volume: -6, shuffleSeed: 12_345_678_901_234,
            held: [SavedState.Held(signal: "alarm", standing: "inForce", age: .seconds(3), isStuck: false)],
            episode: nil)
    }

    /// The same payload for all.
    private static func text(_ number: Int) throws -> [UInt8] { try StateImage(of: state(number)).payload }

    private static func microseconds(_ body: () throws -> Void) rethrows -> Double {
        let start = now()
        try body()
        return (now() - start) * 1e6
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// What this process has had written to disks.
    private static func bytesWritten() throws -> Int {
        guard let file = fopen("/proc/self/io", "r") else { throw BenchError("there is no /proc/self/io") }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        while fgets(&line, CInt(line.count), file) != nil {
            let text = String(
                decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if text.hasPrefix("write_bytes: ") { return Int(text.dropFirst(13)) ?? 0 }
        }
        return 0
    }

    private func decimals(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }

    private func row(_ cells: [String]) -> String {
        cells.enumerated().map { index, cell in
            let room = String(repeating: " ", count: max(1, (index == 0 ? 36 : 12) - cell.count))
            return index == 0 ? cell + room : room + cell
        }.joined()
    }
}

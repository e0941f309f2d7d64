import Appliance
import Clocks
import CrashLab
import Glibc
import ResumeStore

/// Measures the cost of a checkpoint for the control loop and the disk, and the amount of music that a power cut loses.
struct StateBench {
    private static var storeTypes: [any CheckpointStore.Type] {
        [SlotStore.self, RenamingStore.self, DatabaseStore.self]
    }
    private static let rounds = 20
    private static let batch = 25
    private static let counted = 200

    let folder: String

    func run() throws {
        try compare()
        try measureLoop()
        cutPower()
    }

    /// Saves `count` times with the store called `name`.
    func save(_ count: Int, by name: String) throws {
        guard let type = Self.storeTypes.first(where: { $0.name == name }) else {
            throw StateBenchError("there is no store ‘\(name)’")
        }
        let store = try type.init(folder: folder)
        for number in 0..<count { try store.save(Self.state(number), text: try Self.text(number)) }
    }

    // MARK: The disk

    private func compare() throws {
        let stores = try Self.storeTypes.map { try $0.init(folder: folder) }
        var times = stores.map { _ in [Double]() }
        var bytes = stores.map { _ in 0 }
        // The stores save in turn, so that each uses the disk in the same condition.
        for round in 0..<Self.rounds {
            for (index, store) in stores.enumerated() {
                let before = try Self.bytesWritten()
                for number in 0..<Self.batch {
                    let (state, text) = (Self.state(round * Self.batch + number), try Self.text(number))
                    times[index].append(try Self.microseconds { try store.save(state, text: text) })
                }
                bytes[index] += try Self.bytesWritten() - before
            }
        }
        let count = Self.rounds * Self.batch
        print("\nA checkpoint of \(try Self.text(0).count) bytes, \(count) times each, in turn, in \(folder)")
        print("  " + row(["", "ms: median", "p99", "bytes", "flushes"]))
        for (index, store) in Self.storeTypes.enumerated() {
            let sorted = times[index].sorted()
            print(
                "  "
                    + row([
                        store.name, decimals(sorted[count / 2] / 1000), decimals(sorted[count * 99 / 100] / 1000),
                        "\(bytes[index] / count)", try flushes(store.name).map { decimals($0) } ?? "?",
                    ]))
        }
        print("  Bytes: dirtied by the process (/proc/self/io), without the file system's journal.")
        print("  Flushes: calls of fsync and fdatasync (strace).")
    }

    /// Returns the number of flushes per checkpoint, or nil without strace.
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
        // The flushes when the program starts are subtracted.
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
                    "passing it to the writer", decimals(times[times.count / 2]),
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
            "\nPlayback lost by a power cut, s, with Interval=5s (\(outcome.cuts) cuts, \(violations) violations)")
        print("  Half of the cuts hit a write, and many runs are shorter than 0.1 s: the worst case says more than the")
        print("  median.")
        print("  " + row(["", "median", "worst", "cuts"]))
        for (name, lost) in [
            ("a disk that takes 0.5 to 30 ms", outcome.lost.sorted()),
            ("a disk that takes up to 15 s", outcome.lostOnSlowDisks.sorted()),
        ] where !lost.isEmpty {
            print("  " + row([name, decimals(lost[lost.count / 2]), decimals(lost.last ?? 0), "\(lost.count)"]))
        }
    }

    // MARK: Helpers

    private static func state(_ number: Int) -> SavedState {
        SavedState(
            savedAt: .seconds(1_700_000_000 + 5 * number), intent: "playing",
            track: "/srv/music/Sectoid/03 - All Above.flac", trackNumber: 2, position: .milliseconds(5000 * number),
            volume: -6, shuffleSeed: 12_345_678_901_234,
            held: [SavedState.Held(signal: "alarm", standing: "inForce", age: .seconds(3), isStuck: false)],
            episode: nil)
    }

    /// Returns the payload, which is the same for all stores.
    private static func text(_ number: Int) throws -> [UInt8] { try StateImage(of: state(number)).payload }

    private static func microseconds(_ body: () throws -> Void) rethrows -> Double {
        let start = SystemClock.monotonic.now
        try body()
        return (SystemClock.monotonic.now - start) / .microseconds(1)
    }

    /// Returns the number of bytes that this process has caused to be written to disks.
    private static func bytesWritten() throws -> Int {
        guard let file = fopen("/proc/self/io", "r") else { throw StateBenchError("cannot read /proc/self/io") }
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

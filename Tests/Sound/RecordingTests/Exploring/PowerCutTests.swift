import Chance
import DiskLab
import Effort
import Glibc
import SoundLab
import Testing

@testable import Recording

/// Power cuts at random points of random recordings. `TACET_SEED=` replays one run.
@Suite struct PowerCutTests {
    private static let isProof = getenv("TACET_PROOF") != nil
    private static let cuts: UInt64 = isProof ? 10_000 : 1000

    /// Runs until the power fails, and checks the contents of the files.
    /// - Returns: the violations that were found.
    private func violations(seed: UInt64, lies: Bool = false) -> [String] {
        var random = SplitMix(seed: seed &* 7919)
        let disk = LabDisk.forRecordings(seed: seed)
        disk.lies = lies
        var run = WriterRun(disk, seed: seed) {
            if seed % 4 == 0 { $0.keep = 30_000 }
        }
        // Some syncs fail before the cut. The data that they should have written is not on the disk, although it can be
        // read until the cut.
        var faults = SplitMix(seed: seed &* 104_729)
        disk.fails = { call in
            seed % 3 == 0 && call == .syncData && Int.random(in: 0..<3, using: &faults) == 0 ? EIO : nil
        }
        disk.callsLeft = Int.random(in: 1...100, using: &random)
        while !disk.isOff {
            if run.writer.isFailing { try? run.retry() } else { try? run.step() }
        }
        disk.cutPower()
        return run.files.indices.compactMap { index in
            let required = run.required(index)
            let path = run.files[index].path
            guard !required.isEmpty else { return nil }
            guard let bytes = disk[path] else {
                return run.removed.contains(path) ? nil : "seed \(seed): \(path) does not exist"
            }
            guard let decoded = DecodedFile(bytes) else { return "seed \(seed): \(path) cannot be opened" }
            return decoded.samples.starts(with: required)
                ? nil : "seed \(seed): \(path) holds \(decoded.samples.count) samples of \(required.count)"
        }
    }

    @Test func filesAreReadableUpToTheLastFlush() {
        if let seed = getenv("TACET_SEED").flatMap({ UInt64(String(cString: $0)) }) {
            #expect(violations(seed: seed) == [])
            return
        }
        let first = Self.isProof ? UInt64.random(in: 1...1 << 40) : 1
        for seed in Effort.seeds(Self.cuts, from: first) {
            let found = violations(seed: seed)
            #expect(found == [])
        }
    }

    /// This checks the test itself.
    @Test func detectsADiskThatIgnoresSync() {
        let found = (1...50 as ClosedRange<UInt64>).filter { !violations(seed: $0, lies: true).isEmpty }
        #expect(found.count > 10)
    }
}

import DiskLab
import Glibc
import SoundLab
import Testing

@testable import Recording

/// Failures of every system call, once or several times. Nothing may be lost or repeated.
@Suite struct StorageFailureTests {
    @Test(arguments: LabDisk.Call.allCases, [EIO, ENOSPC, EROFS])
    func failedSystemCallsLoseNoFrames(call: LabDisk.Call, code: CInt) throws {
        for (seed, times) in zip(1..., [1, 2, 3, 7, 1, 2, 3, 7] as [Int]) {
            let disk = LabDisk.forRecordings(seed: UInt64(seed))
            disk.mostBytes = seed % 2 == 0 ? 700 : .max
            var run = WriterRun(disk, seed: UInt64(seed))
            var left = 0
            disk.fails = { failing in
                guard failing == call, left > 0 else { return nil }
                left -= 1
                return code
            }
            var failures = 0
            for step in 0..<60 {
                if step % 10 == 3 { left = times }
                do {
                    try run.step()
                } catch {
                    failures += 1
                    #expect(error.code == code && run.writer.isFailing)
                    // Each attempt consumes at least one failure.
                    for _ in 0..<times + 1 where run.writer.isFailing { try? run.retry() }
                    #expect(!run.writer.isFailing)
                }
            }
            left = 0
            try run.close()
            var all: [Int32] = []
            for file in run.files where file.length != 0 {
                let bytes = try #require(disk[file.path])
                let decoded = try #require(DecodedFile(bytes))
                #expect(decoded.frames == file.length)
                all += decoded.samples
            }
            #expect(all == run.samples, "seed \(seed)")
            #expect(disk.openDescriptors == [])
            if call == .write || call == .syncData { #expect(failures > 0) }
        }
    }
}

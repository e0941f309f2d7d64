import Glibc
import Testing

@testable import Appliance
@testable import Recording

@Suite struct RecordingDiskTests {
    private let error = RecordingError("write to", "/r/a.flac", ENOSPC)

    @Test func slowCallIsAProblemUntilItReturns() {
        var disk = RecordingDisk()
        let wasSlow = disk.callReturned()
        #expect(!wasSlow && disk.problem == nil)
        disk.isSlow(.milliseconds(2500))
        #expect(disk.problem == "the disk of the recordings is slow: one call has taken 2.5 s" && !disk.hasFailed)
        let isOver = disk.callReturned()
        #expect(isOver && disk.problem == nil)
    }

    @Test func failureOutlastsASlowCall() {
        var disk = RecordingDisk()
        disk.isSlow(.seconds(3))
        disk.fails(error)
        disk.isSlow(.seconds(4))
        #expect(disk.problem == "\(error)" && disk.hasFailed)
        let isOver = disk.callReturned()
        #expect(!isOver && disk.problem == "\(error)")
    }
}

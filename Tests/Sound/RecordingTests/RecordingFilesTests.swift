import ALSA
import Chance
import DiskLab
import Glibc
import SoundLab
import Testing

@testable import Recording

/// The files of a recording, on a disk in memory.
@Suite struct RecordingFilesTests {
    private let disk = LabDisk.forRecordings()

    private func settings(_ change: (inout RecorderSettings) -> Void = { _ in }) -> RecorderSettings {
        var settings = RecorderSettings(device: .init("hw:Microphone"), directory: "/recordings")
        settings.format = .init(rate: 8000, channels: 1)
        change(&settings)
        return settings
    }

    private let mono = RecordedFormat(.init(rate: 8000, channels: 1), bits: 16)
    private let noon = Duration.seconds(1_795_356_192)

    private func write(
        _ samples: [Int32], to writer: RecordingWriter, _ format: RecordedFormat? = nil, at time: Duration? = nil
    ) throws {
        try samples.withUnsafeBufferPointer { try writer.write($0, format: format ?? mono, at: time ?? noon) }
    }

    private func decoded(_ path: String) throws -> DecodedFile {
        let bytes = try #require(disk[path], "\(path)")
        return try #require(DecodedFile(bytes), "\(path)")
    }

    private func text(_ path: String) -> String { String(decoding: disk[path]?.prefix(512) ?? [], as: UTF8.self) }

    @Test(arguments: RecordingFileType.allCases) func tagsDescribeTheFile(type: RecordingFileType) throws {
        let writer = RecordingWriter(settings { $0.fileType = type }, calls: disk)
        try write([1, 2, 3], to: writer)
        let path = try #require(writer.currentFile)
        #expect(path == "/recordings/2026-11-22T14-03-12Z.\(type)")
        try writer.flush()
        #expect(text(path).contains("2026-11-22T14:03:12Z") && text(path).contains("hw:Microphone"))
        #expect(text(path).contains("unfinished"))
        try writer.close(.stopped)
        #expect(text(path).contains("recording stopped") && !text(path).contains("unfinished"))
        #expect(writer.takeEvents() == [.began(path: path), .ended(path: path, frames: 3, .stopped)])
        #expect(disk.folders?.contains("/recordings") == true && disk.openDescriptors == [])
    }

    @Test(arguments: RecordingFileType.allCases) func everyFormatIsLossless(type: RecordingFileType) throws {
        var random = SplitMix(seed: 3)
        for rate in [8000, 44_100, 44_101, 48_000, 96_000, 192_000] {
            for channels in [1, 2, 6, 8] {
                for bits in [16, 24] {
                    let disk = LabDisk.forRecordings()
                    let writer = RecordingWriter(settings { $0.fileType = type }, calls: disk)
                    let format = RecordedFormat(.init(rate: rate, channels: channels), bits: bits)
                    let largest = Int32(1) << Int32(bits - 1) - 1
                    // Noise of all loudnesses produces all kinds of blocks.
                    let samples: [Int32] = (0..<5000 * channels).map { index in
                        Int32.random(in: -largest - 1...largest, using: &random) >> Int32(index / 2000 % 24)
                    }
                    try samples.withUnsafeBufferPointer { try writer.write($0, format: format, at: noon) }
                    try writer.close(.stopped)
                    let bytes = try #require(disk["/recordings/2026-11-22T14-03-12Z.\(type)"])
                    let decoded = try #require(DecodedFile(bytes))
                    #expect(decoded.samples == samples && decoded.rate == rate && decoded.channels == channels)
                    #expect(decoded.bits == bits && decoded.frames == 5000)
                }
            }
        }
    }

    /// Each flush ends a block, so blocks may be as short as a frame.
    @Test func flushAfterEveryFrameKeepsTheFileWhole() throws {
        let writer = RecordingWriter(settings(), calls: disk)
        let samples = (0..<2000).map { Int32($0 * 7 % 1000) }
        for (index, sample) in samples.enumerated() {
            try write([sample], to: writer)
            if index % 3 != 1 { try writer.flush() }
        }
        let path = try #require(writer.currentFile)
        #expect(try decoded(path).samples.starts(with: samples.dropLast(2)))
        try writer.close(.stopped)
        #expect(try decoded(path).samples == samples)
    }

    @Test func flushesLeaveNoGapInTheFile() throws {
        let writer = RecordingWriter(settings(), calls: disk)
        for start in stride(from: 0, to: 10_000, by: 1000) {
            try write((start..<start + 1000).map { Int32($0) }, to: writer)
            try writer.flush()
        }
        try writer.close(.stopped)
        #expect(try decoded("/recordings/2026-11-22T14-03-12Z.flac").samples == (0..<10_000).map { Int32($0) })
    }

    @Test func sameFramesGiveTheSameBytes() throws {
        let files = try (0..<2).map { _ in
            let disk = LabDisk.forRecordings()
            var run = WriterRun(disk, seed: 5)
            for _ in 0..<50 { try run.step() }
            try run.close()
            return disk.paths.map { disk[$0] }
        }
        #expect(files[0] == files[1] && files[0].count > 2)
    }

    // MARK: Names

    @Test func existingFileIsNeverOverwritten() throws {
        disk["/recordings/2026-11-22T14-03-12Z.flac"] = [1, 2, 3]
        let writer = RecordingWriter(settings(), calls: disk)
        try write([1], to: writer)
        #expect(writer.currentFile == "/recordings/2026-11-22T14-03-12Z_0001.flac")
        try writer.close(.stopped)
        #expect(disk["/recordings/2026-11-22T14-03-12Z.flac"] == [1, 2, 3])
    }

    @Test func clockSetBackByYearsKeepsTheOrder() throws {
        let writer = RecordingWriter(settings(), calls: disk)
        for time in [noon, noon - .seconds(300_000_000), noon - .seconds(200_000_000), noon + .seconds(1)] {
            try write([1], to: writer, at: time)
            try writer.close(.stopped)
        }
        #expect(
            disk.paths == [
                "/recordings/2026-11-22T14-03-12Z.flac", "/recordings/2026-11-22T14-03-12Z_0001.flac",
                "/recordings/2026-11-22T14-03-12Z_0002.flac", "/recordings/2026-11-22T14-03-13Z.flac",
            ])
        // The tag contains the file's true time.
        #expect(text("/recordings/2026-11-22T14-03-12Z_0001.flac").contains("2017-05-21T08:43:12Z"))
    }

    /// A file that was named while the clock was wrong must not affect the names of all later files.
    @Test func nameFromTheFarFutureIsIgnored() throws {
        let future = "/recordings/2066-05-01T00-00-00Z.flac"
        disk[future] = [1]
        let writer = RecordingWriter(settings { $0.keep = 1500 }, calls: disk)
        for _ in 0..<2 {
            try write([1], to: writer)
            try writer.close(.stopped)
        }
        let names = ["12Z.flac", "12Z_0001.flac"].map { "/recordings/2026-11-22T14-03-" + $0 }
        #expect(disk.paths == names + [future])
        // The clock of this run was wrong until it was set.
        try write([1], to: writer, at: noon + .seconds(1_000_000_000))
        try writer.close(.stopped)
        try write([1], to: writer, at: noon + .seconds(1))
        #expect(writer.currentFile == "/recordings/2026-11-22T14-03-13Z.flac")
        #expect(Set(names).isSuperset(of: disk.paths.dropLast()) && !disk.paths.contains(future))
    }

    /// Otherwise, these recordings would fill the space, and every new recording would be treated as the oldest one.
    @Test func recordingsFromTheFutureAreDeletedFirst() throws {
        let future = ["01", "02"].map { "/recordings/2036-01-\($0)T00-00-00Z.flac" }
        let old = "/recordings/2026-11-01T00-00-00Z.flac"
        for path in future + [old] { disk[path] = [UInt8](repeating: 1, count: 9000) }
        let writer = RecordingWriter(settings { $0.keep = 30_000 }, calls: disk)
        var removed: [RecordingWriter.Event] = []
        for second in 0..<5 {
            try write(noise(4000), to: writer, at: noon + .seconds(second))
            let path = try #require(writer.currentFile)
            try writer.close(.stopped)
            try writer.flush()
            #expect(disk.paths.contains(path))
            removed += writer.takeEvents().filter { if case .removed = $0 { true } else { false } }
        }
        #expect(removed.count > 3)
        for (event, path) in zip(removed, future + [old]) {
            #expect(event == .removed(path: path, isFromFuture: path != old))
        }
    }

    /// A board without a battery-backed clock begins in 1970 after each power cut.
    @Test func clockThatHasNotBeenSetKeepsTheOrder() throws {
        disk["/recordings/2026-11-22T14-03-12Z.flac"] = [1]
        let writer = RecordingWriter(settings(), calls: disk)
        try write([1], to: writer, at: .seconds(5))
        #expect(writer.currentFile == "/recordings/2026-11-22T14-03-12Z_0001.flac")
    }

    // MARK: Segments

    @Test func segmentsAreGaplessAndNamedByTheirFirstFrame() throws {
        let writer = RecordingWriter(settings { $0.segment = .seconds(2) }, calls: disk)
        let samples = (0..<40_000).map { Int32($0 % 30_000) }
        for start in stride(from: 0, to: 40_000, by: 3000) {
            try write(
                Array(samples[start..<min(start + 3000, 40_000)]), to: writer, at: noon + .milliseconds(start / 8))
        }
        try writer.close(.stopped)
        let names = ["12", "14", "16"].map { "/recordings/2026-11-22T14-03-\($0)Z.flac" }
        #expect(disk.paths == names)
        #expect(try names.map { try decoded($0).frames } == [16_000, 16_000, 8000])
        #expect(try names.flatMap { try decoded($0).samples } == samples)
        #expect(text(names[0]).contains("segment complete"))
    }

    @Test func otherFormatBeginsANewFile() throws {
        let writer = RecordingWriter(settings(), calls: disk)
        try write([1, 2, 3, 4], to: writer)
        let stereo = RecordedFormat(.init(rate: 44_100, channels: 2), bits: 24)
        try write([5, 6, 7, 8], to: writer, stereo, at: noon + .seconds(5))
        try writer.close(.stopped)
        #expect(try decoded("/recordings/2026-11-22T14-03-12Z.flac").samples == [1, 2, 3, 4])
        let second = try decoded("/recordings/2026-11-22T14-03-17Z.flac")
        #expect(second.samples == [5, 6, 7, 8] && second.channels == 2 && second.rate == 44_100 && second.bits == 24)
        #expect(text("/recordings/2026-11-22T14-03-12Z.flac").contains("format changed"))
    }

    // MARK: Keep

    private func noise(_ count: Int) -> [Int32] {
        var random = SplitMix(seed: UInt64(count))
        return (0..<count).map { _ in Int32.random(in: -30_000...30_000, using: &random) }
    }

    @Test(arguments: RecordingFileType.allCases) func keepRemovesTheOldestRecordingsOnly(type: RecordingFileType) throws
    {
        for other in ["song.flac", "2026-01-01T00-00-00Z.txt", "2026-01-01T00-00-00Z-copy.wav"] {
            disk["/recordings/" + other] = [UInt8](repeating: 1, count: 500_000)
        }
        disk["/recordings/2026-01-01T00-00-00Z.wav"] = [1]
        let writer = RecordingWriter(
            settings {
                $0.fileType = type
                $0.keep = 100_000
                $0.segment = .seconds(2)
            }, calls: disk)
        var removed: [String] = []
        for second in 0..<40 {
            try write(noise(8000), to: writer, at: noon + .seconds(second))
            try writer.flush()
            removed += writer.takeEvents().compactMap { if case .removed(let path, false) = $0 { path } else { nil } }
            let own = disk.paths.filter { RecordingName(of: String($0.dropFirst(12))) != nil }
            let size = own.map { disk[$0]?.count ?? 0 }.reduce(0, +)
            #expect(size <= 100_000)
            if let current = writer.currentFile { #expect(own.last == current) }
        }
        #expect(removed.first == "/recordings/2026-01-01T00-00-00Z.wav" && removed == removed.sorted())
        #expect(removed.count > 10 && disk.paths.contains("/recordings/song.flac"))
        #expect(disk.paths.contains("/recordings/2026-01-01T00-00-00Z-copy.wav"))
    }

    @Test func keepSmallerThanASegmentLeavesTheFileBeingWritten() throws {
        let writer = RecordingWriter(
            settings {
                $0.keep = 1000
                $0.segment = .seconds(2)
            }, calls: disk)
        let samples = noise(80_000)
        for start in stride(from: 0, to: 80_000, by: 4000) {
            try write(Array(samples[start..<start + 4000]), to: writer, at: noon + .milliseconds(start / 8))
            try writer.flush()
            if let path = writer.currentFile {
                #expect(disk.paths == [path])
                let first = start / 16_000 * 16_000
                let expected = Array(samples[first..<start + 4000])
                #expect(try decoded(path).samples == expected)
            }
        }
    }

    @Test func failedRemovalIsReportedOnceAndDoesNotEndTheRecording() throws {
        let writer = RecordingWriter(
            settings {
                $0.keep = 1000
                $0.segment = .seconds(1)
            }, calls: disk)
        disk.fails = { $0 == .remove ? EROFS : nil }
        for second in 0..<5 { try write(noise(8000), to: writer, at: noon + .seconds(second)) }
        let failures = writer.takeEvents().filter { if case .notRemoved = $0 { true } else { false } }
        #expect(failures.count == 1)
        disk.fails = { _ in nil }
        try write(noise(100), to: writer, at: noon + .seconds(5))
        #expect(disk.paths.count == 1)
    }

    // MARK: Unhappy paths

    @Test func missingDirectoryIsReportedUntilItReturns() throws {
        let writer = RecordingWriter(settings { $0.directory = "/media/card/recordings" }, calls: disk)
        var failure: RecordingError?
        do { try write([1, 2], to: writer) } catch let error as RecordingError { failure = error }
        #expect(failure?.reason == .missing && failure?.path == "/media/card/recordings")
        #expect(failure?.description.contains("No such file or directory. Check that the disk") == true)
        #expect(throws: RecordingError.self) { try writer.retry() }
        _ = disk.makeDirectory("/media", mode: 0o755)
        _ = disk.makeDirectory("/media/card", mode: 0o755)
        try writer.retry()
        try write([3], to: writer)
        try writer.close(.stopped)
        #expect(try decoded("/media/card/recordings/2026-11-22T14-03-12Z.flac").samples == [1, 2, 3])
    }

    /// The open file no longer has a name, so it could never be read.
    @Test func deletedFileIsReplaced() throws {
        let writer = RecordingWriter(settings(), calls: disk)
        try write([1, 2], to: writer)
        try writer.flush()
        #expect(disk.remove("/recordings/2026-11-22T14-03-12Z.flac") == 0)
        try write([3, 4], to: writer)
        #expect(throws: RecordingError.self) { try writer.flush() }
        try writer.retry()
        try writer.close(.stopped)
        // The file begins two frames after the start of the first one.
        #expect(try decoded("/recordings/2026-11-22T14-03-12Z_0001.flac").samples == [3, 4])
    }

    /// The next file begins with the frames of the deleted file that were not on the disk yet, and has their time.
    @Test func framesOfADeletedFileSurviveInTheirFormat() throws {
        let writer = RecordingWriter(settings(), calls: disk)
        try write([Int32](repeating: 1, count: 8000), to: writer)
        try writer.flush()
        #expect(disk.remove("/recordings/2026-11-22T14-03-12Z.flac") == 0)
        try write([2, 3], to: writer)
        let stereo = RecordedFormat(.init(rate: 44_100, channels: 2), bits: 24)
        #expect(throws: RecordingError.self) { try write([4, 5, 6, 7], to: writer, stereo, at: noon + .seconds(2)) }
        try writer.retry()
        #expect(writer.currentFile == "/recordings/2026-11-22T14-03-14Z.flac")
        try writer.close(.stopped)
        #expect(try decoded("/recordings/2026-11-22T14-03-13Z.flac").samples == [2, 3])
        #expect(try decoded("/recordings/2026-11-22T14-03-14Z.flac").samples == [4, 5, 6, 7])
        let ends = writer.takeEvents().compactMap { if case .ended(_, _, let reason) = $0 { reason } else { nil } }
        #expect(ends == [.deleted, .format, .stopped] && disk.openDescriptors == [])
    }

    @Test func deletedFolderIsCreatedAgain() throws {
        let writer = RecordingWriter(settings(), calls: disk)
        try write([1, 2], to: writer)
        try writer.flush()
        disk.deleteFolder("/recordings")
        try write([3, 4], to: writer)
        #expect(throws: RecordingError.self) { try writer.flush() }
        try writer.retry()
        #expect(!writer.isFailing)
        try writer.close(.stopped)
        #expect(disk.paths.flatMap { (try? decoded($0).samples) ?? [] } == [3, 4])
    }

    /// The empty mount point of a disk is not the disk.
    @Test func folderIsNotCreatedBelowAnUnmountedDisk() throws {
        _ = disk.makeDirectory("/media", mode: 0o755)
        _ = disk.makeDirectory("/media/card", mode: 0o755)
        disk.mounts = ["/media/card"]
        let writer = RecordingWriter(settings { $0.directory = "/media/card/recordings" }, calls: disk)
        try write([1, 2], to: writer)
        try writer.flush()
        disk.deleteFolder("/media/card/recordings")
        disk.mounts = []
        try write([3, 4], to: writer)
        #expect(throws: RecordingError.self) { try writer.flush() }
        for _ in 0..<3 { #expect(throws: RecordingError.self) { try writer.retry() } }
        #expect(disk.folders?.contains("/media/card/recordings") == false && writer.currentFile == nil)
        // A different card, which is empty, is mounted.
        disk.mounts = ["/media/other", "/media/card"]
        try writer.retry()
        try writer.close(.stopped)
        #expect(disk.paths.flatMap { (try? decoded($0).samples) ?? [] } == [3, 4])
    }

    /// A person frees the disk by deleting the largest file, which is the one being written.
    @Test func deletedFileFreesTheFullDisk() throws {
        let writer = RecordingWriter(settings(), calls: disk)
        try write([1, 2], to: writer)
        try writer.flush()
        let held = disk.openDescriptors
        // The disk is full until the file is closed.
        disk.fails = { [disk] in $0 == .write && !disk.openDescriptors.isDisjoint(with: held) ? ENOSPC : nil }
        try write([3, 4], to: writer)
        for _ in 0..<3 { #expect(throws: RecordingError.self) { try writer.flush() } }
        #expect(disk.remove("/recordings/2026-11-22T14-03-12Z.flac") == 0)
        try writer.retry()
        try writer.close(.stopped)
        #expect(disk.paths.flatMap { (try? decoded($0).samples) ?? [] } == [3, 4])
    }

    /// If a file cannot be written any more, the next one begins with the first frame that is not on the disk.
    @Test func replacingFileHasTheTimeOfItsFirstFrame() throws {
        let writer = RecordingWriter(settings(), calls: disk)
        try write([Int32](repeating: 1, count: 16_000), to: writer)
        try writer.flush()
        var left = 2
        disk.fails = { call in
            guard call == .syncData, left > 0 else { return nil }
            left -= 1
            return EIO
        }
        try write([2, 3], to: writer)
        #expect(throws: RecordingError.self) { try writer.flush() }
        try writer.retry()
        try writer.close(.stopped)
        #expect(try decoded("/recordings/2026-11-22T14-03-14Z.flac").samples == [2, 3])
        #expect(text("/recordings/2026-11-22T14-03-14Z.flac").contains("2026-11-22T14:03:14Z"))
    }

    @Test func flushTimeIsShorterThanTheInterval() {
        #expect(settings { $0.interval = .seconds(5) }.flushTime == 4_250_000_000)
        #expect(settings { $0.interval = .milliseconds(100) }.flushTime == 50_000_000)
    }

    @Test func fullDiskDoesNotLeaveEmptyFiles() throws {
        let writer = RecordingWriter(settings(), calls: disk)
        try write([1, 2], to: writer)
        try writer.flush()
        disk.fails = { $0 == .write ? ENOSPC : nil }
        try write([3, 4], to: writer)
        for _ in 0..<10 { #expect(throws: RecordingError.self) { try writer.flush() } }
        #expect(disk.counts[.create] == 1)
        disk.fails = { _ in nil }
        try writer.flush()
        try write([5], to: writer)
        try writer.close(.stopped)
        #expect(try decoded("/recordings/2026-11-22T14-03-12Z.flac").samples == [1, 2, 3, 4, 5])
    }

    @Test func abandonedFileKeepsWhatIsOnTheDisk() throws {
        let writer = RecordingWriter(settings { $0.fileType = .wav }, calls: disk)
        try write([1, 2], to: writer)
        try writer.flush()
        disk.fails = { $0 == .syncData ? EIO : nil }
        try write([3, 4, 5], to: writer)
        #expect(throws: RecordingError.self) { try writer.flush() }
        #expect(writer.abandon() == 3 && writer.currentFile == nil && disk.openDescriptors == [])
        #expect(try decoded("/recordings/2026-11-22T14-03-12Z.wav").samples == [1, 2])
        #expect(text("/recordings/2026-11-22T14-03-12Z.wav").contains("storage failed"))
    }
}

import Chance
import Foundation
import SoundLab
import Testing

@testable import Playback

/// Files that libFLAC reads and libsndfile does not, and irregular files.
@Suite struct FLACTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func file(
        frames: Int = 10_000, bits: Int = 16, rate: Int = 48_000, channels: Int = 2
    ) throws -> (file: FLACFile, samples: [Float]) {
        let samples = music(frames: frames * channels / 2).map { $0 >> Int32(32 - bits) }
        let file = try FLACFile(samples, bits: bits, rate: rate, channels: channels, in: folder)
        return (file, samples.map { Float($0) / Float(UInt64(1) << UInt64(bits - 1)) })
    }

    /// Writes the second half of a stream.
    private func partOfAStream(_ file: FLACFile, in name: String) throws -> String {
        let bytes = file.frames
        // The two bytes with which a frame begins may occur anywhere.
        for start in bytes.count / 2..<bytes.count - 1 where bytes[start] == 0xff && bytes[start + 1] == 0xf8 {
            let path = try folder.write(Array(bytes[start...]), to: name)
            if (try? Decoder.open(path)) != nil { return path }
        }
        throw CocoaError(.fileReadCorruptFile)
    }

    /// Decodes everything up to an error.
    private func decodeUntilError(_ decoder: Decoder) -> (samples: [Float], frames: Int, error: DecoderError?) {
        var samples = [Float](repeating: 0, count: 100_000)
        var frames = 0
        let error = thrown(DecoderError.self) {
            while true {
                let got = try samples[(2 * frames)...].withUnsafeMutableBufferPointer {
                    try decoder.read(into: try #require($0.baseAddress), frames: 900)
                }
                if got == 0 { return }
                frames += got
            }
        }
        return (samples, frames, error)
    }

    @Test(arguments: [8, 12, 15, 16, 20, 24, 32])
    func samplesOfEverySizeAreExactFractions(bits: Int) throws {
        let (file, samples) = try file(bits: bits)
        let decoder = try Decoder.open(folder.write(file.bytes, to: "music.flac"))
        #expect(decoder.frameCount == 10_000)
        #expect(try decodeAll(decoder) == samples)
        #expect(try decoder.seek(toFrame: 5001) == 5001)
        #expect(try decodeAll(decoder) == Array(samples[10_002...]))
    }

    /// A recorder leaves such a file if its header was lost or never written.
    @Test func fileThatStartsAtAFrameIsPlayed() throws {
        let (file, samples) = try file()
        let decoder = try Decoder.open(folder.write(file.frames, to: "frames.flac"))
        #expect(decoder.frameCount == nil)
        #expect(try decodeAll(decoder) == samples)
        for target in [7777, 0, 1023, 1024, 9999, 5000] {
            #expect(try decoder.seek(toFrame: target) == target)
            #expect(try decodeAll(decoder) == Array(samples[(2 * target)...]))
        }
    }

    @Test func partOfAStreamIsPlayedFromItsFirstFrame() throws {
        let (file, samples) = try file()
        let heard = try decodeAll(partOfAStream(file, in: "part.flac"))
        #expect(heard.count > samples.count / 4 && heard == Array(samples.suffix(heard.count)))
        let decoder = try Decoder.open(folder.path("part.flac"))
        #expect(try decoder.seek(toFrame: 100) == 100)
        #expect(try decodeAll(decoder) == Array(heard[200...]))
    }

    @Test func fileWithoutALengthIsPlayedToItsEnd() throws {
        let (file, samples) = try file()
        let decoder = try Decoder.open(folder.write(file.withoutLength, to: "stream.flac"))
        #expect(decoder.frameCount == nil && decoder.likelyFrameCount == nil)
        #expect(try decodeAll(decoder) == samples)
        #expect(try decoder.seek(toFrame: 4321) == 4321)
        #expect(try decodeAll(decoder) == Array(samples[8642...]))
        #expect(try decoder.seek(toFrame: 20_000) == 10_000)
    }

    @Test func damagedLastFrameIsReportedWithoutALength() throws {
        let (file, samples) = try file()
        let tag = Array("TAG".utf8) + [UInt8](repeating: 32, count: 125)
        for (place, rest) in [(100, []), (100, tag), (0, tag)] {
            var bytes = file.withoutLength
            let last = try #require(bytes.indices.last { FLACHeader(bytes[$0...]) != nil })
            bytes[last + place] ^= 0x55
            let decoder = try Decoder.open(folder.write(bytes + rest, to: "stream.flac"))
            let (heard, frames, error) = decodeUntilError(decoder)
            #expect(frames == 9 * 1024 && heard.starts(with: samples[..<(2 * frames)]))
            #expect(error?.reason == .damaged && error?.message.contains("at frame 9216") == true, "\(error as Any)")
        }
        #expect(try decodeAll(folder.write(file.withoutLength + tag, to: "stream.flac")) == samples)
    }

    /// Programs put their own tags before and after the music.
    @Test func tagsOfOtherFormatsAroundTheMusicAreIgnored() throws {
        let (file, samples) = try file()
        let before = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 2] + [UInt8](repeating: 7, count: 130)
        let after = Array("TAG".utf8) + [UInt8](repeating: 32, count: 125)
        let path = try folder.write(before + file.bytes + after, to: "tagged")
        #expect(try decodeAll(path) == samples)
        #expect(try Decoder.open(path).frameCount == 10_000)
    }

    @Test func tagsAreRead() throws {
        let (file, _) = try file()
        let bytes = file.with([
            "Title=Über", "ARTIST=One", "artist=Two", "TRACKNUMBER=3/12", "GENRE=", "nonsense", "=", "COMMENT=a=b",
        ])
        let tags = try TrackTags.read(Track(path: folder.write(bytes, to: "tags.flac")))
        #expect(tags.title == "Über" && tags.artist == "One" && tags.trackNumber == 3 && tags.comment == "a=b")
        #expect(tags.genre == nil && tags.album == nil && tags.length == Duration(frames: 10_000, rate: 48_000))
    }

    /// The rest is skipped, because it would be played at the wrong speed.
    @Test(arguments: [(44_100, 2, "44100 Hz, 2 ch"), (48_000, 1, "48000 Hz, 1 ch")])
    func changeOfTheFormatEndsTheTrack(rate: Int, channels: Int, words: String) throws {
        let (file, samples) = try file()
        let (other, _) = try self.file(rate: rate, channels: channels)
        let decoder = try Decoder.open(folder.write(file.withoutLength + other.frames, to: "two.flac"))
        var (heard, count, error) = decodeUntilError(decoder)
        #expect(count == 10_000 && Array(heard[..<20_000]) == samples)
        #expect(error?.reason == .unsupported)
        #expect(
            error?.message.contains(words) == true && error?.message.contains("at frame 10000") == true,
            "\(error as Any)")
        // After a seek to a position before the change, the music up to the change is played again.
        #expect(try decoder.seek(toFrame: 9000) == 9000)
        #expect(
            try decoder.read(into: &heard, frames: 1000) == 1000 && Array(heard[..<2000]) == Array(samples[18_000...]))
    }

    @Test func emptyAndBrokenFilesAreErrors() throws {
        let (file, _) = try file()
        let header = Array(file.bytes[..<(file.bytes.count - file.frames.count)])
        let cases: [([UInt8], DecoderError.Reason)] = [
            (Array("fLaC".utf8), .noAudio), (header, .damaged),
            (Array("fLaC and nothing else but words".utf8), .noAudio), ([0xff, 0xf8, 0, 0], .noAudio),
        ]
        for (bytes, reason) in cases {
            let path = try folder.write(bytes, to: "broken.flac")
            let error = thrown(DecoderError.self) { try Decoder.open(path) }
            #expect(error?.reason == reason, "\(bytes.count) bytes: \(error as Any)")
        }
    }

    /// Reading must end without a crash, and deliver only silence, or frames in their right places.
    @Test func damagedFilesYieldAllFramesThatAreWholeInTheirPlaces() throws {
        let (file, samples) = try file(frames: 20_000)
        var chance = SplitMix(seed: 21)
        var cut = 0
        for round in 0..<300 {
            var bytes = file.bytes
            for _ in 0..<Int.random(in: 1...3, using: &chance) {
                bytes[Int.random(in: 0..<bytes.count, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
            }
            if round % 3 == 0 { bytes.removeSubrange(Int.random(in: 4..<bytes.count, using: &chance)...) }
            let path = try folder.write(bytes, to: "damaged.flac")
            guard let decoder = try? Decoder.open(path), decoder.format.channels == 2 else { continue }
            var heard: [Float] = []
            var block = [Float](repeating: 0, count: 2000)
            while let count = try? decoder.read(into: &block, frames: 1000), count > 0 {
                heard += block[..<(2 * count)]
                try #require(heard.count <= 2 * samples.count)
            }
            if heard.count < samples.count || heard != samples { cut += 1 }
            // A header with a different sample size makes all samples louder or quieter.
            guard decoder.format.rate == 48_000, heard.first == samples.first || heard.isEmpty else { continue }
            let wrong = differences(heard[...], samples[...], above: 0)
            #expect(wrong.allSatisfy { heard[$0] == 0 }, "round \(round)")
            #expect(wrong.count <= 2 * 3 * 1024, "round \(round): \(wrong.count) samples")
            _ = try? decoder.seek(toFrame: 12_345)
        }
        #expect(cut > 100)
    }

    /// The frame after a gap is not located with the seek table, which may also be damaged. In an earlier version, such
    /// a search led back before the gap again and again.
    @Test(arguments: [0, 1024, 5000, 7168, 30_000, 65_280, Int(Int32.max)], [2, 6, 40] as [UInt8])
    func missingFrameIsSilentDespiteTheSeekTable(sample: Int, missing: UInt8) throws {
        var (file, samples) = try file(frames: 80_000)
        file = file.with(seekPoints: [(sample, 0), (sample + 1, 40)])
        let path = try folder.write(file.without(frame: missing), to: "gap.flac")
        let decoder = try Decoder.open(path)
        let (heard, reads) = try decodeInTime(decoder, path)
        for index in 0..<2048 { samples[2048 * Int(missing) + index] = 0 }
        #expect(heard == samples, "\(heard.count) of \(samples.count) after \(reads) reads")
        #expect(decoder.takeGap()?.message.contains("1024 frames are silent") == true)
    }

    /// Decodes a file, and truncates it after 1000 reads so that a reader that goes round in circles reaches the end.
    private func decodeInTime(_ decoder: Decoder, _ path: String) throws -> (heard: [Float], reads: Int) {
        var reads = 0
        decoder.onProgress = {
            reads += 1
            if reads == 1000 { truncate(path, 0) }
        }
        return (try decodeAll(decoder), reads)
    }

    /// In an Ogg container, the frame after a gap is searched for.
    @Test func missingPagesOfAnOggFileAreSilent() throws {
        let samples = music(frames: 80_000).map { $0 >> 16 }
        let file = try FLACFile(samples, bits: 16, isOgg: true, in: folder)
        let exact = samples.map { Float($0) / 32_768 }
        let pages = file.bytes.indices.dropLast(4).filter { file.bytes[$0...].starts(with: Array("OggS".utf8)) }
        for page in pages.indices.dropLast(2).dropFirst(4) {
            let path = try folder.write(
                Array(file.bytes[..<pages[page]] + file.bytes[pages[page + 1]...]), to: "gap.oga")
            let (heard, _) = try decodeInTime(Decoder.open(path), path)
            #expect(heard.count == exact.count && isSilentWhereWrong(heard, exact), "page \(page)")
        }
    }

    /// libFLAC computes the positions of frames from these numbers.
    @Test(arguments: [(4, 16), (16, 16), (1, 1), (1, 4), (2, 2)] as [(UInt8, UInt8)])
    func wrongBlockSizeInTheHeaderIsCorrected(least: UInt8, most: UInt8) throws {
        let (file, samples) = try file(frames: 80_000)
        let decoder = try Decoder.open(folder.write(file.with(least: least, most: most), to: "sizes.flac"))
        #expect(try decodeAll(decoder) == samples && decoder.takeGap() == nil)
        for target in [50_000, 1024, 79_999, 0] {
            #expect(try decoder.seek(toFrame: target) == target)
            #expect(try decodeAll(decoder) == Array(samples[(2 * target)...]))
        }
    }

    @Test func wrongBlockSizeInAnOggFileIsCorrected() throws {
        let samples = music(frames: 80_000).map { $0 >> 16 }
        let bytes = try FLACFile(samples, bits: 16, isOgg: true, in: folder).bytes
        let page = try #require(OggPage(bytes, at: 0))
        let head = page.bytes(bytes, replacing: page.body.lowerBound + 17, with: [16, 0, 16, 0])
        let decoder = try Decoder.open(folder.write(head + bytes[head.count...], to: "sizes.oga"))
        #expect(try decodeAll(decoder) == samples.map { Float($0) / 32_768 } && decoder.takeGap() == nil)
    }

    /// The last blocks of a file may be smaller, and a very short file consists only of such a block.
    @Test(arguments: [1, 500, 1023, 1024, 1025, 2000]) func smallFilesArePlayedToTheirEnd(frames: Int) throws {
        let (file, samples) = try file(frames: frames)
        #expect(try decodeAll(folder.write(file.bytes, to: "small.flac")) == samples)
    }

    /// A file system that was not closed may contain blocks of another file whose frames are intact.
    @Test(arguments: [0, 20_000, 100_000], [(48_000, 2), (44_100, 1)])
    func framesOfAnotherFileAreSilentAndTheRestIsPlayed(place: Int, format: (rate: Int, channels: Int)) throws {
        let (file, samples) = try file(frames: 80_000)
        let (other, _) = try self.file(frames: 900_000, rate: format.rate, channels: format.channels)
        let foreign = Array(other.frames.suffix(24_000).prefix(12_000))
        for head in [file.bytes, file.withoutLength] {
            var bytes = head
            let start = bytes.count - file.frames.count + place
            bytes.replaceSubrange(start..<start + foreign.count, with: foreign)
            let decoder = try Decoder.open(folder.write(bytes, to: "linked.flac"))
            let heard = try decodeAll(decoder)
            let silent = try expectInPlace(heard, samples)
            #expect(silent > 2000 && silent < 8 * 1024, "\(silent) frames")
            let words = decoder.takeGap()?.message
            #expect(words?.contains("\(silent) frames are silent") == true, "\(words as Any), \(silent)")
            #expect(try decoder.seek(toFrame: 70_000) == 70_000)
            #expect(try decodeAll(decoder) == Array(samples[140_000...]))
        }
    }

    /// Checks that all frames are in their places or silent, and returns the number of silent ones.
    private func expectInPlace(_ heard: [Float], _ samples: [Float]) throws -> Int {
        try #require(heard.count == samples.count)
        let frames = stride(from: 0, to: samples.count, by: 2)
        let wrong = frames.filter { heard[$0] != samples[$0] || heard[$0 + 1] != samples[$0 + 1] }
        #expect(wrong.allSatisfy { heard[$0] == 0 && heard[$0 + 1] == 0 })
        return wrong.count
    }

    @Test func framesOfAnotherFileInAnOggFileAreSilentAndTheRestIsPlayed() throws {
        let samples = music(frames: 80_000).map { $0 >> 16 }
        let file = try FLACFile(samples, bits: 16, isOgg: true, in: folder).bytes
        let other = try FLACFile(music(frames: 900_000, seed: 3).map { $0 >> 16 }, bits: 16, isOgg: true, in: folder)
        let (pages, others) = (OggPage.offsets(in: file), OggPage.offsets(in: other.bytes))
        // The page has this stream's serial number, because the container's reader would skip it otherwise.
        let foreign = try #require(OggPage(other.bytes, at: others[others.count - 9]))
        let linked = foreign.bytes(
            other.bytes, replacing: others[others.count - 9] + 14, with: Array(file[14..<18]))
        let (start, end) = (pages[pages.count / 3], pages[pages.count / 3 + 1])
        let bytes = Array(file[..<start]) + linked + Array(file[end...])
        let decoder = try Decoder.open(folder.write(bytes, to: "linked.oga"))
        let silent = try expectInPlace(decodeAll(decoder), samples.map { Float($0) / 32_768 })
        #expect(silent > 1000 && silent < 8 * 1024, "\(silent) frames")
        #expect(decoder.takeGap()?.message.contains("frames are silent") == true)
    }

    /// The damage is in the body of the first frame, over its header, or over the header of the second one.
    @Test(arguments: [100..<200, 0..<50, 2..<3, 0..<7000])
    func damagedFirstFrameIsSilentAndTheRestIsInItsPlace(range: Range<Int>) throws {
        let (file, samples) = try file(frames: 80_000)
        for head in [file.bytes, file.withoutLength] {
            var bytes = head
            for index in range { bytes[bytes.count - file.frames.count + index] ^= 0x55 }
            let decoder = try Decoder.open(folder.write(bytes, to: "damaged.flac"))
            let silent = try expectInPlace(decodeAll(decoder), samples)
            #expect((1024...3 * 1024).contains(silent), "\(silent) frames")
            let words = decoder.takeGap()?.message
            #expect(words?.contains("\(silent) frames are silent") == true, "\(words as Any), \(silent)")
            for target in [0, 500, 50_000] {
                #expect(try decoder.seek(toFrame: target) == target)
                #expect(try decodeAll(decoder).count == 2 * (80_000 - target))
            }
        }
    }

    @Test func damagedFirstPageOfAnOggFileIsSilentAndTheRestIsInItsPlace() throws {
        let samples = music(frames: 80_000).map { $0 >> 16 }
        var bytes = try FLACFile(samples, bits: 16, isOgg: true, in: folder).bytes
        let start = try #require(OggPage.offsets(in: bytes).first { (OggPage(bytes, at: $0)?.granule ?? 0) > 0 })
        for offset in start..<start + 4096 { bytes[offset] = 0 }
        let decoder = try Decoder.open(folder.write(bytes, to: "damaged.oga"))
        let silent = try expectInPlace(decodeAll(decoder), samples.map { Float($0) / 32_768 })
        #expect(silent > 1000 && silent < 20 * 1024, "\(silent) frames")
        #expect(decoder.takeGap()?.message.contains("frames are silent") == true)
    }

    /// A recorder that begins in the middle of a stream writes the header first.
    @Test func streamThatIsRecordedFromItsMiddleBeginsThere() throws {
        let (file, samples) = try file(frames: 80_000)
        let middle = try file.frames(from: 40)
        for head in [file.bytes, file.withoutLength] {
            let header = head[..<(head.count - file.frames.count)]
            // The recording starts with a part of a frame, and no number shows how much is missing.
            for cut in head == file.bytes ? [0] : [0, 5] {
                let path = try folder.write(Array(header + middle.dropFirst(cut)), to: "recorded.flac")
                let decoder = try Decoder.open(path)
                var heard = [Float](repeating: 0, count: 60_000)
                let count = try decoder.read(into: &heard, frames: 30_000)
                let first = cut == 0 ? 40 * 2048 : 41 * 2048
                #expect(count == 30_000 && heard == Array(samples[first..<first + 60_000]))
                #expect(decoder.takeGap() == nil)
            }
        }
    }

    /// libFLAC ends where the header or the first stream ends.
    @Test func audioThatFollowsIsReported() throws {
        let (file, samples) = try file()
        let (other, _) = try self.file(frames: 30_000, rate: 44_100, channels: 1)
        let (longer, _) = try self.file(frames: 30_000)
        let old = Array("TAG".utf8) + [UInt8](repeating: 32, count: 125)
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 9] + [UInt8](repeating: 7, count: 9)
        let cases: [(name: String, bytes: [UInt8], frames: Int)] = [
            ("joined", file.bytes + file.bytes, 10_000), ("of another format", file.bytes + other.bytes, 10_000),
            ("with tags", file.bytes + old + tag + file.bytes, 10_000), ("too short", file.with(length: 3000), 3000),
            ("too short, at a frame", file.with(length: 4096), 4096),
            ("without lengths", file.withoutLength + file.withoutLength, 10_000),
            ("without lengths, and longer", file.withoutLength + longer.withoutLength, 10_000),
        ]
        for (name, bytes, frames) in cases {
            let decoder = try Decoder.open(folder.write(bytes, to: "more.flac"))
            let (heard, count, error) = decodeUntilError(decoder)
            #expect(count == frames && heard.starts(with: samples[..<(2 * frames)]), "\(name): \(count)")
            #expect(
                error?.message.contains("more audio follows after frame \(frames)") == true, "\(name): \(error as Any)")
            #expect(decoder.takeGap() == nil, "\(name)")
            #expect(try decoder.seek(toFrame: 2000) == 2000)
        }
        let noise = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 167 >> 5) }
        for rest in [noise, old, tag, [UInt8](repeating: 0, count: 5000), [0xff, 0xf8, 0xc9]] {
            #expect(try decodeAll(folder.write(file.bytes + rest, to: "rest.flac")) == samples)
        }
    }

    /// A memory card may return one block of data in place of another.
    @Test func framesThatAreRepeatedAreLeftOutAndAreAGap() throws {
        let (file, samples) = try file()
        let frames = file.frames
        for bytes in [file.withoutLength, file.bytes] {
            let head = bytes.count - frames.count
            let repeated = Array(bytes[..<(head + 12_000)]) + Array(bytes[(head + 3000)...])
            let decoder = try Decoder.open(folder.write(repeated, to: "repeated.flac"))
            let heard = try decodeAll(decoder)
            #expect(heard.count == samples.count && isSilentWhereWrong(heard, samples))
            #expect(decoder.takeGap()?.reason == .gap)
        }
    }

    /// The watchdog would mistake minutes of decoding for a hang.
    @Test func longSeekReportsItsProgress() throws {
        let (file, _) = try file(frames: 100_000)
        let decoder = try Decoder.open(folder.write(file.bytes, to: "music.flac"))
        var reports = 0
        decoder.onProgress = { reports += 1 }
        #expect(try decoder.seek(toFrame: 90_000) == 90_000)
        reports = 0
        let part = try Decoder.open(partOfAStream(file, in: "part.flac"))
        part.onProgress = { reports += 1 }
        #expect(try part.seek(toFrame: 40_000) == 40_000 && reports >= 9)
    }

    /// Unlike the next block of an open file, the target of a seek is not in memory when a disk disappears.
    @Test func seekOnALostDiskWaitsForIt() throws {
        let (file, samples) = try file(frames: 100_000)
        try folder.makeFolder("usb")
        let path = try folder.write(file.bytes, to: "usb/music.flac")
        let tracks = [Track(path: path)]
        var skipped: [Int] = []
        let finder = TrackFinder(
            tracks: TrackList(tracks),
            order: TrackOrder(successor: { _ in nil }, next: { _ in nil }, previous: { _ in nil }),
            storage: StorageProbe(tracks, library: folder.path("usb"), devices: "/nowhere")
        ) { track, _ in skipped.append(track) }
        let position = Duration(frames: 80_000, rate: 48_000)
        let source = try #require(finder.source(for: 0, at: position, searching: .forward))
        #expect(truncate(path, 20_000) == 0)
        try FileManager.default.removeItem(atPath: path)
        let ring = PlaybackRing(capacity: 40_000, history: 0, channels: 2)
        let prefetcher = Prefetcher(ring: ring, rate: 48_000, finder: finder)
        prefetcher.start(source)
        prefetcher.fill()
        #expect(prefetcher.loss?.path == path && !prefetcher.retry() && ring.writeIndex == 0)
        try folder.write(file.bytes, to: "usb/music.flac")
        #expect(prefetcher.retry())
        prefetcher.fill()
        #expect(skipped.isEmpty && prefetcher.marks.map(\.frame) == [80_000])
        let heard = ring.reader.readSegment(limit: 20_000)
        #expect(heard.frames == 20_000)
        #expect(Array(UnsafeBufferPointer(start: heard.start, count: 40_000)) == Array(samples[160_000...]))
    }

    private func isSilentWhereWrong(_ heard: [Float], _ exact: [Float]) -> Bool {
        differences(heard[...], exact[...], above: 0).allSatisfy { heard[$0] == 0 }
    }
}

import CSndfile
import Chance
import Foundation
import SoundLab
import Testing

@testable import Playback

/// Typical MP3s, which are joined, cut, tagged or streamed, or have a wrong length at their start.
@Suite struct MPEGTests {
    let folder: TemporaryFolder
    private static let frames = 300_000

    init() throws {
        folder = try TemporaryFolder()
    }

    /// An MP3 that is taken apart.
    private struct MP3 {
        /// The frame that contains the length of the rest.
        var info: [UInt8]
        var frames: [[UInt8]]

        init(_ bytes: [UInt8]) throws {
            var all: [[UInt8]] = []
            var index = 0
            while index < bytes.count {
                let header = try #require(MPEGHeader(bytes[index...].prefix(4)), "no frame at \(index)")
                let length = try #require(header.length)
                all.append(Array(bytes[index..<min(bytes.count, index + length)]))
                index += length
            }
            info = all.removeFirst()
            frames = all
        }

        var sound: [UInt8] { frames.flatMap { $0 } }

        /// Returns the file with a different number of frames stated in its first frame.
        func counting(_ count: Int) throws -> [UInt8] {
            var info = info
            let tag = try #require(
                (0..<64).first {
                    info[$0...].starts(with: Array("Xing".utf8)) || info[$0...].starts(with: Array("Info".utf8))
                })
            for index in 0..<4 { info[tag + 8 + index] = UInt8(truncatingIfNeeded: count >> (24 - 8 * index)) }
            return info + sound
        }
    }

    /// Creates an MP3 that is louder at first, so that the first frames suggest a shorter file.
    private func song(_ name: String = "song.mp3", rate: Int = 48_000, channels: Int = 2) throws -> MP3 {
        let loud = music(frames: Self.frames / 6)
        let quiet = music(frames: Self.frames - Self.frames / 6, seed: 2).map { $0 / 500 }
        let stereo = loud + quiet
        let samples = channels == 2 ? stereo : stride(from: 0, to: stereo.count, by: 2).map { stereo[$0] }
        try folder.encode(samples, to: name, .mp3, rate: rate, channels: channels)
        return try MP3(folder.bytes(of: name))
    }

    /// Decodes a file to its end, which must not be an error.
    private func frames(of bytes: [UInt8], _ name: String = "a.mp3") throws -> Int {
        let decoder = try Decoder.open(folder.write(bytes, to: name))
        return try decodeAll(decoder).count / decoder.format.channels
    }

    @Test(arguments: [48_000, 44_100, 22_050, 16_000, 8000], [1, 2])
    func fileWithoutItsLengthIsPlayedToItsEnd(rate: Int, channels: Int) throws {
        let song = try song(rate: rate, channels: channels)
        let path = try folder.write(song.sound, to: "bare.mp3")
        let decoder = try Decoder.open(path)
        let header = try #require(MPEGHeader(song.sound[..<4]))
        #expect(header.rate == rate && header.channels == channels && decoder.format.channels == channels)
        let total = song.frames.count * header.samples
        let likely = try #require(decoder.likelyFrameCount)
        #expect(decoder.frameCount == nil && abs(likely - total) < total / 4, "\(likely) of \(total)")
        let whole = try decodeAll(decoder)
        #expect(whole.count == total * channels && decoder.takeGap() == nil)
        // The target is beyond any estimate.
        let target = total - 5000
        #expect(try decoder.seek(toFrame: target) == target)
        let rest = try decodeAll(decoder)
        // libmpg123 rounds differently after a seek, in the last bits of the float.
        let wrong = differences(rest[...], whole[(target * channels)...], above: 1e-6)
        #expect(rest.count == 5000 * channels && wrong.isEmpty, "\(wrong.count)")
        #expect(try decoder.seek(toFrame: 10 * total) == total && decodeAll(decoder).isEmpty)
        #expect(decoder.likelyFrameCount == total)
        #expect(try decoder.seek(toFrame: 1000) == 1000)
    }

    /// A file system that was not closed may contain a block of another file in place of the first one.
    @Test(arguments: [44_100, 22_050]) func framesOfAnotherRateAtTheStartAreSilentAndTheRestIsPlayed(rate: Int) throws {
        let song = try song()
        let other = try self.song("other.mp3", rate: rate).sound
        var bytes = song.info + song.sound
        bytes.replaceSubrange(0..<4096, with: other[20_000..<24_096])
        let decoder = try Decoder.open(folder.write(bytes, to: "linked.mp3"))
        #expect(decoder.format.rate == 48_000)
        let heard = try decodeAll(decoder)
        let total = (song.frames.count + 1) * 1152
        #expect(abs(heard.count / 2 - total) < 10 * 1152, "\(heard.count / 2) of \(total)")
        #expect(heard[..<2000].allSatisfy { $0 == 0 })
        let gap = decoder.takeGap()
        #expect(gap?.message.contains("MPEG frames of another rate are silent") == true, "\(gap as Any)")
        #expect(try decoder.seek(toFrame: 200_000) == 200_000)
        #expect(try decodeAll(decoder).count == heard.count - 400_000)
    }

    /// Editors cut and join files without correcting the length.
    @Test func wrongLengthAtTheStartIsIgnored() throws {
        let song = try song()
        for count in [0, song.frames.count / 4, song.frames.count * 3, 1, Int(UInt32.max)] {
            let decoder = try Decoder.open(folder.write(song.counting(count), to: "wrong.mp3"))
            let likely = try #require(decoder.likelyFrameCount)
            #expect(abs(likely - Self.frames) < Self.frames / 4, "\(likely) by a count of \(count)")
            let heard = try decodeAll(decoder).count / 2
            // Nothing that may be music is omitted at the end.
            #expect((Self.frames...Self.frames + 3000).contains(heard), "\(heard) by a count of \(count)")
        }
        #expect(try frames(of: song.counting(song.frames.count)) == Self.frames)
    }

    @Test func fraunhoferLengthIsReadAndNotPlayed() throws {
        let song = try song()
        var info = song.info
        for index in 4..<info.count { info[index] = 0 }
        let count = (0..<4).map { UInt8(truncatingIfNeeded: song.frames.count >> (24 - 8 * $0)) }
        info.replaceSubrange(36..<54, with: Array("VBRI".utf8) + [0, 1, 0, 0, 0, 0, 0, 0, 0, 0] + count)
        let decoder = try Decoder.open(folder.write(info + song.sound, to: "vbri.mp3"))
        #expect(decoder.likelyFrameCount == song.frames.count * 1152)
        #expect(try decodeAll(decoder).count / 2 == song.frames.count * 1152)
    }

    @Test func extraBytesAfterTheLastFrameAreNotDamage() throws {
        let song = try song()
        let whole = try song.counting(song.frames.count)
        let noise = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 167 >> 5) }
        let ape = Array("APETAGEX".utf8) + [UInt8](repeating: 7, count: 5000)
        let old = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
        for rest in [noise, [UInt8](repeating: 0, count: 100_000), ape + old, Array("LYRICSBEGIN".utf8) + noise] {
            let decoder = try Decoder.open(folder.write(whole + rest, to: "rubbish.mp3"))
            #expect(try decodeAll(decoder).count / 2 == Self.frames && decoder.takeGap() == nil)
        }
    }

    /// Returns the song with some of its bytes replaced by others.
    private func damaged(_ bytes: [UInt8], _ place: Int, _ other: [UInt8]) -> [UInt8] {
        var bytes = bytes
        bytes.replaceSubrange(place..<place + other.count, with: other)
        return bytes
    }

    /// A file system that was not closed leaves blocks of zeros.
    @Test(arguments: [4096, 8192, 65_536], [0, 7] as [UInt8])
    func damagedBlocksAreSilentAndTheRestIsInItsPlace(length: Int, content: UInt8) throws {
        try folder.encodeConstant(music(frames: 3 * Self.frames), to: "constant.mp3")
        let bytes = try folder.bytes(of: "constant.mp3")
        let whole = try decodeAll(folder.path("constant.mp3"))
        for place in [8192, bytes.count / 3 / 4096 * 4096] {
            let bytes = damaged(bytes, place, [UInt8](repeating: content, count: length))
            let path = try folder.write(bytes, to: "damaged.mp3")
            let decoder = try Decoder.open(path)
            let heard = try decodeAll(decoder)
            try #require(heard.count == whole.count, "\(heard.count) of \(whole.count)")
            let tail = 2 * 100_000
            #expect(differences(heard.suffix(tail), whole.suffix(tail), above: 1e-6).isEmpty)
            let wrong = differences(heard[...], whole[...], above: 1e-6).count / 2
            #expect(wrong < length * 3 * Self.frames / bytes.count + 12 * 1152, "\(wrong) frames")
            let gap = decoder.takeGap()
            #expect(gap?.message.contains("frames are silent") == true && decoder.takeGap() == nil, "\(gap as Any)")
            for again in [decoder, try Decoder.open(path)] { try expectSeeks(again, heard) }
        }
    }

    /// Checks seeks to many positions, including positions within the damage and after it.
    private func expectSeeks(_ decoder: Decoder, _ heard: [Float]) throws {
        let frames = heard.count / 2
        for target in [frames - 5000, frames / 3 + 3000, frames / 2, 3000, frames - 1, 20_000, frames - 90_000] {
            #expect(try decoder.seek(toFrame: target) == target)
            var block = [Float](repeating: 1, count: 2 * 5000)
            let count = try decoder.read(into: &block, frames: 5000)
            #expect(count == min(5000, frames - target))
            // Frames after damage lack bits from earlier frames, depending on where decoding begins.
            let wrong = differences(block[..<(2 * count)], heard[(2 * target)...], above: 1e-6)
            #expect(wrong.isEmpty, "\(wrong.count) at \(target)")
        }
        #expect(try decoder.seek(toFrame: 2 * frames) == frames && decodeAll(decoder).isEmpty)
    }

    /// There are fewer frames before the damage than are otherwise needed to recognise a stream.
    @Test(arguments: [1, 2, 5]) func framesBeforeDamageAtTheStartArePlayed(frames: Int) throws {
        try folder.encodeConstant(music(frames: Self.frames), to: "constant.mp3")
        let song = try MP3(folder.bytes(of: "constant.mp3"))
        let whole = try decodeAll(folder.write(song.info + song.sound, to: "whole.mp3"))
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 2] + [UInt8](repeating: 7, count: 130)
        let place = song.frames[..<frames].reduce(song.info.count) { $0 + $1.count }
        for (content, length) in [(0, 4096), (7, 3000)] as [(UInt8, Int)] {
            let bytes = damaged(song.info + song.sound, place, [UInt8](repeating: content, count: length))
            let decoder = try Decoder.open(folder.write(tag + bytes, to: "damaged.mp3"))
            let heard = try decodeAll(decoder)
            try #require(heard.count == whole.count, "\(heard.count) of \(whole.count)")
            let tail = 2 * 200_000
            #expect(differences(heard.suffix(tail), whole.suffix(tail), above: 1e-6).isEmpty)
            #expect(decoder.takeGap()?.message.contains("frames are silent") == true)
        }
    }

    /// The frames have different lengths.
    @Test(arguments: [4096, 20_000]) func damagedBlocksOfAVariableRateKeepTheirApproximateLength(length: Int) throws {
        try folder.encode(music(frames: 900_000), to: "song.mp3", .mp3)
        let bytes = try folder.bytes(of: "song.mp3")
        let decoder = try Decoder.open(
            folder.write(damaged(bytes, 40_960, [UInt8](repeating: 0, count: length)), to: "damaged.mp3"))
        let heard = try decodeAll(decoder).count / 2
        #expect(abs(heard - 900_000) <= 6 * 1152, "\(heard)")
        #expect(decoder.takeGap()?.message.contains("frames are silent") == true)
    }

    @Test func zerosAtTheEndAreReportedIfFramesAreMissing() throws {
        try folder.encodeConstant(music(frames: Self.frames), to: "constant.mp3")
        let bytes = try folder.bytes(of: "constant.mp3")
        let zeros = [UInt8](repeating: 0, count: 8192)
        let decoder = try Decoder.open(
            folder.write(damaged(bytes, bytes.count - zeros.count, zeros), to: "damaged.mp3"))
        #expect(try decodeAll(decoder).count > Self.frames)
        #expect(decoder.takeGap()?.message.contains("bytes are not MPEG frames") == true)
    }

    /// The number of bytes in the first frame shows that the file is cut short, unless all frames are present.
    @Test func fileThatIsCutShortIsReported() throws {
        let song = try song()
        let whole = song.info + song.sound
        let old = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
        for (length, tail) in [(whole.count * 2 / 3, []), (whole.count * 2 / 3, old), (whole.count - 4000, [])] {
            let decoder = try Decoder.open(folder.write(whole[..<length] + tail, to: "cut.mp3"))
            let error = thrown(DecoderError.self) { _ = try decodeAll(decoder) }
            #expect(error?.reason == .damaged && decoder.position > 150_000, "\(error as Any)")
            #expect(error?.message.contains("bytes of it are missing") == true, "\(error as Any)")
        }
    }

    /// A file system that allocates blocks in advance leaves zeros at the end of a file when the power fails.
    @Test(arguments: [500_000, 2_000_000, 20_000_000]) func zerosAfterTheLastFrameDoNotCount(zeros: Int) throws {
        try folder.encodeConstant(music(frames: 3 * Self.frames), to: "constant.mp3")
        let bytes = try folder.bytes(of: "constant.mp3")
        let tail = [UInt8](repeating: 0, count: zeros)
        let whole = try Decoder.open(folder.write(bytes + tail, to: "zeros.mp3"))
        #expect(whole.likelyFrameCount == 3 * Self.frames)
        #expect(try decodeAll(whole).count == 6 * Self.frames && whole.takeGap() == nil)
        let cut = try Decoder.open(folder.write(bytes[..<(bytes.count * 9 / 10)] + tail, to: "cut.mp3"))
        let likely = try #require(cut.likelyFrameCount)
        #expect((2 * Self.frames..<3 * Self.frames).contains(likely), "\(likely)")
        let error = thrown(DecoderError.self) { _ = try decodeAll(cut) }
        #expect(error?.message.contains("bytes of it are missing") == true, "\(error as Any)")
    }

    /// An editor leaves zeros at the end of a file, and another file is joined.
    @Test func paddingBetweenJoinedFilesIsNotDamage() throws {
        let song = try song()
        let zeros = [UInt8](repeating: 0, count: 5000)
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 2] + [UInt8](repeating: 7, count: 130)
        for between in [zeros, zeros + tag] {
            let one = song.info + song.sound
            let decoder = try Decoder.open(folder.write(one + between + one, to: "joined.mp3"))
            let heard = try decodeAll(decoder).count / 2
            #expect((2 * Self.frames...2 * Self.frames + 10_000).contains(heard) && decoder.takeGap() == nil)
        }
    }

    /// A gap is reported once, and the frames after it are played.
    @Test func framesAfterDamageArePlayed() throws {
        let song = try song()
        let half = song.frames.count / 2
        let noise = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 167 >> 5) }
        let bytes = song.frames[..<half].flatMap { $0 } + noise + song.frames[half...].flatMap { $0 }
        let decoder = try Decoder.open(folder.write(bytes, to: "damaged.mp3"))
        let heard = try decodeAll(decoder).count / 2
        // The noise replaces about as many frames.
        let length = song.frames[half - 100..<half + 100].reduce(0) { $0 + $1.count } / 200
        let whole = (song.frames.count + noise.count / length) * 1152
        #expect(abs(heard - whole) < whole / 20, "\(heard) of \(whole)")
        #expect(decoder.takeGap()?.message.contains("bytes are not MPEG frames") == true)
        #expect(decoder.takeGap() == nil)
    }

    /// Random bytes contain headers of frames with any rate.
    @Test func randomBytesDoNotEndATrack() throws {
        let song = try song()
        let other = try self.song("other.mp3", rate: 44_100)
        var chance = SplitMix(seed: 7)
        var gaps = 0
        for round in 0..<40 {
            let noise = (0..<4096 + 300 * round).map { _ in UInt8.random(in: 0...255, using: &chance) }
            // The noise replaces frames, or is between two of them or after the last one.
            let place = Int.random(in: 20_000..<song.sound.count - 30_000, using: &chance)
            var replaced = song.sound
            replaced.replaceSubrange(place..<place + noise.count, with: noise)
            let half = song.frames.count / 2
            let inserted = song.frames[..<half].flatMap { $0 } + noise + song.frames[half...].flatMap { $0 }
            for bytes in [replaced, inserted, song.sound + noise] {
                let decoder = try Decoder.open(folder.write(bytes, to: "noise.mp3"))
                let heard = try decodeAll(decoder).count / 2
                // A frame that looks like one of this file is accepted, and may hide the next ones. The noise replaces
                // frames, of which the shortest have 96 bytes.
                let lost = bytes == replaced ? noise.count / 96 : 16
                let more = bytes == inserted ? noise.count / 96 : 8
                let whole = song.frames.count
                #expect((whole - lost...whole + more).contains(heard / 1152), "\(heard) in \(round)")
                if decoder.takeGap() != nil { gaps += 1 }
            }
            guard round % 8 == 0 else { continue }
            let decoder = try Decoder.open(folder.write(song.sound + noise + other.sound, to: "change.mp3"))
            let error = thrown(DecoderError.self) { _ = try decodeAll(decoder) }
            #expect(error?.reason == .unsupported && error?.message.contains("to 44100 Hz") == true, "\(error as Any)")
        }
        #expect(gaps >= 80)
    }

    /// The frames after the tag are found as they are after any other bytes.
    @Test(arguments: [0, 1000]) func tagLongerThanTheFileIsIgnored(content: Int) throws {
        let song = try song()
        let tag = Array("ID3".utf8) + [4, 0, 0, 0x7f, 0x7f, 0x7f, 0x7f] + [UInt8](repeating: 0x41, count: content)
        #expect(try frames(of: tag + song.sound) == song.frames.count * 1152)
    }

    @Test func joinedFilesArePlayedWithTheTagsBetweenThem() throws {
        let song = try song()
        let picture = (0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 167 >> 5) & 0x7f }
        let size = (0..<4).map { UInt8(picture.count >> (21 - 7 * $0) & 0x7f) }
        let tag = joined(text("ID3"), [4, 0, 0], size, picture)
        let old = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
        let one = song.info + song.sound
        let decoder = try Decoder.open(folder.write(tag + one + old + tag + one, to: "joined.mp3"))
        let heard = try decodeAll(decoder).count / 2
        #expect((2 * Self.frames...2 * Self.frames + 10_000).contains(heard) && decoder.takeGap() == nil)
    }

    /// Recordings of radio programmes contain such changes. The rest is mixed to the channels with which the file
    /// begins.
    @Test func changeOfChannelsIsPlayed() throws {
        let (stereo, mono) = (try song(), try song("mono.mp3", channels: 1))
        for (one, other) in [(stereo, mono), (mono, stereo)] {
            let decoder = try Decoder.open(folder.write(one.sound + other.sound, to: "both.mp3"))
            let heard = try decodeAll(decoder).count / decoder.format.channels
            #expect(heard == (one.frames.count + other.frames.count) * 1152, "\(decoder.format)")
        }
    }

    @Test func changeOfTheRateEndsTheTrack() throws {
        let (one, other) = (try song(), try song("other.mp3", rate: 44_100))
        let whole = try one.counting(one.frames.count)
        let decoder = try Decoder.open(folder.write(whole + other.sound, to: "both.mp3"))
        var block = [Float](repeating: 0, count: 2000)
        let error = thrown(DecoderError.self) { while try decoder.read(into: &block, frames: 1000) > 0 {} }
        #expect(decoder.position == Self.frames && error?.reason == .unsupported)
        #expect(error?.message.contains("after frame 300000") == true, "\(error as Any)")
    }

    /// An editor, a radio recorder or a file system that was not closed may leave such frames.
    @Test(arguments: [8, 40]) func framesOfAnotherRateInTheMiddleAreSilentAndTheRestIsPlayed(count: Int) throws {
        let (song, other) = (try song(), try song("other.mp3", rate: 44_100))
        let (start, end) = (100, 100 + count)
        let spliced = song.frames[..<start] + other.frames[50..<50 + count] + song.frames[end...]
        let whole = try decodeAll(folder.write(song.sound, to: "whole.mp3"))
        let decoder = try Decoder.open(folder.write(spliced.flatMap { $0 }, to: "spliced.mp3"))
        let heard = try decodeAll(decoder)
        try #require(heard.count == whole.count, "\(heard.count) of \(whole.count)")
        // The frames after the splice lack bits of those before it.
        let settled = 2 * 1152 * (end + 10)
        let wrong = differences(heard[settled...], whole[settled...], above: 1e-6)
        #expect(settled < heard.count && wrong.isEmpty, "\(wrong.count)")
        #expect(heard[2 * 1152 * (start + 2)..<2 * 1152 * (end - 1)].allSatisfy { $0 == 0 })
        let gap = decoder.takeGap()
        #expect(gap?.message.contains("\(count) MPEG frames of another rate are silent") == true, "\(gap as Any)")
        let target = 1152 * (end + 60)
        #expect(try decoder.seek(toFrame: target) == target)
        let rest = try decodeAll(decoder)
        #expect(differences(rest[...], whole[(2 * target)...], above: 1e-6).isEmpty)
    }

    /// The length of a frame is not in its header.
    @Test func freeFormatIsPlayed() throws {
        try folder.encodeConstant(music(frames: 96_000), to: "constant.mp3")
        let song = try MP3(folder.bytes(of: "constant.mp3"))
        let lengths = Set(song.frames.dropLast().map(\.count))
        try #require(lengths.count == 1)
        let free = song.frames.map { [$0[0], $0[1], $0[2] & 0x0f, $0[3]] + $0[4...] }
        let heard = try frames(of: free.flatMap { $0 }, "free.mp3")
        #expect((free.count - 2) * 1152...free.count * 1152 ~= heard, "\(heard) of \(free.count * 1152)")
    }

    @Test func largeTagAtTheStartIsSkippedAndItsTextsAreRead() throws {
        let song = try song()
        func frame(_ name: String, _ content: [UInt8]...) -> [UInt8] {
            let content = content.flatMap { $0 }
            let size = (0..<4).map { UInt8(truncatingIfNeeded: content.count >> (24 - 8 * $0)) }
            return joined(text(name), size, [0, 0], content)
        }
        let utf16 = "Über".utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
        let frames = joined(
            frame("APIC", [0], text("image/jpeg"), [0, 3, 0], [UInt8](repeating: 0xff, count: 3_000_000)),
            frame("TIT2", [1, 0xff, 0xfe], utf16, [0, 0]), frame("TPE1", [3], text("Me")),
            frame("TRCK", [0], text("7/9")), frame("TCON", [0], text("(17)")),
            frame("TALB", [0], [UInt8](repeating: 0x41, count: 100_000)),
            frame("COMM", [0], text("engx"), [0], text("private")), frame("COMM", [0], text("eng"), [0], text("nice")))
        let size = (0..<4).map { UInt8(frames.count >> (21 - 7 * $0) & 0x7f) }
        let tag = joined(text("ID3"), [3, 0, 0], size, frames)
        let decoder = try Decoder.open(folder.write(tag + song.sound, to: "tagged.mp3"))
        let tags = decoder.tags
        #expect(tags.title == "Über" && tags.artist == "Me" && tags.trackNumber == 7 && tags.genre == "Rock")
        #expect(tags.comment == "nice" && tags.album?.utf8.count ?? 0 <= 1024 && tags.album?.hasPrefix("AAA") == true)
        #expect(try decodeAll(decoder).count / 2 == song.frames.count * 1152)
        // There are two tags, as some programs write them.
        #expect(try self.frames(of: tag + tag + song.sound) == song.frames.count * 1152)
    }

    /// Zeros follow some bytes of such a tag, so that nothing in it looks like a frame of sound.
    @Test(arguments: [UInt8(3), 4]) func unsynchronisedTagsAreRead(version: UInt8) throws {
        let song = try song()
        // Before version 2.4, the lengths of the frames do not include the zeros.
        func frame(_ name: String, _ content: [UInt8], zeros: Int) -> [UInt8] {
            let length = content.count - (version == 3 ? zeros : 0)
            return Array(name.utf8) + [0, 0, 0, UInt8(length), 0, version == 3 ? 0 : 2] + content
        }
        let frames =
            frame("TIT2", [1, 0xff, 0, 0xfe, 0xff, 0, 0, 0x41, 0], zeros: 2)
            + frame("TALB", [0] + Array("Album".utf8), zeros: 0)
        let tag = Array("ID3".utf8) + [version, 0, 0x80, 0, 0, 0, UInt8(frames.count)] + frames
        let tags = try Decoder.open(folder.write(tag + song.sound, to: "tagged.mp3")).tags
        #expect(tags.title == "\u{ff}A" && tags.album == "Album", "\(tags)")
    }

    @Test func waveFileThatContainsMP3IsPlayed() throws {
        let song = try song()
        func little(_ number: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(number >> (8 * $0) & 0xff) } }
        let format =
            little(0x55, 2) + little(2, 2) + little(48_000, 4) + little(16_000, 4) + little(1, 2) + little(0, 2)
        let head = Array("RIFF".utf8) + little(0, 4) + Array("WAVEfmt ".utf8) + little(16, 4) + format
        let bytes = head + Array("data".utf8) + little(song.sound.count, 4) + song.sound
        #expect(try frames(of: bytes, "odd.wav") == song.frames.count * 1152)
    }

    /// A reader of untrusted bytes must not crash, hang, or deliver frames without end.
    @Test func damagedFilesAreReadToAnEnd() throws {
        let song = try song()
        let whole = try song.counting(song.frames.count)
        for step in 1...40 {
            var bytes = whole
            for index in stride(from: step * 3, to: bytes.count, by: step * 211 + 17) {
                bytes[index] = UInt8(truncatingIfNeeded: index &* step &* 2_654_435_761 >> 7)
            }
            bytes.removeLast(step * bytes.count / 100)
            guard let decoder = try? Decoder.open(folder.write(bytes, to: "broken.mp3")) else { continue }
            var block = [Float](repeating: 0, count: 4000)
            while let count = try? decoder.read(into: &block, frames: 2000), count > 0 {
                try #require(decoder.position <= 2 * Self.frames)
            }
            _ = try? decoder.seek(toFrame: 100_000)
            _ = try? decoder.seek(toFrame: 10_000_000)
        }
    }
}

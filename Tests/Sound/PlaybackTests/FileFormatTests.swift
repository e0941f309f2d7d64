import Foundation
import SoundLab
import Testing

@testable import Playback

/// The recognition of a file's format, and the handling of files whose headers are wrong.
@Suite struct FileFormatTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static func little(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private func error(_ bytes: [UInt8], _ name: String) throws -> DecoderError? {
        let path = try folder.write(bytes, to: name)
        return thrown(DecoderError.self) { try Decoder.open(path) }
    }

    @Test(arguments: [
        ("<!DOCTYPE html><html><head><title>404 Not Found</title>", "page.mp3", "it is not audio: it is a web page"),
        ("Dear diary, today nothing happened.", "text.ogg", "it is not audio: it is text"),
        ("#EXTM3U\nmusic.mp3\n", "list.mp3", "it is not audio: it is a playlist"),
        ("\0\0\0\u{20}ftypM4A \0\0\0\0", "song.mp3", "it is AAC"),
        ("Creative Voice File\u{1a}\u{1a}\0", "sound.wav", "it is VOC"), ("NIST_1A\n   1024\n", "a.wav", "it is NIST"),
        (" paf\0\0\0\0", "a.wav", "it is PAF"), ("FORM\0\0\0\u{20}8SVXVHDR", "a.aiff", "it is IFF 8SVX"),
        ("MAC \0\0", "a.mp3", "it is Monkey's Audio"), ("wvpk\0\0", "a.wav", "it is WavPack"),
        ("PK\u{3}\u{4}", "a.mp3", "it is not audio: it is a ZIP archive"),
        ("\u{1}\u{2}\u{3}", "a.mp3", "it is not audio"),
        ("OggS nothing", "a.ogg", "it is not audio"),
    ])
    func fileOfAnotherKindIsNamed(content: String, name: String, words: String) throws {
        let error = try #require(try error(Array(content.utf8), name))
        #expect(error.message.hasPrefix(words), "\(error)")
        #expect(error.reason == (words.hasPrefix("it is not audio") ? .notAudio : .unsupported))
        #expect(words.hasPrefix("it is not audio") || error.advice.contains("convert"))
    }

    @Test func streamOfAACIsNamed() throws {
        let frame: [UInt8] = [0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc] + [UInt8](repeating: 0x21, count: 10)
        let stream = (0..<50).flatMap { _ in frame }
        #expect(try error(stream, "a.mp3")?.message == "it is AAC")
        #expect(try error(Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 1, 0] + stream, "a.mp3")?.message == "it is AAC")
    }

    /// Every format that the documentation lists for a folder must be played.
    @Test func everyListedSuffixIsALibrarysTrack() {
        for name in Decoder.formats.flatMap(\.suffixes) {
            #expect(AudioExtension.matches("/music/a.\(name.uppercased())"), "\(name)")
            #expect(!UnplayableFiles.matches("/music/a.\(name)"), "\(name)")
        }
        for name in ["m4a", "mp2", "txt", "m3u", "wma", ""] { #expect(!AudioExtension.matches("/music/a.\(name)")) }
        for name in ["m4a", "mp2", "wma"] { #expect(UnplayableFiles.matches("/music/a.\(name)")) }
    }

    /// A bad sector or a failing disk is not the fault of the format.
    @Test func errorOfTheStorageIsReportedAsWhatItIs() {
        // Reading the file fails at offset 0, because address 0 is never mapped.
        let error = thrown(DecoderError.self) { try Decoder.open("/proc/self/mem") }
        #expect(error?.reason == .unreadable && error?.message == "Input/output error", "\(error as Any)")
        #expect(error?.advice.contains("check the disk") == true)
    }

    @Test(arguments: [Encoding.wav16, .flac16, .vorbis, .mp3])
    func fileThatLosesItsEndMeanwhileIsReported(_ encoding: Encoding) throws {
        let path = try folder.encode(music(frames: 300_000), to: "song.mp3", encoding)
        let decoder = try Decoder.open(path)
        var block = [Float](repeating: 0, count: 2000)
        #expect(try decoder.read(into: &block, frames: 1000) == 1000)
        #expect(truncate(path, off_t(try folder.bytes(of: "song.mp3").count / 2)) == 0)
        let error = thrown(DecoderError.self) { while try decoder.read(into: &block, frames: 1000) > 0 {} }
        #expect(error?.reason == .damaged && error?.message.contains("become shorter") == true, "\(error as Any)")
        #expect((1000..<300_000).contains(decoder.position))
    }

    // MARK: Ogg FLAC

    @Test func oggFLACIsPlayedFromEverywhere() throws {
        let samples = music(frames: 100_000).map { $0 >> 16 }
        let file = try FLACFile(samples, bits: 16, isOgg: true, in: folder)
        let expected = samples.map { Float($0) / 0x1p15 }
        let decoder = try Decoder.open(folder.write(file.bytes, to: "music.oga"))
        #expect(decoder.frameCount == 100_000)
        #expect(try decodeAll(decoder) == expected)
        for target in [0, 1, 50_000, 99_999, 12_345] {
            #expect(try decoder.seek(toFrame: target) == target)
            #expect(try decodeAll(decoder) == Array(expected[(2 * target)...]), "from \(target)")
        }
        let two = try Decoder.open(folder.write(file.bytes + file.bytes, to: "two.oga"))
        let error = thrown(DecoderError.self) { _ = try decodeAll(two) }
        #expect(error?.reason == .unsupported && error?.message.contains("after frame 100000") == true)
    }

    @Test func damagedOggFLACIsSilentWhereItIsDamaged() throws {
        let samples = music(frames: 200_000).map { $0 >> 16 | 1 }
        var bytes = try FLACFile(samples, bits: 16, isOgg: true, in: folder).bytes
        bytes[bytes.count / 2] ^= 4
        let decoder = try Decoder.open(folder.write(bytes, to: "music.oga"))
        let heard = try decodeAll(decoder)
        let expected = samples.map { Float($0) / 0x1p15 }
        #expect(heard.count == expected.count && decoder.takeGap() != nil)
        #expect(zip(heard, expected).allSatisfy { $0 == $1 || $0 == 0 })
        #expect(heard.count { $0 == 0 } < 2 * 48_000)
    }

    // MARK: WAV

    /// - Parameters:
    ///   - size: the size of the samples in the header, or nil for the right one.
    ///   - mask: the loudspeakers, or nil for a header without them.
    private static func wave(
        _ samples: [Int16], channels: Int = 2, size: Int? = nil, mask: Int? = nil, rest: [UInt8] = []
    ) -> [UInt8] {
        let data = samples.flatMap { little(Int($0), 2) }
        let plain = joined(
            little(channels, 2), little(48_000, 4), little(96_000 * channels, 4), little(2 * channels, 2))
        let guid: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]
        let format =
            mask.map {
                joined(
                    little(0xfffe, 2), plain, little(16, 2), little(22, 2), little(16, 2), little($0, 4), little(1, 2),
                    guid)
            } ?? joined(little(1, 2), plain, little(16, 2))
        let body = joined(
            text("WAVEfmt "), little(format.count, 4), format, text("data"), little(size ?? data.count, 4), data, rest)
        return joined(text("RIFF"), little(size ?? body.count, 4), body)
    }

    private static let samples = (0..<9600).map { Int16(truncatingIfNeeded: $0 &* 77 | 1) }

    /// The recorder of the file lost power.
    @Test(arguments: [0, Int(UInt32.max)])
    func wavWithoutTheSizeOfItsSamplesIsPlayed(size: Int) throws {
        let path = try folder.write(Self.wave(Self.samples, size: size), to: "a.wav")
        #expect(try decodeAll(path) == Self.samples.map { Float($0) / 0x1p15 })
        let decoder = try Decoder.open(path)
        #expect(try decoder.seek(toFrame: 4000) == 4000)
        #expect(try decodeAll(decoder).count == 1600)
    }

    private static func big(_ number: Int, _ count: Int) -> [UInt8] { little(number, count).reversed() }

    private static let bigSound = samples.flatMap { big(Int($0), 2) }

    /// Returns the same samples as AU.
    private static func sun(size: Int? = nil) -> [UInt8] {
        let sound = bigSound
        return Array(".snd".utf8) + big(24, 4) + big(size ?? sound.count, 4) + big(3, 4) + big(48_000, 4) + big(2, 4)
            + sound
    }

    /// Returns the same samples as CAF.
    private static func coreAudio(size: Int? = nil) -> [UInt8] {
        let format =
            big(Int(Double(48_000).bitPattern), 8) + Array("lpcm".utf8) + big(0, 4) + big(4, 4) + big(1, 4) + big(2, 4)
            + big(16, 4)
        let sound = big(0, 4) + bigSound
        return Array("caff".utf8) + big(1, 2) + big(0, 2) + Array("desc".utf8) + big(format.count, 8) + format
            + Array("data".utf8) + big(size ?? sound.count, 8) + sound
    }

    /// Returns the same samples as Wave64.
    private static func wave64() -> [UInt8] {
        func guid(_ name: String) -> [UInt8] {
            Array(name.utf8) + [0xf3, 0xac, 0xd3, 0x11, 0x8c, 0xd1, 0, 0xc0, 0x4f, 0x8e, 0xdb, 0x8a]
        }
        let format = little(1, 2) + little(2, 2) + little(48_000, 4) + little(192_000, 4) + little(4, 2) + little(16, 2)
        let sound = samples.flatMap { little(Int($0), 2) }
        let chunks =
            guid("wave") + guid("fmt ") + little(format.count + 24, 8) + format + guid("data")
            + little(sound.count + 24, 8) + sound
        let riff = Array("riff".utf8) + [0x2e, 0x91, 0xcf, 0x11, 0xa5, 0xd6, 0x28, 0xdb, 0x04, 0xc1, 0, 0]
        return riff + little(chunks.count + 24, 8) + chunks
    }

    /// Returns the same samples as AIFF.
    private static func aiff(size: Int? = nil) -> [UInt8] {
        let sound = bigSound
        // The rate, 48 kHz, is an extended float.
        let rate: [UInt8] = [0x40, 0x0e, 0xbb, 0x80, 0, 0, 0, 0, 0, 0]
        let common = big(2, 2) + big(samples.count / 2, 4) + big(16, 2) + rate
        let chunks = Array("COMM".utf8) + big(common.count, 4) + common + Array("SSND".utf8)
        let data = big(size ?? sound.count + 8, 4) + big(0, 8) + sound
        return Array("FORM".utf8) + big(4 + chunks.count + data.count, 4) + Array("AIFF".utf8) + chunks + data
    }

    @Test(arguments: [nil, 0x7fff_ffff]) func completeAIFFIsPlayedToItsEnd(size: Int?) throws {
        #expect(try decodeAll(folder.write(Self.aiff(size: size), to: "a.aiff")).count == 9600)
    }

    /// Programs write such a size into a pipe.
    @Test func unknownSizeIsThatOfTheFile() throws {
        #expect(try decodeAll(folder.write(Self.sun(size: Int(UInt32.max)), to: "a.au")).count == 9600)
        #expect(try decodeAll(folder.write(Self.coreAudio(size: -1), to: "a.caf")).count == 9600)
    }

    /// An interrupted copy leaves such a file.
    @Test func fileThatIsCutOffIsPlayedAndReported() throws {
        let whole = Self.wave(Self.samples)
        let sizes = Array("ds64".utf8) + Self.little(28, 4) + Self.little(whole.count + 28, 8)
        let counts = Self.little(Self.samples.count * 2, 8) + Self.little(Self.samples.count / 2, 8) + Self.little(0, 4)
        let unknown = Self.wave(Self.samples, size: Int(UInt32.max))
        let long = Array("RF64".utf8) + Array(unknown[4..<12]) + sizes + counts + Array(unknown[12...])
        let files = [
            (whole, "a.wav"), (long, "a.rf64"), (Self.aiff(), "a.aiff"), (Self.wave64(), "a.w64"),
            (Self.sun(), "a.au"), (Self.coreAudio(), "a.caf"),
        ]
        for (bytes, name) in files {
            let decoder = try Decoder.open(folder.write(Array(bytes.dropLast(4000)), to: name))
            var block = [Float](repeating: 0, count: 20_000)
            #expect(try decoder.read(into: &block, frames: 10_000) == 3800)
            #expect(block[..<7600].elementsEqual(Self.samples[..<7600].map { Float($0) / 0x1p15 }))
            let error = thrown(DecoderError.self) { try decoder.read(into: &block, frames: 1000) }
            #expect(error?.reason == .damaged)
            #expect(
                error?.message == "the stream ends at frame 3800, and 4000 bytes of it are missing", "\(error as Any)")
            #expect(try decoder.seek(toFrame: 3000) == 3000)
            #expect(try decodeAll(folder.write(bytes, to: name)).count == 9600)
        }
    }

    /// These are sizes that programs write into a pipe, and one that includes the header.
    @Test(arguments: [0x7fff_f000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffdb, 9600 * 2 + 44])
    func wavWithAnInvalidSizeIsPlayedToItsEnd(size: Int) throws {
        #expect(try decodeAll(folder.write(Self.wave(Self.samples, size: size), to: "a.wav")).count == 9600)
    }

    @Test func rf64WithoutTheSizeOfItsSamplesIsPlayed() throws {
        let wave = Self.wave(Self.samples, size: 0xffff_ffff)
        let sizes = Array("ds64".utf8) + Self.little(28, 4) + [UInt8](repeating: 0, count: 28)
        let bytes = Array("RF64".utf8) + Array(wave[4..<12]) + sizes + Array(wave[12...])
        #expect(try decodeAll(folder.write(bytes, to: "a.rf64")).count == Self.samples.count)
    }

    @Test func wavThatIsReallyEmptyIsReportedAsEmpty() throws {
        let list = Array("LIST".utf8) + Self.little(4, 4) + Array("INFO".utf8)
        #expect(try error(Self.wave([], size: 0, rest: list), "a.wav")?.reason == .noAudio)
        #expect(try error(Self.wave([], size: 0), "b.wav")?.reason == .noAudio)
    }

    /// Without the mask, 2.1 would be left, right and centre, and four channels would be quadrophonic.
    @Test(arguments: [
        (3, 0b1011, [Speaker.frontLeft, .frontRight, .lowFrequency]),
        (4, 0b1111, [.frontLeft, .frontRight, .frontCentre, .lowFrequency]),
        (4, 0b1_0000_0111, [.frontLeft, .frontRight, .frontCentre, .surroundCentre]),
        (2, 0b1100, [.frontCentre, .lowFrequency]),
        (
            6, 0b110_0000_1111,
            [
                .frontLeft, .frontRight, .frontCentre, .lowFrequency, .surroundLeft, .surroundRight,
            ]
        ),
    ])
    func channelMaskOfAWAVIsFollowed(channels: Int, mask: Int, speakers: [Speaker]) throws {
        let samples = [Int16](repeating: 8192, count: channels * 2000)
        let path = try folder.write(Self.wave(samples, channels: channels, mask: mask), to: "a.wav")
        let decoder = try Decoder.open(path)
        #expect(decoder.channelOrder == .speakers(speakers))
        let map = ChannelMap(from: channels, order: decoder.channelOrder, to: 2)
        var heard: [Float] = [0, 0]
        // The low-frequency channel is left out.
        let low = speakers.map { $0 == .lowFrequency ? Float(1) : 0 }
        map.map(low, into: &heard, frames: 1)
        #expect(heard == [0, 0])
        map.map([Float](repeating: 0.25, count: channels), into: &heard, frames: 1)
        #expect(heard[0] > 0 && heard[0] == heard[1])
    }

    @Test func stereoWithTheUsualMaskIsUnchanged() throws {
        let path = try folder.write(Self.wave(Self.samples, mask: 3), to: "a.wav")
        let decoder = try Decoder.open(path)
        #expect(ChannelMap(from: 2, order: decoder.channelOrder, to: 2).isIdentity)
        #expect(ChannelMap(from: 1, order: .speakers([.frontLeft]), to: 2).isIdentity == false)
    }
}

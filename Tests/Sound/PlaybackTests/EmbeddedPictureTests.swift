import Chance
import Testing

@testable import Playback

/// Pictures in tags, complete and broken.
@Suite struct EmbeddedPictureTests {
    private static let cover: [UInt8] = [0xff, 0xd8, 0xff, 0xe0, 0xff, 0x00, 3, 2, 1]
    private static let back: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 9]

    private static func big(_ number: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    private static func little(_ number: Int) -> [UInt8] { big(number).reversed() }
    private static func synchsafe(_ number: Int) -> [UInt8] {
        (0..<4).reversed().map { UInt8(number >> ($0 * 7) & 0x7f) }
    }

    // MARK: Files

    private static func block(_ bytes: [UInt8], type: Int = 3) -> [UInt8] {
        joined(
            big(type), big(10), text("image/jpeg"), big(2), text("ü"), [UInt8](repeating: 0, count: 16),
            big(bytes.count), bytes)
    }

    private static func flac(_ blocks: [[UInt8]]) -> [UInt8] {
        let all = [(0, [UInt8](repeating: 1, count: 34))] + blocks.map { (6, $0) }
        let parts = all.enumerated().map { index, block in
            [UInt8(block.0 | (index == all.count - 1 ? 0x80 : 0))] + big(block.1.count, 3) + block.1
        }
        return text("fLaC") + parts.flatMap { $0 } + [0xff, 0xf8]
    }

    private static func id3(_ version: UInt8, flags: UInt8 = 0, _ frames: [UInt8]) -> [UInt8] {
        joined(text("ID3"), [version, 0, flags], synchsafe(frames.count), frames, [0xff, 0xfb, 0x90])
    }

    private static func apic(_ version: UInt8, _ bytes: [UInt8], type: UInt8 = 3, flags: [UInt8] = [0, 0]) -> [UInt8] {
        if version == 2 {
            let content = joined([0], text("JPG"), [type], text("c\0"), bytes)
            return text("PIC") + big(content.count, 3) + content
        }
        // The description is in UTF-16.
        let content = joined([1], text("image/jpeg\0"), [type, 0xff, 0xfe, 0x63, 0, 0, 0], bytes)
        let size = version == 4 ? synchsafe(content.count) : big(content.count)
        return joined(text("APIC"), size, flags, content)
    }

    private static func base64(_ bytes: [UInt8]) -> [UInt8] {
        let digits = text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var result: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = 0
            for byte in group { bits = bits << 8 | Int(byte) }
            bits <<= 8 * (3 - group.count)
            result += (0...group.count).map { digits[bits >> (18 - 6 * $0) & 63] }
            result += [UInt8](repeating: UInt8(ascii: "="), count: 3 - group.count)
        }
        return result
    }

    private static func page(_ packets: [[UInt8]], serial: Int = 7) -> [UInt8] {
        let lacing = packets.flatMap { packet in
            [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
        }
        return page(lacing, packets.flatMap { $0 }, serial: serial)
    }

    private static func page(_ lacing: [UInt8], _ body: [UInt8], serial: Int) -> [UInt8] {
        joined(
            text("OggS"), [0, 0], [UInt8](repeating: 0, count: 8), little(serial), little(0), little(0),
            [UInt8(lacing.count)], lacing, body)
    }

    /// Returns a packet on pages of 16 segments, each followed by a page of another stream.
    private static func pages(of packet: [UInt8]) -> [UInt8] {
        let most = 16 * 255
        return stride(from: 0, through: packet.count, by: most).flatMap { start in
            let body = Array(packet[start..<min(start + most, packet.count)])
            // A segment of less than 255 bytes ends the packet, even if it is empty.
            let end = body.count < most ? [UInt8(body.count % 255)] : []
            let lacing = [UInt8](repeating: 255, count: body.count / 255) + end
            return page(lacing, body, serial: 7) + page([text("of another stream")], serial: 8)
        }
    }

    private static func comments(_ magic: [UInt8], _ picture: [UInt8]) -> [UInt8] {
        let comment = text("Metadata_Block_Picture=") + base64(block(picture))
        return joined(
            magic, little(2), text("me"), little(2), little(7), text("TITLE=x"), little(comment.count), comment)
    }

    private static func ogg(_ magic: [UInt8], _ picture: [UInt8]) -> [UInt8] {
        page([text("\u{1}vorbis or OpusHead")]) + page([text("of another stream")], serial: 8)
            + page([comments(magic, picture)])
    }

    private static func repeated(_ page: [UInt8], _ count: Int) -> [UInt8] {
        var result: [UInt8] = []
        for _ in 0..<count { result += page }
        return result
    }

    /// A file that counts the bytes that are read from it.
    private final class CountedBytes: ByteSource {
        private let content: [UInt8]
        private(set) var bytesRead = 0

        init(_ content: [UInt8]) { self.content = content }

        func bytes(at offset: Int, count: Int) -> [UInt8] {
            let bytes = content.bytes(at: offset, count: count)
            bytesRead += bytes.count
            return bytes
        }
    }

    // MARK: Complete

    @Test(arguments: [
        flac([block(cover)]), flac([block(back, type: 4), block(cover)]),
        id3(2, apic(2, cover)), id3(3, apic(3, cover)), id3(4, apic(4, cover)),
        id3(3, apic(3, back, type: 0) + apic(3, cover)),
        id3(4, joined(text("TIT2"), synchsafe(2), [0, 0, 0, 65], apic(4, cover))),
        id3(3, flags: 0x40, joined(big(6), [0, 0, 0, 0, 0, 0], apic(3, cover))),
        // This frame has a group byte and the length without unsynchronisation.
        id3(
            4,
            joined(
                text("APIC"), synchsafe(22), [0, 0x41, 5], synchsafe(9), [0], text("a\0"), [3, 0], cover, [0, 0, 0])),
        ogg([3] + text("vorbis"), cover), ogg(text("OpusTags"), cover),
        // This file has an ID3 tag in front of FLAC.
        joined(text("ID3"), [3, 0, 0], synchsafe(20), [UInt8](repeating: 0, count: 20), flac([block(cover)])),
    ])
    func findsTheFrontCover(file: [UInt8]) {
        let picture = EmbeddedPicture.find(in: file)
        #expect(picture?.format == .jpeg && picture?.bytes.starts(with: Self.cover) == true)
    }

    /// A zero after each 0xff prevents a decoder from mistaking the tag for audio.
    @Test func reversesUnsynchronisation() {
        let written = Self.cover.flatMap { $0 == 0xff ? [$0, 0] : [$0] }
        let content = joined([0], text("a\0"), [3, 0], written)
        for (version, flags, frame) in [(UInt8(3), UInt8(0x80), UInt8(0)), (4, 0, 2)] {
            let size = version == 4 ? content.count : content.count - (written.count - Self.cover.count)
            let frame = joined(
                text("APIC"), version == 4 ? Self.synchsafe(size) : Self.big(size), [0, frame], content)
            #expect(EmbeddedPicture.find(in: Self.id3(version, flags: flags, frame))?.bytes == Self.cover)
        }
    }

    @Test func findsTheFirstPictureWhenThereIsNoFrontCover() {
        #expect(EmbeddedPicture.find(in: Self.flac([Self.block(Self.back, type: 4)]))?.format == .png)
    }

    @Test func findsNothingInFilesWithoutAPicture() {
        let link = text("http://example.org/cover.jpg")
        for file in [
            [], Self.flac([]), Self.flac([Self.block(link)]), Self.id3(3, Self.apic(3, link)), text("RIFF"),
        ] {
            #expect(EmbeddedPicture.find(in: file) == nil)
        }
        #expect(
            EmbeddedPicture.read(Track(path: "/dev/zero")) == nil
                && EmbeddedPicture.read(Track(path: "/nowhere")) == nil)
    }

    @Test func ignoresPicturesThatAreTooLarge() {
        let large = Self.cover + [UInt8](repeating: 0, count: EmbeddedPicture.longest)
        #expect(EmbeddedPicture.find(in: Self.flac([Self.block(large)])) == nil)
        #expect(EmbeddedPicture.find(in: Self.flac([Self.block(large), Self.block(Self.cover)]))?.bytes == Self.cover)
    }

    @Test(arguments: [cover, text("http://example.org/cover.jpg")])
    func doesNotReadTheAudioAfterAnOggFilesComments(picture: [UInt8]) {
        let audio = Self.page([[UInt8](repeating: 0x55, count: 60_000)])
        let header = Self.ogg(text("OpusTags"), picture)
        let file = CountedBytes(header + Self.repeated(audio, 50))
        #expect(EmbeddedPicture.find(in: file) == EmbeddedPicture(picture[...]))
        #expect(file.bytesRead < 4 * header.count + 1000, "\(file.bytesRead)")
    }

    @Test func findsAPictureThatSpansManyOggPages() {
        let large = Self.cover + (0..<50_000).map { UInt8($0 * 7 % 251) }
        let start = Self.page([text("OpusHead")])
        let packet = Self.comments(text("OpusTags"), large)
        let file = CountedBytes(start + Self.pages(of: packet) + Self.page([[UInt8](repeating: 0x55, count: 60_000)]))
        #expect(packet.count > 16 * 16 * 255 && EmbeddedPicture.find(in: file)?.bytes == large)
        #expect(file.bytesRead < packet.count + 30_000, "\(file.bytesRead)")
    }

    /// The comments continue from page to page, or all pages are empty.
    @Test func readsAnOggFileWithEndlessCommentsOnlyUpToTheLimit() {
        let header = Self.page([text("OpusHead")])
        let full = Self.page([UInt8](repeating: 255, count: 255), [UInt8](repeating: 1, count: 65_025), serial: 7)
        for (page, count) in [(full, 160), (Self.page([]), 40_000)] {
            let file = CountedBytes(header + Self.repeated(page, count))
            #expect(EmbeddedPicture.find(in: file) == nil)
            #expect(file.bytesRead < EmbeddedPicture.longestTag + (1 << 18), "\(file.bytesRead)")
        }
    }

    // MARK: Broken

    /// Wrong lengths must not lead to reads beyond the end.
    @Test func toleratesBrokenTags() {
        var random = SplitMix(seed: 16)
        let files = [
            Self.flac([Self.block(Self.cover)]), Self.id3(2, Self.apic(2, Self.cover)),
            Self.id3(3, flags: 0x40, Self.big(6) + [0, 0, 0, 0, 0, 0] + Self.apic(3, Self.cover)),
            Self.id3(4, Self.apic(4, Self.cover, flags: [0, 3])), Self.ogg([3] + text("vorbis"), Self.cover),
        ]
        for file in files {
            for length in file.indices { _ = EmbeddedPicture.find(in: Array(file[..<length])) }
            for _ in 0..<3000 {
                var broken = file
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let index = Int.random(in: broken.indices, using: &random)
                    broken[index] =
                        [0, 0x7f, 0x80, 0xff, UInt8.random(in: 0...255, using: &random)]
                        .randomElement(using: &random) ?? 0
                }
                if let picture = EmbeddedPicture.find(in: broken) { #expect(picture.bytes.count < file.count) }
            }
        }
    }
}

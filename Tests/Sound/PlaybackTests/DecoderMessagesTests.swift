import Foundation
import SoundLab
import Testing

@testable import Playback

/// libmpg123's messages about damaged MP3s must not reach the journal.
@Suite(.serialized) struct DecoderMessagesTests {
    /// Returns the text printed to standard error during `body`.
    private func printed(_ body: () throws -> Void) throws -> String {
        let file = try #require(tmpfile())
        defer { fclose(file) }
        let error = dup(STDERR_FILENO)
        dup2(fileno(file), STDERR_FILENO)
        defer {
            dup2(error, STDERR_FILENO)
            close(error)
        }
        try body()
        lseek(fileno(file), 0, SEEK_SET)
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = read(fileno(file), &bytes, bytes.count)
        return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
    }

    /// The journal's stream is a socket, which may be writable without room for a whole message.
    @Test func messagesDoNotWaitForAnUnreadSocket() throws {
        let folder = try TemporaryFolder()
        _ = try Decoder.open(folder.encode(music(frames: 100), to: "a.wav", .wav16))
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        var smallest: Int32 = 1
        setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &smallest, socklen_t(MemoryLayout<Int32>.size))
        #expect(write(ends[1], "x", 1) == 1)
        let error = dup(STDERR_FILENO)
        dup2(ends[1], STDERR_FILENO)
        for _ in 0..<10 { perror(String(repeating: "y", count: 4000)) }
        dup2(error, STDERR_FILENO)
        close(error)
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = recv(ends[0], &bytes, bytes.count, Int32(MSG_DONTWAIT))
        ends.forEach { close($0) }
        // The part of the message for which there was room has been written.
        #expect(count > 1 && count < 40_000 && bytes[..<max(0, count)].contains(UInt8(ascii: "y")))
    }

    @Test func decodingADamagedMP3PrintsNothing() throws {
        let folder = try TemporaryFolder()
        try folder.encode(music(frames: 400_000), to: "song.mp3", .mp3)
        var bytes = try folder.bytes(of: "song.mp3")
        for index in bytes.count / 2..<bytes.count / 2 + 3000 { bytes[index] = UInt8(truncatingIfNeeded: index * 7) }
        let damaged = try folder.write(bytes, to: "damaged.mp3")
        let cut = try folder.write(Array(bytes[..<(bytes.count / 3)]), to: "cut.mp3")
        let text = try printed {
            for path in [damaged, cut] {
                let decoder = try Decoder.open(path)
                _ = try? decodeAll(decoder)
                _ = try? decoder.seek(toFrame: 250_000)
            }
        }
        for word in ["mpg123", "Xing", "Note:", "resync"] { #expect(!text.contains(word), "\(text)") }
    }

    /// `perror` prints to the replaced stream.
    @Test func otherMessagesAreStillPrinted() throws {
        let folder = try TemporaryFolder()
        _ = try Decoder.open(folder.encode(music(frames: 100), to: "a.wav", .wav16))
        #expect(try printed { perror("from elsewhere") }.contains("from elsewhere"))
        #expect(try !printed { DecoderMessages.dropped { perror("from a library") } }.contains("from a library"))
    }
}

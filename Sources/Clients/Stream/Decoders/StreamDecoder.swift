import Playback
import Synchronization

/// Decodes audio that arrives. Each call may wait for the network.
protocol StreamDecoder: AnyObject {
    /// Returns the next audio, or nil after the end of the stream.
    func next() throws(StreamError) -> DecodedAudio?
}

/// A piece of audio.
struct DecodedAudio {
    var rate: Int
    var channels: Int
    var order = ChannelOrder.wave
    /// The interleaved samples.
    var samples: [Float]
    /// What plays from here on according to the stream's comments, or nil if it has not changed.
    var description: StreamDescription?

    var frames: Int { samples.count / max(1, channels) }

    /// The rates and the numbers of channels that are accepted.
    static let rates = 8000...192_000
    static let channelCounts = 1...8

    static func check(rate: Int, channels: Int) throws(StreamError) {
        guard rates.contains(rate), channelCounts.contains(channels) else {
            throw StreamError("the stream has \(rate) Hz and \(channels) channels, which is not supported")
        }
    }

    /// Returns what Vorbis comments state about the music.
    static func description(of comments: [String]) -> StreamDescription {
        func value(_ name: String) -> String {
            comments.first { $0.utf8.count > name.utf8.count && $0.prefix(name.count + 1).lowercased() == "\(name)=" }
                .map { StreamText.limited(String($0.dropFirst(name.count + 1))) } ?? ""
        }
        return StreamDescription(title: value("title"), artist: value("artist"))
    }
}

/// The bytes for a decoder, whose library asks for them in a callback.
final class DecoderInput {
    private let source: HTTPSource
    /// The failure of the source, which a callback of C cannot throw.
    private(set) var failure: StreamError?
    /// The number of bytes since the last audio. The threads that read bytes and receive audio may differ.
    private let bytesSinceAudio = Atomic(0)

    /// The most bytes without audio. Decoders keep a tag or a packet in memory until its end, which may never come.
    /// Pictures in tags are much shorter.
    static let mostBytesWithoutAudio = 4 << 20

    init(_ source: HTTPSource) { self.source = source }

    /// - Returns: 0 after the end or a failure.
    func read(into buffer: UnsafeMutableRawPointer, limit: Int) -> Int {
        guard failure == nil, limit > 0 else { return 0 }
        do throws(StreamError) {
            guard bytesSinceAudio.load(ordering: .relaxed) < Self.mostBytesWithoutAudio else {
                throw StreamError("the server sends \(Self.mostBytesWithoutAudio >> 20) MiB without any audio")
            }
            let count = try source.read(into: buffer, limit: limit)
            bytesSinceAudio.add(count, ordering: .relaxed)
            return count
        } catch {
            failure = error
            return 0
        }
    }

    /// Records that the bytes so far contained audio. It is thread-safe.
    func noteAudio() { bytesSinceAudio.store(0, ordering: .relaxed) }

    /// Throws the failure of the source, or else that of the decoder.
    func fail(_ words: String) -> StreamError { failure ?? StreamError(words) }

    static func of(_ pointer: UnsafeMutableRawPointer?) -> DecoderInput? {
        pointer.map { Unmanaged<DecoderInput>.fromOpaque($0).takeUnretainedValue() }
    }

    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

/// Comments are counted and measured by the stream, which is not trusted.
private let mostComments = 64
private let longestComment = 1024

/// Returns the Vorbis comments of libvorbis and libopus, which have the same form.
func comments(
    _ texts: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ lengths: UnsafeMutablePointer<Int32>?,
    _ count: Int32
) -> [String] {
    guard let texts, let lengths else { return [] }
    return (0..<min(Int(count), mostComments)).compactMap { index in
        guard let text = texts[index] else { return nil }
        let length = min(max(0, Int(lengths[index])), longestComment)
        return StreamText.decode(UnsafeRawBufferPointer(start: text, count: length))
    }
}

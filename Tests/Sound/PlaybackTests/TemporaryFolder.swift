import CSndfile
import Foundation

@testable import Playback

/// A private folder for a test, which is removed with everything in it.
final class TemporaryFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "playback-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func path(_ name: String) -> String {
        "\(path)/\(name)"
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    }

    @discardableResult
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    func bytes(of name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(fileURLWithPath: path(name))))
    }

    /// Encodes stereo at 48 kHz as an MP3 whose frames have equal lengths.
    func encodeConstant(_ samples: [Int32], to name: String) throws {
        var info = SF_INFO()
        (info.samplerate, info.channels, info.format) = (48_000, 2, Encoding.mp3.format)
        guard let file = sf_open(path(name), Int32(SFM_WRITE), &info) else {
            throw EncodingFailure(words: String(cString: sf_strerror(nil)))
        }
        defer { sf_close(file) }
        var mode = Int32(SF_BITRATE_MODE_CONSTANT)
        sf_command(file, Int32(SFC_SET_BITRATE_MODE), &mode, Int32(MemoryLayout<Int32>.size))
        guard sf_writef_int(file, samples, Int64(samples.count / 2)) == samples.count / 2 else {
            throw EncodingFailure(words: String(cString: sf_strerror(file)))
        }
    }

    /// Encodes frames, given as interleaved 32-bit integers, and returns the path.
    @discardableResult
    func encode(
        _ samples: [Int32], to name: String, _ encoding: Encoding, rate: Int = 48_000, channels: Int = 2
    ) throws -> String {
        var info = SF_INFO()
        info.samplerate = Int32(rate)
        info.channels = Int32(channels)
        info.format = encoding.format
        guard let file = sf_open(path(name), Int32(SFM_WRITE), &info) else {
            throw EncodingFailure(words: String(cString: sf_strerror(nil)))
        }
        defer { sf_close(file) }
        let frames = samples.count / channels
        try samples.withUnsafeBufferPointer { buffer in
            var done = 0
            // The blocks are small, because libsndfile's Vorbis encoder crashes on long writes.
            while done < frames, let start = buffer.baseAddress {
                let count = min(4096, frames - done)
                guard sf_writef_int(file, start + done * channels, Int64(count)) == count else {
                    throw EncodingFailure(words: String(cString: sf_strerror(file)))
                }
                done += count
            }
        }
        return path(name)
    }
}

enum Encoding: CaseIterable {
    case wav16, wav24, flac16, flac24, vorbis, opus, mp3

    var format: Int32 {
        switch self {
        case .wav16: Int32(SF_FORMAT_WAV | SF_FORMAT_PCM_16)
        case .wav24: Int32(SF_FORMAT_WAV | SF_FORMAT_PCM_24)
        case .flac16: Int32(SF_FORMAT_FLAC | SF_FORMAT_PCM_16)
        case .flac24: Int32(SF_FORMAT_FLAC | SF_FORMAT_PCM_24)
        case .vorbis: Int32(SF_FORMAT_OGG | SF_FORMAT_VORBIS)
        case .opus: Int32(SF_FORMAT_OGG | SF_FORMAT_OPUS)
        case .mp3: Int32(SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III)
        }
    }
}

struct EncodingFailure: Error {
    let words: String
}

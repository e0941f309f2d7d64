import ALSA
import CSndfile
import Glibc

/// Writes a plain 32-bit PCM WAV file.
///
/// libsndfile does not report why a write has failed. For this reason, the writer uses `DescriptorIO`, which stores the
/// error, so that a full disk is reported as "No space left on device". Use a writer from one thread only. Its calls
/// block on the storage.
public final class AudioFileWriter {
    public let path: String
    public let format: StreamFormat
    /// The number of frames written so far.
    public private(set) var frames = 0

    private let io: DescriptorIO
    private var file: OpaquePointer?

    /// The maximum size of a file in bytes. It is limited because the sizes in a WAV header have 32 bits.
    private static let largestFile = Int(UInt32.max) - 4096

    /// Creates a file or truncates an existing one.
    /// - Throws: `PCMError` if the file cannot be created or the header cannot be written.
    public static func create(_ path: String, format: StreamFormat) throws(PCMError) -> AudioFileWriter {
        let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .system(errno, operation: "create", device: path) }
        return try AudioFileWriter(descriptor: descriptor, path: path, format: format)
    }

    /// Writes to an open file from its start. `finish` closes the file.
    /// - Parameters:
    ///   - descriptor: the descriptor of an empty file. The file must be seekable because `finish` completes the
    ///     header.
    ///   - path: the name to use in errors.
    /// - Throws: `PCMError` if the header cannot be written.
    public init(descriptor: Int32, path: String, format: StreamFormat) throws(PCMError) {
        self.path = path
        self.format = format
        io = DescriptorIO(descriptor)
        var info = SF_INFO()
        info.samplerate = Int32(format.rate)
        info.channels = Int32(format.channels)
        info.format = Int32(SF_FORMAT_WAV | SF_FORMAT_PCM_32)
        var functions = DescriptorIO.functions
        guard let file = sf_open_virtual(&functions, Int32(SFM_WRITE), &info, io.pointer) else {
            throw failure("create", words: sf_strerror(nil))
        }
        self.file = file
        // Write the header now to detect a full disk at once. By default, libsndfile writes the header later.
        sf_command(file, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
        if io.error != 0 { throw failure("write to", words: sf_strerror(file)) }
    }

    deinit {
        if let file { sf_close(file) }
    }

    /// Appends interleaved frames of 32-bit integers.
    /// - Throws: `PCMError` if the write fails. The file then holds the frames up to the failure. Do not write to it
    ///   again after that.
    public func write(_ samples: UnsafePointer<Int32>, frames: Int) throws(PCMError) {
        let file = try openFile(for: frames)
        let written = Int(sf_writef_int(file, samples, Int64(frames)))
        try account(for: written, of: frames)
    }

    /// Appends interleaved frames in the range ±1. Values outside the range are clamped.
    /// - Throws: `PCMError`, as for frames of integers.
    public func write(_ samples: UnsafePointer<Float>, frames: Int) throws(PCMError) {
        let block = 2048
        let converted = UnsafeMutablePointer<Int32>.allocate(capacity: block * format.channels)
        defer { converted.deallocate() }
        var done = 0
        while done < frames {
            let count = min(block, frames - done)
            SampleFormat.s32.encode(samples + done * format.channels, to: converted, count: count * format.channels)
            try write(UnsafePointer(converted), frames: count)
            done += count
        }
    }

    /// Completes the header and closes the file. This does nothing if the file is already closed.
    /// - Throws: `PCMError` if the file cannot be completed. The file is closed nevertheless.
    public func finish() throws(PCMError) {
        guard let file else { return }
        self.file = nil
        let code = sf_close(file)
        let closed = io.close()
        if io.error != 0 || code != SF_ERR_NO_ERROR {
            throw failure("complete", words: sf_error_number(code))
        }
        if closed != 0 { throw .system(closed, operation: "close", device: path) }
    }

    private func openFile(for frames: Int) throws(PCMError) -> OpaquePointer {
        guard let file else {
            throw .system(EBADF, operation: "write to", device: path, advice: "the file is already finished")
        }
        let bytes = (self.frames + frames) * format.channels * MemoryLayout<Int32>.stride
        guard bytes <= Self.largestFile else {
            throw .system(
                EFBIG, operation: "write to", device: path,
                advice: "start another file, because a WAV file holds at most 4 GiB")
        }
        return file
    }

    private func account(for written: Int, of frames: Int) throws(PCMError) {
        self.frames += max(0, written)
        if io.error != 0 || written != frames { throw failure("write to", words: sf_strerror(file)) }
    }

    /// Creates an error from the system's error if there was one, otherwise from libsndfile's message.
    private func failure(_ operation: String, words: UnsafePointer<CChar>?) -> PCMError {
        if io.error != 0 { return .system(io.error, operation: operation, device: path) }
        return PCMError(
            operation: operation, device: path, code: EINVAL,
            message: words.map { String(cString: $0) } ?? "unknown error",
            advice: "check that a WAV file can have the format \(format)")
    }
}

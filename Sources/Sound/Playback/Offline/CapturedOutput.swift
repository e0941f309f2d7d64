import ALSA
import Glibc

/// Passes frames through libasound and captures them. It uses libasound's `file` PCM on top of the `null` PCM.
///
/// The file is in shared memory. After every write, the frames are read back and the file is rewound. Unlike a pipe, a
/// file never blocks, so one thread can both write and read, regardless of how much the PCM buffers. Use it from one
/// thread only.
public final class CapturedOutput: PCMOutput {
    public let format: StreamFormat

    private let onSamples: (UnsafePointer<Int32>, Int) throws(PCMError) -> Void
    private let file: MemoryFile
    private var pcm: PCM
    private var isFinished = false
    private let block: UnsafeMutablePointer<Int32>
    private static let name = "captured"
    private static let blockFrames = 4096

    /// - Parameters:
    ///   - format: the rate and channels of the PCM.
    ///   - onSamples: called by `write` and `finish` with interleaved frames and their number, in order. The PCM holds
    ///     back the frames in its buffer until `finish`.
    /// - Throws: `PCMError` if libasound lacks its `file` or `null` plug-in, or if `/dev/shm` is full.
    public init(
        format: StreamFormat,
        onSamples: @escaping (_ samples: UnsafePointer<Int32>, _ frames: Int) throws(PCMError) -> Void
    ) throws(PCMError) {
        let file = try MemoryFile.create(for: Self.name)
        let pcm = try PCM.open(
            PCMAddress(
                Self.name,
                definedBy:
                    "pcm.\(Self.name) { type file slave.pcm { type null } file \(file.descriptor) format raw }"))
        var request = PCMRequest(format, sampleFormats: [.s32], periodFrames: 512, bufferFrames: 2048)
        request.needsChannels = true
        let configuration = try pcm.configure(request)
        guard configuration.format == format else {
            throw .system(EINVAL, operation: "set \(format) on", device: Self.name)
        }
        self.format = format
        self.onSamples = onSamples
        self.file = file
        self.pcm = pcm
        block = .allocate(capacity: Self.blockFrames * format.channels)
    }

    deinit {
        // Close the PCM before the file, because closing the PCM may still write to the descriptor, and the number of a
        // closed descriptor may be reused.
        pcm.close()
        block.deallocate()
    }

    public func write(_ samples: UnsafePointer<Int32>, frames: Int) throws(PCMError) {
        try pcm.writeAll(
            samples, frames: frames, bytesPerFrame: MemoryLayout<Int32>.stride * format.channels)
        try deliver()
    }

    /// Delivers the frames that the PCM still holds back. Without this call, these frames are lost. Nothing can be
    /// written afterwards.
    /// - Throws: `PCMError`, or the error that `onSamples` throws.
    public func finish() throws(PCMError) {
        guard !isFinished else { return }
        isFinished = true
        defer { pcm.close() }
        try pcm.drain()
        try deliver()
    }

    private func deliver() throws(PCMError) {
        let frameBytes = MemoryLayout<Int32>.stride * format.channels
        let written = try file.writtenBytes()
        var delivered = 0
        while delivered < written {
            let bytes = min(Self.blockFrames * frameBytes, written - delivered)
            try file.read(into: UnsafeMutableRawBufferPointer(start: block, count: bytes), from: delivered)
            delivered += bytes
            try onSamples(block, bytes / frameBytes)
        }
        try file.rewind()
    }
}

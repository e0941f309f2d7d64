import ALSA
import Glibc

/// Frames that have been through libasound, handed back: its `file` PCM, over its `null` PCM.
///
/// The file lies in shared memory and is read back and rewound after every write. Unlike a pipe it cannot be
/// full, so that one thread can do both ends whatever the PCM buffers.
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
    ///   - format: rate and channels of the PCM.
    ///   - onSamples: is given interleaved frames and their number, in order, from within `write` and `finish`. The
    ///     PCM holds back a buffer of frames until `finish`.
    /// - Throws: `PCMError` where libasound lacks its `file` or `null` plug-in, or there is no memory.
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
        // Before the file goes, as closing may still write into it, and its descriptor may soon be somebody else's.
        pcm.close()
        block.deallocate()
    }

    public func write(_ samples: UnsafePointer<Int32>, frames: Int) throws(PCMError) {
        try pcm.writeAll(
            samples, frames: frames, bytesPerFrame: MemoryLayout<Int32>.stride * format.channels)
        try deliver()
    }

    /// Hands over what the PCM still holds back; nothing can be written afterwards. Without it those frames are lost.
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

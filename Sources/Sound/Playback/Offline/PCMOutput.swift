import ALSA

/// Where rendered frames go.
public protocol PCMOutput: AnyObject {
    /// Rate and channels the output runs at.
    var format: StreamFormat { get }

    /// Writes `frames` interleaved frames, all of them, waiting as long as the output takes.
    func write(_ samples: UnsafePointer<Int32>, frames: Int) throws(PCMError)
}

/// A PCM of the system, by name.
public final class ALSAOutput: PCMOutput {
    public let configuration: PCMConfiguration
    private let pcm: PCM

    /// Opens and configures a PCM; closed, without draining, when the output goes.
    /// - Parameters:
    ///   - name: e.g. "default", "hw:0" or "null".
    ///   - format: what to ask for; `format` of the output is what was got.
    ///   - periodFrames: a wish.
    ///   - bufferFrames: a wish.
    public init(
        _ name: String, format: StreamFormat, periodFrames: Int = 1024, bufferFrames: Int = 4096
    ) throws(PCMError) {
        let pcm = try PCM.open(PCMAddress(name))
        var request = PCMRequest(
            format, sampleFormats: [.s32], periodFrames: periodFrames, bufferFrames: bufferFrames)
        request.needsChannels = true
        configuration = try pcm.configure(request)
        self.pcm = pcm
    }

    public var format: StreamFormat {
        configuration.format
    }

    public func write(_ samples: UnsafePointer<Int32>, frames: Int) throws(PCMError) {
        try pcm.writeAll(samples, frames: frames, bytesPerFrame: configuration.bytesPerFrame)
    }

    /// Waits until everything written has been played; nothing can be written afterwards.
    public func finish() throws(PCMError) {
        try pcm.drain()
    }
}

import ALSA

/// A destination for rendered frames.
public protocol PCMOutput: AnyObject {
    /// The output's rate and channels.
    var format: StreamFormat { get }

    /// Writes all of `frames` interleaved frames. The call blocks until the output has accepted them.
    /// - Throws: `PCMError` if the output fails. Some of the frames may have been written.
    func write(_ samples: UnsafePointer<Int32>, frames: Int) throws(PCMError)
}

/// A named PCM of the system. Use it from one thread only.
public final class ALSAOutput: PCMOutput {
    public let configuration: PCMConfiguration
    private let pcm: PCM

    /// Opens and configures a PCM. `deinit` closes it and discards queued frames.
    /// - Parameters:
    ///   - name: the name of the PCM, for example "default", "hw:0" or "null".
    ///   - format: the format to request. The number of channels is required. The device uses the nearest rate that it
    ///     supports, and the property `format` contains this rate.
    ///   - periodFrames: the preferred number of frames between two interrupts. The device may use another number.
    ///   - bufferFrames: the preferred size of the device's buffer in frames. The device may use another size.
    /// - Throws: `PCMError` if the PCM cannot be opened or configured.
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

    /// Waits until all written frames have been played. Nothing can be written afterwards.
    public func finish() throws(PCMError) {
        try pcm.drain()
    }
}

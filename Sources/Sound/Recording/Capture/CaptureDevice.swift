import ALSA
import CRealTime
import Glibc

/// An open and configured capture device. A sound server can block each of the device's calls indefinitely, so the
/// other threads use the phase to detect that the capturing thread is inside a call.
struct CaptureDevice: ~Copyable {
    let configuration: PCMConfiguration
    private let pcm: PCM
    private let lines: CaptureLines

    /// Opens a device and starts it. This allocates, and it may block.
    init(_ settings: RecorderSettings, lines: CaptureLines, quietly: Bool) throws(PCMError) {
        let pcm = try PCM.open(settings.device, for: .capture, blocks: false, quietly: quietly)
        let rate = settings.format.rate
        var request = PCMRequest(
            settings.format,
            // Prefer the format that is nearest to the number of bits to be recorded, and then formats with more bits.
            sampleFormats: settings.bits == 16
                ? [.s16, .s24, .s24Packed, .s32, .float] : [.s32, .s24, .s24Packed, .float, .s16],
            periodFrames: rate / 50, bufferFrames: rate / 2)
        request.isPaced = true
        let configuration = try pcm.configure(request)
        guard configuration.format.channels <= 8, configuration.format.rate <= 655_350 else {
            throw .system(
                EINVAL, operation: "record from", device: settings.device.name,
                advice: "it has \(configuration.format): use a \"plug:\" device with at most 8 channels")
        }
        do throws(PCMFault) {
            try pcm.start()
        } catch {
            throw PCMError(error, device: settings.device.name)
        }
        self.configuration = configuration
        self.pcm = pcm
        self.lines = lines
    }

    var state: PCMState {
        @_noLocks @_noAllocation get { pcm.state }
    }

    @_noLocks @_noAllocation
    func readable() throws(PCMFault) -> Int {
        lines.enter(.calling)
        defer { lines.enter(.open) }
        return try pcm.readable()
    }

    @_noLocks @_noAllocation
    func delay() throws(PCMFault) -> Int {
        lines.enter(.calling)
        defer { lines.enter(.open) }
        return try pcm.delay()
    }

    @_noLocks @_noAllocation
    func read(_ samples: UnsafeMutableRawPointer, frames: Int) throws(PCMFault) -> Int {
        lines.enter(.calling)
        defer { lines.enter(.open) }
        return try pcm.read(samples, frames: frames)
    }

    @_noLocks @_noAllocation
    func restart() throws(PCMFault) {
        lines.enter(.calling)
        defer { lines.enter(.open) }
        try pcm.prepare()
        try pcm.start()
    }
}

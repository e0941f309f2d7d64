import ALSA

/// A device that has been opened and agreed with.
struct RenderDevice: ~Copyable {
    let pcm: PCM
    let configuration: PCMConfiguration

    init(_ pcm: consuming PCM, asking request: PCMRequest) throws(PCMError) {
        configuration = try pcm.configure(request)
        self.pcm = pcm
    }
}

import ALSA

/// An open and configured device. A sound server can block each of its calls indefinitely, so the phase shows the other
/// threads that the render thread is inside one.
struct RenderDevice: ~Copyable {
    let configuration: PCMConfiguration
    private let pcm: PCM
    private let phase: SharedPhase

    init(_ pcm: consuming PCM, requesting request: PCMRequest, phase: SharedPhase) throws(PCMError) {
        configuration = try pcm.configure(request)
        self.pcm = pcm
        self.phase = phase
    }

    var state: PCMState {
        @_noLocks @_noAllocation get { pcm.state }
    }

    @_noLocks @_noAllocation
    func available() throws(PCMFault) -> Int {
        phase.set(.calling)
        defer { phase.set(.open) }
        return try pcm.available()
    }

    @_noLocks @_noAllocation
    func delay() throws(PCMFault) -> Int {
        phase.set(.calling)
        defer { phase.set(.open) }
        return try pcm.delay()
    }

    @_noLocks @_noAllocation
    func write(_ samples: UnsafeRawPointer, frames: Int) throws(PCMFault) -> Int {
        phase.set(.calling)
        defer { phase.set(.open) }
        return try pcm.write(samples, frames: frames)
    }

    @_noLocks @_noAllocation
    func prepare() throws(PCMFault) {
        phase.set(.calling)
        defer { phase.set(.open) }
        try pcm.prepare()
    }

    @_noLocks @_noAllocation
    func resume() throws(PCMFault) {
        phase.set(.calling)
        defer { phase.set(.open) }
        try pcm.resume()
    }

    @_noLocks @_noAllocation
    func rewind(_ frames: Int) throws(PCMFault) -> Int {
        phase.set(.calling)
        defer { phase.set(.open) }
        return try pcm.rewind(frames)
    }
}

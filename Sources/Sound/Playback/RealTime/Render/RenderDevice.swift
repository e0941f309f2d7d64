import ALSA
import CRealTime
import Glibc
import Threads

/// An open and configured device. A sound server can block each of the device's calls indefinitely, so the other
/// threads use the phase to detect that the render thread is inside a call.
struct RenderDevice: ~Copyable {
    let configuration: PCMConfiguration
    private let pcm: PCM
    private let phase: SharedPhase
    private let bells: DeviceBells

    /// - Parameter bell: the descriptor that ends a wait.
    init(
        _ pcm: consuming PCM, requesting request: PCMRequest, phase: SharedPhase, bell: Int32
    ) throws(PCMError) {
        let configuration = try pcm.configure(request)
        let descriptors = try pcm.pollDescriptors()
        self.configuration = configuration
        self.pcm = pcm
        self.phase = phase
        bells = DeviceBells(bell, descriptors)
    }

    /// Waits until the bell rings, for at most `nanoseconds`.
    /// - Parameter listens: true if an event of the device also ends the wait.
    /// - Returns: true if the device has an event.
    @_noLocks @_noAllocation
    func wait(_ nanoseconds: Int, listens: Bool) -> Bool {
        realtime_wait_for_any(bells.entries, listens ? bells.count : 1, Int64(nanoseconds)) != 0
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

/// The descriptors that the render thread polls, which are its bell and the device's own descriptors.
// This type is not private because otherwise Swift 6.0 cannot compile the other files of this module in a debug build.
struct DeviceBells: ~Copyable {
    let entries: UnsafeMutablePointer<pollfd>
    let count: Int

    init(_ bell: Int32, _ descriptors: [pollfd]) {
        count = 1 + descriptors.count
        entries = .allocate(capacity: count)
        entries.initialize(to: pollfd(fd: bell, events: Int16(POLLIN), revents: 0))
        for (index, descriptor) in descriptors.enumerated() { (entries + 1 + index).initialize(to: descriptor) }
    }

    deinit {
        // `pollfd` is trivial, so it need not be deinitialised.
        entries.deallocate()
    }
}

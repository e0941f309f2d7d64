import ALSA
import CRealTime
import Glibc
import PulseAudio
import Threads

/// An open and configured device. A sound server can block each of the device's calls indefinitely, so the other
/// threads use the phase to detect that the render thread is inside a call.
struct RenderDevice: ~Copyable {
    /// The kinds of devices.
    enum Output: ~Copyable {
        case card(PolledPCM)
        case server(PulseStream)
    }

    struct PolledPCM: ~Copyable {
        let pcm: PCM
        let bells: DeviceBells
    }

    let configuration: PCMConfiguration
    // A pointer, because otherwise Swift 6.0 cannot compile a `switch` of real-time code in a debug build.
    private let output: UnsafeMutablePointer<Output>
    private let phase: SharedPhase

    /// - Parameter bell: the descriptor that ends a wait.
    init(
        _ pcm: consuming PCM, requesting request: PCMRequest, phase: SharedPhase, bell: Int32
    ) throws(PCMError) {
        let configuration = try pcm.configure(request)
        let descriptors = try pcm.pollDescriptors()
        self.init(configuration, .card(PolledPCM(pcm: pcm, bells: DeviceBells(bell, descriptors))), phase)
    }

    init(_ stream: consuming PulseStream, phase: SharedPhase) {
        self.init(stream.configuration, .server(stream), phase)
    }

    private init(_ configuration: PCMConfiguration, _ output: consuming Output, _ phase: SharedPhase) {
        self.configuration = configuration
        self.output = .allocate(capacity: 1)
        self.output.initialize(to: output)
        self.phase = phase
    }

    deinit {
        output.deinitialize(count: 1)
        output.deallocate()
    }

    /// Waits until the bell rings, for at most `nanoseconds`.
    /// - Parameter listens: true if an event of the device also ends the wait.
    @_noLocks @_noAllocation
    func wait(_ nanoseconds: Int, listens: Bool) {
        switch output.pointee {
        case .card(let card):
            _ = realtime_wait_for_any(card.bells.entries, listens ? card.bells.count : 1, Int64(nanoseconds))
        case .server(let stream): stream.wait(nanoseconds)
        }
    }

    var state: PCMState {
        @_noLocks @_noAllocation get {
            switch output.pointee {
            case .card(let card): card.pcm.state
            case .server(let stream): stream.state
            }
        }
    }

    /// True if this is a card or one of ALSA's plug-ins, and false if it is a sound server.
    var isCard: Bool {
        @_noLocks @_noAllocation get {
            switch output.pointee {
            case .card: true
            case .server: false
            }
        }
    }

    /// The `code` of the `DeviceAudibility` that a sound server reports. For a card, it is that of `audible`.
    var audibility: Int {
        @_noLocks @_noAllocation get {
            switch output.pointee {
            case .card: 0
            case .server(let stream): stream.audibility
            }
        }
    }

    /// Tells a sound server what is played. See `PulseStream.serve`.
    @_noLocks @_noAllocation
    func serve(hasSound: Bool, insists: Bool) {
        switch output.pointee {
        case .card: break
        case .server(let stream): stream.serve(hasSound: hasSound, insists: insists)
        }
    }

    @_noLocks @_noAllocation
    func available() throws(PCMFault) -> Int {
        phase.set(.calling)
        defer { phase.set(.open) }
        switch output.pointee {
        case .card(let card): return try card.pcm.available()
        case .server(let stream): return try stream.available()
        }
    }

    @_noLocks @_noAllocation
    func delay() throws(PCMFault) -> Int {
        phase.set(.calling)
        defer { phase.set(.open) }
        switch output.pointee {
        case .card(let card): return try card.pcm.delay()
        case .server(let stream): return try stream.delay()
        }
    }

    @_noLocks @_noAllocation
    func write(_ samples: UnsafeRawPointer, frames: Int) throws(PCMFault) -> Int {
        phase.set(.calling)
        defer { phase.set(.open) }
        switch output.pointee {
        case .card(let card): return try card.pcm.write(samples, frames: frames)
        case .server(let stream): return try stream.write(samples, frames: frames)
        }
    }

    @_noLocks @_noAllocation
    func prepare() throws(PCMFault) {
        phase.set(.calling)
        defer { phase.set(.open) }
        switch output.pointee {
        case .card(let card): try card.pcm.prepare()
        case .server(let stream): try stream.prepare()
        }
    }

    @_noLocks @_noAllocation
    func resume() throws(PCMFault) {
        phase.set(.calling)
        defer { phase.set(.open) }
        switch output.pointee {
        case .card(let card): try card.pcm.resume()
        // A sound server resumes its card itself.
        case .server: break
        }
    }

    @_noLocks @_noAllocation
    func rewind(_ frames: Int) throws(PCMFault) -> Int {
        phase.set(.calling)
        defer { phase.set(.open) }
        switch output.pointee {
        case .card(let card): return try card.pcm.rewind(frames)
        case .server(let stream): return try stream.rewind(frames)
        }
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

import ALSA
import CPulse
import Glibc

/// A playback stream of a PulseAudio server, or of PipeWire's server for PulseAudio's clients, that behaves like a card
/// that can rewind. Use it from one thread only.
///
/// The stream's queue is in the server. It holds up to 2 s, so the client seldom wakes up. Frames that the server has
/// not taken yet can be withdrawn, because later frames can be written in their place. The server takes frames only
/// shortly before they are heard.
///
/// A server that does not replace frames is noticed when the stream is opened. Its queue is then kept short.
///
/// libpulse allocates and locks, but none of the calls of a running stream waits for the server. The thread that plays
/// also processes the server's messages, during `wait`.
public struct PulseStream: ~Copyable {
    private let connection: UnsafeMutablePointer<cpulse_stream>
    private let cursor: UnsafeMutablePointer<Cursor>
    public let configuration: PCMConfiguration

    /// The variables of a running stream. Their memory is allocated when the stream is opened because the calls of a
    /// running stream do not allocate.
    private struct Cursor {
        var position: StreamPosition
        /// The number of frames in the server's queue and those that it has taken.
        var written = 0
        /// The number of withdrawn frames before which the next frames are written.
        var withdrawn = 0
        var isSuspended = false
        /// True if the frames that are written must be sent at once, because they replace others.
        var isUrgent = false
        /// True if the stream has the role of sounds.
        var hasSound = false
        /// The time at which the stream was last unmuted, in nanoseconds.
        var restored = 0
    }

    /// The time within which a server has to accept a stream, in seconds.
    private static let openingTimeout = 10
    /// The length of the queue, the length for a server that does not replace frames, and the latency to request from
    /// the server, in milliseconds.
    private static let queueTime = 2000
    private static let shortQueueTime = 200
    private static let latency = 10
    /// The shortest time between two attempts to unmute the stream, in nanoseconds.
    private static var restoringPause: Int {
        @_noLocks @_noAllocation get { 200_000_000 }
    }

    /// Connects to a server and creates a stream on one of its sinks. This may take seconds if the server does not
    /// answer.
    /// - Parameters:
    ///   - format: the preferred rate, for which the sink's rate is used instead, and the number of channels.
    ///   - program: the name by which the server shows this client and its stream.
    ///   - bell: an eventfd that ends `wait`, which also reads it.
    /// - Throws: `PCMError` with `ENOSYS` if libpulse is not installed, or an error of the server.
    public static func open(
        _ address: PulseAddress, _ format: StreamFormat, program: String, bell: Int32?
    ) throws(PCMError) -> PulseStream {
        guard let library else {
            throw .system(
                ENOSYS, operation: "open", device: address.name, advice: "install libpulse0, the client library")
        }
        let deadline = cpulse_now() + Int64(openingTimeout) * 1_000_000_000
        var code: Int32 = 0
        guard let connection = cpulse_connect(library, address.server, program, deadline, &code) else {
            throw address.error(code, library)
        }
        code = PulseStream.play(connection, address, format, program, deadline)
        guard code == 0, bell.map({ cpulse_listen(connection, $0) != 0 }) ?? true else {
            cpulse_close(connection)
            throw address.error(code, library)
        }
        return PulseStream(connection)
    }

    /// The functions of the client library, or nil if it is not installed.
    static var library: UnsafePointer<cpulse_library>? { cpulse_load() }

    /// Returns true if the server replaces frames in its queue.
    private static func canRewind(_ connection: UnsafeMutablePointer<cpulse_stream>, _ format: StreamFormat) -> Bool {
        let frames = format.rate * latency / 1000
        let bytes = frames * format.channels * MemoryLayout<Int32>.size
        return cpulse_can_rewrite(connection, bytes, cpulse_now() + 1_000_000_000) != 0
    }

    private static func play(
        _ connection: UnsafeMutablePointer<cpulse_stream>, _ address: PulseAddress, _ format: StreamFormat,
        _ program: String, _ deadline: Int64
    ) -> Int32 {
        let specification = pa_sample_spec(
            format: PA_SAMPLE_S32LE, rate: UInt32(format.rate), channels: UInt8(min(format.channels, 32)))
        let bytes = format.rate * Int(specification.channels) * MemoryLayout<Int32>.size
        // A server configures a latency that is the target minus twice the minimum request.
        // Playback starts with the first frame. It stops when the queue has run dry, so that no frame is skipped.
        var buffer = pa_buffer_attr(
            maxlength: UInt32.max, tlength: UInt32(bytes * queueTime / 1000), prebuf: 1,
            minreq: UInt32(bytes * (queueTime - latency) / 2000), fragsize: UInt32.max)
        return cpulse_play(connection, address.sink, program, specification, &buffer, deadline)
    }

    private init(_ connection: UnsafeMutablePointer<cpulse_stream>) {
        self.connection = connection
        let specification = cpulse_spec(connection)
        let format = StreamFormat(rate: Int(specification.rate), channels: Int(specification.channels))
        let canRewind = Self.canRewind(connection, format)
        cpulse_start(connection)
        configuration = PCMConfiguration(
            format: format, sampleFormat: .s32, periodFrames: format.rate * Self.latency / 1000,
            bufferFrames: format.rate * (canRewind ? Self.queueTime : Self.shortQueueTime) / 1000, card: nil,
            canRewind: canRewind)
        cursor = .allocate(capacity: 1)
        cursor.initialize(
            to: Cursor(position: StreamPosition(rate: format.rate, lead: format.rate * Self.latency / 1000)))
    }

    deinit {
        cpulse_close(connection)
        // `Cursor` is trivial, so it need not be deinitialised.
        cursor.deallocate()
    }

    /// Waits until the bell rings, the stream runs dry, stops or is lost, for at most `nanoseconds`.
    @_noLocks @_noAllocation
    public func wait(_ nanoseconds: Int) {
        cursor.pointee.isUrgent = false
        cpulse_wait(connection, Int64(nanoseconds))
    }

    public var state: PCMState {
        @_noLocks @_noAllocation get {
            guard cpulse_is_alive(connection) != 0 else { return .disconnected }
            return connection.pointee.underran != 0 ? .underrun : .running
        }
    }

    /// The `code` of the stream's `DeviceAudibility`.
    public var audibility: Int {
        @_noLocks @_noAllocation get { Int(cpulse_audibility(connection)) }
    }

    /// Tells the server what is played, so that a policy that silences music does not silence a sound. Call this
    /// regularly.
    /// - Parameters:
    ///   - hasSound: true while a sound is played over the music.
    ///   - insists: true while the stream's own mute and volume, which another program has changed, must be undone.
    @_noLocks @_noAllocation
    public func serve(hasSound: Bool, insists: Bool) {
        if hasSound != cursor.pointee.hasSound {
            cursor.pointee.hasSound = hasSound
            cpulse_set_role(connection, hasSound ? 1 : 0)
        }
        guard insists, cpulse_is_attenuated(connection) != 0 else { return }
        // If another program turns it down each time, this must not become a race.
        let now = Int(cpulse_now())
        guard now - cursor.pointee.restored >= Self.restoringPause else { return }
        cursor.pointee.restored = now
        cpulse_restore(connection)
    }

    /// Returns the number of frames that can be written.
    /// - Throws: EPIPE if the stream has run dry, or ECONNRESET if the server or the sink has gone.
    @_noLocks @_noAllocation
    public func available() throws(PCMFault) -> Int {
        let now = try update(.queryFreeSpace)
        if connection.pointee.underran != 0 { throw PCMFault(.queryFreeSpace, code: EPIPE) }
        return configuration.bufferFrames - queued(at: now)
    }

    /// Returns the number of frames that are heard before a frame that is written now.
    @_noLocks @_noAllocation
    public func delay() throws(PCMFault) -> Int {
        let now = try update(.queryDelay)
        return max(0, cursor.pointee.written - cursor.pointee.position.heard(at: now))
    }

    /// Writes frames in the configured format.
    /// - Returns: the number of frames written, at least 1.
    /// - Throws: EAGAIN if there is no room, or ECONNRESET if the server or the sink has gone.
    @_noLocks @_noAllocation
    public func write(_ samples: UnsafeRawPointer, frames: Int) throws(PCMFault) -> Int {
        let now = try update(.write)
        let frames = min(frames, configuration.bufferFrames - queued(at: now))
        guard frames > 0 else { throw PCMFault(.write, code: EAGAIN) }
        let bytes = configuration.bytesPerFrame
        let offset = -Int64(cursor.pointee.withdrawn * bytes)
        guard cpulse_write(connection, samples, frames * bytes, offset) >= 0 else {
            throw PCMFault(.write, code: ECONNRESET)
        }
        cursor.pointee.withdrawn = 0
        cursor.pointee.written += frames
        cursor.pointee.position.wrote(at: now)
        if cursor.pointee.isUrgent { cpulse_flush(connection) }
        return frames
    }

    /// Withdraws the most recently written frames that the server has not taken. Frames must be written in their place
    /// at once.
    /// - Returns: the number of frames withdrawn, at most `frames`.
    @_noLocks @_noAllocation
    public func rewind(_ frames: Int) throws(PCMFault) -> Int {
        let now = try update(.rewind)
        let count = min(frames, queued(at: now))
        cursor.pointee.written -= count
        cursor.pointee.withdrawn += count
        cursor.pointee.isUrgent = true
        return count
    }

    /// Continues after the stream has run dry. Nothing that has been written since is lost.
    @_noLocks @_noAllocation
    public func prepare() throws(PCMFault) {
        connection.pointee.underran = 0
        cursor.pointee.position.stop(at: try update(.prepare))
    }

    /// The number of frames that can be withdrawn.
    @_noLocks @_noAllocation
    private func queued(at now: Int) -> Int {
        max(0, cursor.pointee.written - cursor.pointee.position.taken(at: now))
    }

    /// Adds the server's answers to the position, and asks again if an answer is due.
    /// - Returns: the time.
    @_noLocks @_noAllocation
    private func update(_ operation: PCMOperation) throws(PCMFault) -> Int {
        guard cpulse_is_alive(connection) != 0 else { throw PCMFault(operation, code: ECONNRESET) }
        let now = Int(cpulse_now())
        if connection.pointee.answered != 0, let timing = cpulse_timing(connection) {
            connection.pointee.answered = 0
            observe(timing)
        }
        // If frames were on their way to the server when it ran dry, it plays them now.
        if connection.pointee.underran != 0,
            Int(cpulse_underrun(connection)) < cursor.pointee.written * configuration.bytesPerFrame
        {
            connection.pointee.underran = 0
            cursor.pointee.position.stop(at: now)
            cursor.pointee.position.wrote(at: now)
        }
        let isSuspended = cpulse_is_suspended(connection) != 0
        if isSuspended, !cursor.pointee.isSuspended { cursor.pointee.position.stop(at: now) }
        cursor.pointee.isSuspended = isSuspended
        let written = cursor.pointee.written
        if !isSuspended, written > 0, cursor.pointee.position.isAnswerDue(written: written, at: now) {
            cpulse_ask(connection)
            cursor.pointee.position.asked(at: now)
        }
        return now
    }

    @_noLocks @_noAllocation
    private func observe(_ timing: UnsafePointer<pa_timing_info>) {
        let rate = configuration.format.rate
        cursor.pointee.position.observe(
            taken: Int(timing.pointee.read_index) / configuration.bytesPerFrame,
            latency: Int(timing.pointee.sink_usec) * rate / 1_000_000,
            configured: Int(timing.pointee.configured_sink_usec) * rate / 1_000_000,
            isPlaying: timing.pointee.playing != 0,
            at: Int(connection.pointee.answered_at))
    }
}

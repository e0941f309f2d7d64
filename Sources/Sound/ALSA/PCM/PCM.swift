import CALSA

/// The direction of a PCM.
public enum PCMDirection: Sendable, Hashable {
    case playback, capture

    var stream: snd_pcm_stream_t {
        switch self {
        case .playback: SND_PCM_STREAM_PLAYBACK
        case .capture: SND_PCM_STREAM_CAPTURE
        }
    }
}

/// An ALSA handle for playback or capture. It is closed when this value is destroyed, without waiting for queued
/// frames. Use it from one thread only.
///
/// Only the calls that are documented to allocate do so. These are opening, configuring, `pollDescriptors` and closing.
public struct PCM: ~Copyable {
    /// The name with which the PCM was opened.
    public let name: String
    /// The open handle, or nil after `close`. libasound must not be called without a handle.
    var handle: OpaquePointer?
    /// The clock for a device without its own clock. Its memory is allocated when the PCM is opened because the calls
    /// of a running stream do not allocate.
    let pace: UnsafeMutablePointer<PCMPace>

    private init(name: String, handle: OpaquePointer) {
        self.name = name
        self.handle = handle
        pace = .allocate(capacity: 1)
        pace.initialize(to: PCMPace())
    }

    deinit {
        // `PCMPace` is trivial, so it need not be deinitialised.
        pace.deallocate()
        if let handle { snd_pcm_close(handle) }
    }

    /// Closes the handle early, so that the caller can then close the file or pipe to which the PCM writes.
    public mutating func close() {
        if let handle { snd_pcm_close(handle) }
        handle = nil
    }

    /// Opens a PCM.
    /// - Parameters:
    ///   - direction: playback or capture.
    ///   - blocks: true if `write` waits for room and `read` waits for frames.
    ///   - quietly: true to suppress libasound's own error messages on standard error.
    /// - Throws: `PCMError` if there is no PCM with this name, its definition is invalid, or it cannot be opened.
    public static func open(
        _ address: PCMAddress, for direction: PCMDirection = .playback, blocks: Bool = true, quietly: Bool = false
    ) throws(PCMError) -> PCM {
        let mode = blocks ? 0 : SND_PCM_NONBLOCK
        if quietly { calsa_silence_errors(1) }
        defer { if quietly { calsa_silence_errors(0) } }
        var handle: OpaquePointer?
        let code = try address.open { name, configuration in
            configuration.map { snd_pcm_open_lconf(&handle, name, direction.stream, mode, $0) }
                ?? snd_pcm_open(&handle, name, direction.stream, mode)
        }
        guard code >= 0, let handle else {
            throw .opening(
                address.name, code: code, cards: SoundCard.all, holder: DeviceHolder.find(address.name))
        }
        return PCM(name: address.name, handle: handle)
    }

    /// The PCM's state, or `disconnected` after `close`. A real-time thread can also read it.
    public var state: PCMState {
        @_noLocks @_noAllocation get {
            guard let handle else { return .disconnected }
            return PCMState(snd_pcm_state(handle))
        }
    }

    func openHandle(for operation: String) throws(PCMError) -> OpaquePointer {
        guard let handle else {
            throw .system(EBADF, operation: operation, device: name, advice: "open it again, because it is closed")
        }
        return handle
    }
}

import CALSA

/// An ALSA playback handle; closed when it goes, without waiting for what is still in the device. For one thread.
///
/// Nothing but opening, configuring and closing allocates in here.
public struct PCM: ~Copyable {
    /// Name it was opened by.
    public let name: String
    /// Nil once it is closed; libasound is never called without one.
    var handle: OpaquePointer?

    deinit {
        if let handle { snd_pcm_close(handle) }
    }

    /// Closes the handle before its time, for what it writes into to be closed after it.
    public mutating func close() {
        if let handle { snd_pcm_close(handle) }
        handle = nil
    }

    /// Opens a PCM.
    /// - Parameters:
    ///   - blocks: whether `write` waits for room.
    ///   - quietly: whether to spare standard error libasound's own explanation of why it will not open.
    /// - Throws: `PCMError` where there is none of that name, its definition is not understood, or it will not open.
    public static func open(_ address: PCMAddress, blocks: Bool = true, quietly: Bool = false) throws(PCMError) -> PCM {
        let mode = blocks ? 0 : SND_PCM_NONBLOCK
        if quietly { calsa_hush(1) }
        defer { if quietly { calsa_hush(0) } }
        var handle: OpaquePointer?
        let code = try address.open { name, configuration in
            configuration.map { snd_pcm_open_lconf(&handle, name, SND_PCM_STREAM_PLAYBACK, mode, $0) }
                ?? snd_pcm_open(&handle, name, SND_PCM_STREAM_PLAYBACK, mode)
        }
        guard code >= 0, let handle else { throw .opening(address.name, code: code, cards: SoundCard.all) }
        return PCM(name: address.name, handle: handle)
    }

    /// Its state; `disconnected` once it is closed.
    public var state: PCMState {
        @_noLocks @_noAllocation get {
            guard let handle else { return .disconnected }
            return PCMState(snd_pcm_state(handle))
        }
    }

    func openHandle(for operation: String) throws(PCMError) -> OpaquePointer {
        guard let handle else {
            throw .system(EBADF, operation: operation, device: name, advice: "it has been closed; open it anew")
        }
        return handle
    }
}

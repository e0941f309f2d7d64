import CALSA

/// What a PCM has agreed to.
public struct PCMConfiguration: Sendable, Hashable {
    public let format: StreamFormat
    /// Frames between two wake-ups.
    public let periodFrames: Int
    /// Frames that fit into the device.
    public let bufferFrames: Int
}

/// An ALSA playback handle; closed when it goes, without waiting for what is still in the device. For one thread.
public struct PCM: ~Copyable {
    /// Name it was opened by.
    public let name: String
    /// Nil once it is closed; libasound is never called without one.
    private var handle: OpaquePointer?

    private init(name: String, handle: OpaquePointer) {
        self.name = name
        self.handle = handle
    }

    deinit {
        if let handle { snd_pcm_close(handle) }
    }

    /// Closes the handle before its time, for what it writes into to be closed after it.
    public mutating func close() {
        if let handle { snd_pcm_close(handle) }
        handle = nil
    }

    /// Opens a PCM of the system by its name, e.g. "default" or "hw:0".
    /// - Throws: `PCMError` where there is none of that name or it will not open.
    public static func open(_ name: String) throws(PCMError) -> PCM {
        var handle: OpaquePointer?
        let code = snd_pcm_open(&handle, name, SND_PCM_STREAM_PLAYBACK, 0)
        guard code >= 0, let handle else { throw .system(code, operation: "open", device: name) }
        return PCM(name: name, handle: handle)
    }

    /// Opens a PCM that is defined here and not in the system's configuration.
    /// - Parameter definition: in the language of asound.conf; it must define `pcm.NAME`.
    /// - Throws: `PCMError` where the definition is not understood or it will not open.
    public static func open(_ name: String, definedBy definition: String) throws(PCMError) -> PCM {
        var configuration: OpaquePointer?
        try check(snd_config_top(&configuration), "configure", name)
        defer { snd_config_delete(configuration) }
        var input: OpaquePointer?
        try check(snd_input_buffer_open(&input, definition, definition.utf8.count), "configure", name)
        defer { snd_input_close(input) }
        try check(snd_config_load(configuration, input), "configure", name)
        var handle: OpaquePointer?
        let code = snd_pcm_open_lconf(&handle, name, SND_PCM_STREAM_PLAYBACK, 0, configuration)
        guard code >= 0, let handle else { throw .system(code, operation: "open", device: name) }
        return PCM(name: name, handle: handle)
    }

    /// Asks for interleaved S32_LE frames and prepares the device.
    /// - Parameters:
    ///   - format: its channels are demanded, its rate is what the device's should be nearest to.
    ///   - periodFrames: a wish; the device gives what it can.
    ///   - bufferFrames: likewise.
    /// - Returns: what the device has agreed to.
    /// - Throws: `PCMError` where the device does not do this format.
    public func configure(
        _ format: StreamFormat, periodFrames: Int, bufferFrames: Int
    ) throws(PCMError) -> PCMConfiguration {
        let handle = try openHandle(for: "configure")
        var parameters: OpaquePointer?
        try check(snd_pcm_hw_params_malloc(&parameters), "configure")
        defer { snd_pcm_hw_params_free(parameters) }
        try check(snd_pcm_hw_params_any(handle, parameters), "configure")
        try check(
            snd_pcm_hw_params_set_access(handle, parameters, SND_PCM_ACCESS_RW_INTERLEAVED),
            "set interleaved access on")
        try check(
            snd_pcm_hw_params_set_format(handle, parameters, SND_PCM_FORMAT_S32_LE), "set format S32_LE on")
        try check(
            snd_pcm_hw_params_set_channels(handle, parameters, UInt32(format.channels)),
            "set \(format.channels) channels on")
        var rate = UInt32(format.rate)
        var period = snd_pcm_uframes_t(periodFrames)
        var buffer = snd_pcm_uframes_t(bufferFrames)
        var direction: Int32 = 0
        try check(
            snd_pcm_hw_params_set_rate_near(handle, parameters, &rate, &direction), "set \(format.rate) Hz on")
        direction = 0
        try check(
            snd_pcm_hw_params_set_period_size_near(handle, parameters, &period, &direction), "set the period of")
        try check(
            snd_pcm_hw_params_set_buffer_size_near(handle, parameters, &buffer), "set the buffer of")
        try check(snd_pcm_hw_params(handle, parameters), "configure")
        return PCMConfiguration(
            format: StreamFormat(rate: Int(rate), channels: format.channels), periodFrames: Int(period),
            bufferFrames: Int(buffer))
    }

    /// Writes all frames, waiting for room. After an underrun or a suspend the device is started anew, and the frames
    /// follow.
    /// - Throws: `PCMError` where the device is gone or will not recover; how many frames it took is not known then.
    public func write(_ samples: UnsafePointer<Int32>, frames: Int, channels: Int) throws(PCMError) {
        let handle = try openHandle(for: "write to")
        var written = 0
        while written < frames {
            let count = snd_pcm_writei(handle, samples + written * channels, snd_pcm_uframes_t(frames - written))
            if count >= 0 {
                written += count
            } else {
                try recover(handle, from: Int32(count))
            }
        }
    }

    /// Waits until everything written has been played. The device must be prepared by `configure` before it is used
    /// again.
    public func drain() throws(PCMError) {
        let handle = try openHandle(for: "drain")
        var code = snd_pcm_drain(handle)
        while code == -EINTR { code = snd_pcm_drain(handle) }
        try check(code, "drain")
    }

    private func recover(_ handle: OpaquePointer, from code: Int32) throws(PCMError) {
        switch code {
        case -EINTR:
            return
        case -EAGAIN:
            // The timeout only bounds the wait; the write that follows decides.
            snd_pcm_wait(handle, 1000)
        case -EPIPE:
            try check(snd_pcm_prepare(handle), "restart after an underrun of")
        case -ESTRPIPE:
            var resumed = snd_pcm_resume(handle)
            while resumed == -EAGAIN {
                snd_pcm_wait(handle, 100)
                resumed = snd_pcm_resume(handle)
            }
            if resumed < 0 { try check(snd_pcm_prepare(handle), "restart after a suspend of") }
        default:
            try check(code, "write to")
        }
    }

    private func openHandle(for operation: String) throws(PCMError) -> OpaquePointer {
        guard let handle else {
            throw .system(EBADF, operation: operation, device: name, advice: "it has been closed; open it anew")
        }
        return handle
    }

    private func check(_ code: Int32, _ operation: String) throws(PCMError) {
        try Self.check(code, operation, name)
    }

    private static func check(_ code: Int32, _ operation: String, _ name: String) throws(PCMError) {
        if code < 0 { throw .system(code, operation: operation, device: name) }
    }
}

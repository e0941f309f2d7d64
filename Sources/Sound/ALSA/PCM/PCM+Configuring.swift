import CALSA

extension PCM {
    /// Configures the device for interleaved frames and prepares it. Playback starts automatically after the first
    /// period of frames has been written, and capture starts when `start` is called. The function allocates.
    /// - Returns: the configuration that the device has accepted.
    /// - Throws: `PCMError` if the device supports none of the sample formats, or does not support the required number
    ///   of channels.
    public func configure(_ request: PCMRequest) throws(PCMError) -> PCMConfiguration {
        let handle = try openHandle(for: "configure")
        var parameters: OpaquePointer?
        try check(snd_pcm_hw_params_malloc(&parameters), "configure")
        defer { snd_pcm_hw_params_free(parameters) }
        // Some drivers reject a period or a buffer size that they have offered. In that case, let the driver choose the
        // size.
        var code: Int32 = 0
        for sizes in [RequestedSizes.both, .buffer, .none] {
            let format = try setParameters(request, sizes, handle, parameters)
            code = snd_pcm_hw_params(handle, parameters)
            guard code >= 0 else { continue }
            let configuration = try configuration(format, parameters)
            pace.pointee = request.isPaced && endsInNothing(handle) ? PCMPace(configuration) : PCMPace()
            if snd_pcm_stream(handle) == SND_PCM_STREAM_PLAYBACK { try startSoon(handle, configuration, request) }
            return configuration
        }
        throw .system(code, operation: "configure", device: name)
    }

    private enum RequestedSizes { case both, buffer, none }

    private func setParameters(
        _ request: PCMRequest, _ sizes: RequestedSizes, _ handle: OpaquePointer, _ parameters: OpaquePointer?
    ) throws(PCMError) -> SampleFormat {
        try check(snd_pcm_hw_params_any(handle, parameters), "configure")
        try check(
            snd_pcm_hw_params_set_access(handle, parameters, SND_PCM_ACCESS_RW_INTERLEAVED),
            "set interleaved access on")
        let isTimed = request.rewindable != nil && canRewind(parameters)
        if isTimed, snd_pcm_hw_params_can_disable_period_wakeup(parameters) == 1 {
            try check(snd_pcm_hw_params_set_period_wakeup(handle, parameters, 0), "turn off the interrupts of")
        }
        let sampleFormat = try setSampleFormat(request.sampleFormats, handle, parameters)
        try setChannels(request, handle, parameters)
        var rate = UInt32(request.format.rate)
        var direction: Int32 = 0
        try check(
            snd_pcm_hw_params_set_rate_near(handle, parameters, &rate, &direction), "set \(request.format.rate) Hz on")
        var preferred = PCMRequest.Sizes(periodFrames: request.periodFrames, bufferFrames: request.bufferFrames)
        if isTimed, let longer = request.rewindable { preferred = longer }
        if sizes != .none {
            var buffer = snd_pcm_uframes_t(preferred.bufferFrames)
            try check(snd_pcm_hw_params_set_buffer_size_near(handle, parameters, &buffer), "set the buffer of")
        }
        if sizes == .both {
            var period = snd_pcm_uframes_t(preferred.periodFrames)
            direction = 0
            try check(
                snd_pcm_hw_params_set_period_size_near(handle, parameters, &period, &direction), "set the period of")
        }
        return sampleFormat
    }

    private func setSampleFormat(
        _ formats: [SampleFormat], _ handle: OpaquePointer, _ parameters: OpaquePointer?
    ) throws(PCMError) -> SampleFormat {
        var code: Int32 = -EINVAL
        for format in formats {
            code = snd_pcm_hw_params_set_format(handle, parameters, format.code)
            if code >= 0 { return format }
        }
        let names = formats.map(\.description).joined(separator: ", ")
        throw .system(code, operation: "set format \(names) on", device: name)
    }

    private func setChannels(
        _ request: PCMRequest, _ handle: OpaquePointer, _ parameters: OpaquePointer?
    ) throws(PCMError) {
        var channels = UInt32(request.format.channels)
        let code =
            request.needsChannels
            ? snd_pcm_hw_params_set_channels(handle, parameters, channels)
            : snd_pcm_hw_params_set_channels_near(handle, parameters, &channels)
        try check(code, "set \(request.format.channels) channels on")
    }

    private func configuration(
        _ sampleFormat: SampleFormat, _ parameters: OpaquePointer?
    ) throws(PCMError) -> PCMConfiguration {
        var rate: UInt32 = 0
        var channels: UInt32 = 0
        var period: snd_pcm_uframes_t = 0
        var buffer: snd_pcm_uframes_t = 0
        var direction: Int32 = 0
        try check(snd_pcm_hw_params_get_rate(parameters, &rate, &direction), "query the rate of")
        try check(snd_pcm_hw_params_get_channels(parameters, &channels), "query the channels of")
        try check(snd_pcm_hw_params_get_period_size(parameters, &period, &direction), "query the period of")
        try check(snd_pcm_hw_params_get_buffer_size(parameters, &buffer), "query the buffer of")
        return PCMConfiguration(
            format: StreamFormat(rate: Int(rate), channels: Int(channels)), sampleFormat: sampleFormat,
            periodFrames: Int(period), bufferFrames: Int(buffer), card: card,
            canRewind: canRewind(parameters))
    }

    private func canRewind(_ parameters: OpaquePointer?) -> Bool {
        handle.map(snd_pcm_type) == SND_PCM_TYPE_HW && snd_pcm_hw_params_is_batch(parameters) == 0
    }

    private var card: Int? {
        var information: OpaquePointer?
        guard let handle, snd_pcm_info_malloc(&information) >= 0 else { return nil }
        defer { snd_pcm_info_free(information) }
        guard snd_pcm_info(handle, information) >= 0 else { return nil }
        let card = snd_pcm_info_get_card(information)
        return card < 0 ? nil : Int(card)
    }

    /// Lowers the start threshold. By default, ALSA starts only when the buffer is full, and after an underrun a sound
    /// server again waits for a full buffer.
    private func startSoon(
        _ handle: OpaquePointer, _ configuration: PCMConfiguration, _ request: PCMRequest
    ) throws(PCMError) {
        var parameters: OpaquePointer?
        try check(snd_pcm_sw_params_malloc(&parameters), "configure")
        defer { snd_pcm_sw_params_free(parameters) }
        try check(snd_pcm_sw_params_current(handle, parameters), "configure")
        let isTimed = request.rewindable != nil && configuration.canRewind
        let start = isTimed ? min(configuration.periodFrames, request.periodFrames) : configuration.periodFrames
        try check(
            snd_pcm_sw_params_set_start_threshold(handle, parameters, snd_pcm_uframes_t(start)),
            "set the start threshold of")
        // Let the driver overwrite played frames with silence, so that a late write causes a gap, not a repeat of old
        // frames.
        var boundary: snd_pcm_uframes_t = 0
        try check(snd_pcm_sw_params_get_boundary(parameters, &boundary), "query the boundary of")
        try check(snd_pcm_sw_params_set_silence_threshold(handle, parameters, 0), "set the silence threshold of")
        try check(snd_pcm_sw_params_set_silence_size(handle, parameters, boundary), "set the silence size of")
        if isTimed {
            // Require more room than the buffer can ever have, so that the descriptors report only that the device has
            // stopped or vanished.
            try check(snd_pcm_sw_params_set_avail_min(handle, parameters, boundary), "set the wake-ups of")
        }
        try check(snd_pcm_sw_params(handle, parameters), "configure")
    }

    private func check(_ code: Int32, _ operation: String) throws(PCMError) {
        if code < 0 { throw .system(code, operation: operation, device: name) }
    }
}

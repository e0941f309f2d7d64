import CALSA

/// The calls of a running stream, for a real-time thread. Each throws libasound's code as it is; `PCMRemedy` says what
/// to do about it.
extension PCM {
    /// Writes frames of the configured format, as many as there is room for.
    /// - Returns: how many it took, 1 at the least.
    @_noLocks @_noAllocation
    public func write(_ samples: UnsafeRawPointer, frames: Int) throws(PCMFault) -> Int {
        guard let handle else { throw PCMFault(.write, code: EBADF) }
        let count = snd_pcm_writei(handle, samples, snd_pcm_uframes_t(frames))
        guard count >= 0 else { throw PCMFault(.write, code: Int32(truncatingIfNeeded: count)) }
        // Nothing taken and nothing said: as good as full.
        guard count > 0 || frames == 0 else { throw PCMFault(.write, code: EAGAIN) }
        return count
    }

    /// Frames there is room for; more than the buffer holds where it has run dry.
    @_noLocks @_noAllocation
    public func available() throws(PCMFault) -> Int {
        guard let handle else { throw PCMFault(.askRoom, code: EBADF) }
        let count = snd_pcm_avail(handle)
        guard count >= 0 else { throw PCMFault(.askRoom, code: Int32(truncatingIfNeeded: count)) }
        return count
    }

    /// Frames until the next frame written is heard: all that is queued here and further on, as far as the driver
    /// knows. Drivers have been seen to answer less than 0 after an underrun; that is 0.
    @_noLocks @_noAllocation
    public func delay() throws(PCMFault) -> Int {
        guard let handle else { throw PCMFault(.askDelay, code: EBADF) }
        var frames: snd_pcm_sframes_t = 0
        let code = snd_pcm_delay(handle, &frames)
        guard code >= 0 else { throw PCMFault(.askDelay, code: code) }
        return frames > 0 ? frames : 0
    }

    /// Makes it ready to be written to, empty.
    @_noLocks @_noAllocation
    public func prepare() throws(PCMFault) {
        guard let handle else { throw PCMFault(.prepare, code: EBADF) }
        let code = snd_pcm_prepare(handle)
        guard code >= 0 else { throw PCMFault(.prepare, code: code) }
    }

    /// Plays what has been written.
    @_noLocks @_noAllocation
    public func start() throws(PCMFault) {
        guard let handle else { throw PCMFault(.start, code: EBADF) }
        let code = snd_pcm_start(handle)
        guard code >= 0 else { throw PCMFault(.start, code: code) }
    }

    /// Goes on after a suspend, with what was queued.
    /// - Throws: EAGAIN while it is not over yet; ENOSYS where the hardware can only be prepared.
    @_noLocks @_noAllocation
    public func resume() throws(PCMFault) {
        guard let handle else { throw PCMFault(.resume, code: EBADF) }
        let code = snd_pcm_resume(handle)
        guard code >= 0 else { throw PCMFault(.resume, code: code) }
    }

    /// Takes back frames that were written last and have not been played, where `PCMConfiguration.canRewind`. What is
    /// about to be played must be left: ask `available` before.
    /// - Returns: how many it gave back.
    @_noLocks @_noAllocation
    public func rewind(_ frames: Int) throws(PCMFault) -> Int {
        guard let handle else { throw PCMFault(.rewind, code: EBADF) }
        let most = snd_pcm_rewindable(handle)
        guard most >= 0 else { throw PCMFault(.rewind, code: Int32(truncatingIfNeeded: most)) }
        guard most > 0, frames > 0 else { return 0 }
        let count = snd_pcm_rewind(handle, snd_pcm_uframes_t(min(frames, most)))
        guard count >= 0 else { throw PCMFault(.rewind, code: Int32(truncatingIfNeeded: count)) }
        return count
    }

    /// Stops at once, and forgets what is queued.
    @_noLocks @_noAllocation
    public func drop() throws(PCMFault) {
        guard let handle else { throw PCMFault(.drop, code: EBADF) }
        let code = snd_pcm_drop(handle)
        guard code >= 0 else { throw PCMFault(.drop, code: code) }
    }

    /// Descriptors to wait on for room, and the events of each (`poll`). Allocates.
    public func pollDescriptors() throws(PCMError) -> [pollfd] {
        let handle = try openHandle(for: "poll")
        let count = max(0, snd_pcm_poll_descriptors_count(handle))
        var descriptors = [pollfd](repeating: pollfd(), count: Int(count))
        let code = snd_pcm_poll_descriptors(handle, &descriptors, UInt32(count))
        guard code >= 0 else { throw .system(code, operation: "poll", device: name) }
        return Array(descriptors.prefix(Int(code)))
    }
}

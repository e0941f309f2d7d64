import CALSA

/// The calls for a running stream, which a real-time thread can make. Except for `pollDescriptors`, they neither lock
/// nor allocate. Each throws libasound's error code unchanged. `PCMRemedy` determines how to recover.
extension PCM {
    /// Writes as many frames as there is room for, in the configured format.
    /// - Returns: the number of frames written, at least 1.
    /// - Throws: EAGAIN if there is no room, or EPIPE after an underrun.
    @_noLocks @_noAllocation
    public func write(_ samples: UnsafeRawPointer, frames: Int) throws(PCMFault) -> Int {
        guard let handle else { throw PCMFault(.write, code: EBADF) }
        let now = Int(calsa_now())
        let frames = pace.pointee.isActive ? min(frames, pace.pointee.room(at: now)) : frames
        // libasound does not return an error if it writes 0 frames.
        guard frames > 0 || !pace.pointee.isActive else { throw PCMFault(.write, code: EAGAIN) }
        let count = snd_pcm_writei(handle, samples, snd_pcm_uframes_t(frames))
        guard count >= 0 else { throw PCMFault(.write, code: Int32(truncatingIfNeeded: count)) }
        // Treat the device as full if it accepted no frames but did not return an error.
        guard count > 0 || frames == 0 else { throw PCMFault(.write, code: EAGAIN) }
        if pace.pointee.isActive { pace.pointee.write(count, at: now) }
        return count
    }

    /// Reads the available captured frames, in the configured format.
    /// - Parameter frames: the number of frames for which `samples` has room.
    /// - Returns: the number of frames read, at least 1.
    /// - Throws: EAGAIN if no frames are available, or EPIPE after an overrun.
    @_noLocks @_noAllocation
    public func read(_ samples: UnsafeMutableRawPointer, frames: Int) throws(PCMFault) -> Int {
        guard let handle else { throw PCMFault(.read, code: EBADF) }
        let frames = pace.pointee.isActive ? min(frames, pace.pointee.captured(at: Int(calsa_now()))) : frames
        guard frames > 0 || !pace.pointee.isActive else { throw PCMFault(.read, code: EAGAIN) }
        let count = snd_pcm_readi(handle, samples, snd_pcm_uframes_t(frames))
        guard count >= 0 else { throw PCMFault(.read, code: Int32(truncatingIfNeeded: count)) }
        guard count > 0 || frames == 0 else { throw PCMFault(.read, code: EAGAIN) }
        if pace.pointee.isActive { pace.pointee.read(count) }
        return count
    }

    /// Returns the number of captured frames that can be read.
    /// - Throws: EPIPE after an overrun.
    @_noLocks @_noAllocation
    public func readable() throws(PCMFault) -> Int {
        guard let handle else { throw PCMFault(.queryFrames, code: EBADF) }
        if pace.pointee.isActive { return pace.pointee.captured(at: Int(calsa_now())) }
        let count = snd_pcm_avail(handle)
        guard count >= 0 else { throw PCMFault(.queryFrames, code: Int32(truncatingIfNeeded: count)) }
        return count
    }

    /// Returns the number of frames that can be written. After the buffer has run dry, this is greater than the size of
    /// the buffer.
    @_noLocks @_noAllocation
    public func available() throws(PCMFault) -> Int {
        guard let handle else { throw PCMFault(.queryFreeSpace, code: EBADF) }
        if pace.pointee.isActive { return pace.pointee.room(at: Int(calsa_now())) }
        let count = snd_pcm_avail(handle)
        guard count >= 0 else { throw PCMFault(.queryFreeSpace, code: Int32(truncatingIfNeeded: count)) }
        return count
    }

    /// For playback, returns the number of frames that will be played before a frame that is written now. This includes
    /// all frames in the buffer and those that have already left it, if the driver reports them. For capture, returns
    /// the number of frames that have been captured but not read, including those that have not reached the buffer yet.
    /// The result is never negative, although some drivers report a negative delay after an underrun.
    @_noLocks @_noAllocation
    public func delay() throws(PCMFault) -> Int {
        guard let handle else { throw PCMFault(.queryDelay, code: EBADF) }
        if pace.pointee.isActive {
            let now = Int(calsa_now())
            return snd_pcm_stream(handle) == SND_PCM_STREAM_CAPTURE
                ? pace.pointee.captured(at: now) : pace.pointee.queued(at: now)
        }
        var frames: snd_pcm_sframes_t = 0
        let code = snd_pcm_delay(handle, &frames)
        guard code >= 0 else { throw PCMFault(.queryDelay, code: code) }
        return frames > 0 ? frames : 0
    }

    /// Empties the buffer and makes the PCM ready to start.
    @_noLocks @_noAllocation
    public func prepare() throws(PCMFault) {
        guard let handle else { throw PCMFault(.prepare, code: EBADF) }
        pace.pointee.stop()
        let code = snd_pcm_prepare(handle)
        guard code >= 0 else { throw PCMFault(.prepare, code: code) }
    }

    /// Starts playing the written frames, or starts capturing.
    @_noLocks @_noAllocation
    public func start() throws(PCMFault) {
        guard let handle else { throw PCMFault(.start, code: EBADF) }
        if pace.pointee.isActive, snd_pcm_stream(handle) == SND_PCM_STREAM_CAPTURE {
            pace.pointee.startCapturing(at: Int(calsa_now()))
        }
        let code = snd_pcm_start(handle)
        guard code >= 0 else { throw PCMFault(.start, code: code) }
    }

    /// Continues with the queued frames after a suspend.
    /// - Throws: EAGAIN while the suspend lasts, or ENOSYS if the hardware does not support resuming and must be
    ///   prepared.
    @_noLocks @_noAllocation
    public func resume() throws(PCMFault) {
        guard let handle else { throw PCMFault(.resume, code: EBADF) }
        let code = snd_pcm_resume(handle)
        guard code >= 0 else { throw PCMFault(.resume, code: code) }
    }

    /// Withdraws the most recently written frames that have not been played. Requires `PCMConfiguration.canRewind`. The
    /// caller must not withdraw frames that are about to be played, so it should call `available` first.
    /// - Returns: the number of frames withdrawn, at most `frames`.
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

    /// Stops at once and discards the queued frames.
    @_noLocks @_noAllocation
    public func drop() throws(PCMFault) {
        guard let handle else { throw PCMFault(.drop, code: EBADF) }
        pace.pointee.stop()
        let code = snd_pcm_drop(handle)
        guard code >= 0 else { throw PCMFault(.drop, code: code) }
    }

    /// Returns the descriptors that a caller can `poll` to wait for room, each with its events. The function allocates.
    public func pollDescriptors() throws(PCMError) -> [pollfd] {
        let handle = try openHandle(for: "poll")
        let count = max(0, snd_pcm_poll_descriptors_count(handle))
        var descriptors = [pollfd](repeating: pollfd(), count: Int(count))
        let code = snd_pcm_poll_descriptors(handle, &descriptors, UInt32(count))
        guard code >= 0 else { throw .system(code, operation: "poll", device: name) }
        return Array(descriptors.prefix(Int(code)))
    }
}

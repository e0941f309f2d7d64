import CALSA

/// For those who have time: a PCM opened with `blocks`.
extension PCM {
    /// Writes all frames, waiting for room. After an underrun or a suspend the device is started anew, and the frames
    /// follow.
    /// - Throws: `PCMError` where the device is gone or will not recover; how many frames it took is not known then.
    public func writeAll(_ samples: UnsafeRawPointer, frames: Int, bytesPerFrame: Int) throws(PCMError) {
        _ = try openHandle(for: "write to")
        var written = 0
        while written < frames {
            do throws(PCMFault) {
                written += try write(samples + written * bytesPerFrame, frames: frames - written)
            } catch {
                do throws(PCMFault) { try recover(from: error) } catch { throw PCMError(error, device: name) }
            }
        }
    }

    /// Waits until everything written has been played. The device must be configured again before it is used again.
    public func drain() throws(PCMError) {
        let handle = try openHandle(for: "drain")
        var code = snd_pcm_drain(handle)
        while code == -EINTR { code = snd_pcm_drain(handle) }
        if code < 0 { throw .system(code, operation: "drain", device: name) }
    }

    private func recover(from fault: PCMFault) throws(PCMFault) {
        switch PCMRemedy(for: fault.code, in: state) {
        case .tryAgain: return
        // The timeout only bounds the wait; the write that follows decides.
        case .wait: snd_pcm_wait(handle, 1000)
        case .prepare: try prepare()
        case .resume: try wakeUp()
        case .reopen: throw fault
        }
    }

    private func wakeUp() throws(PCMFault) {
        while true {
            do throws(PCMFault) {
                return try resume()
            } catch  where error.code == EAGAIN {
                snd_pcm_wait(handle, 100)
            } catch {
                return try prepare()
            }
        }
    }
}

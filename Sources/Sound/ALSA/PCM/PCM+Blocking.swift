import CALSA

/// Blocking calls, for a PCM opened with `blocks`.
extension PCM {
    /// Writes all frames, waiting for room as needed. After an underrun or a suspend, the function restarts the device
    /// and continues.
    /// - Throws: `PCMError` if the device has disappeared or does not recover. Some of the frames may have been
    ///   written.
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

    /// Waits until all written frames have been played. Configure the device again before using it again.
    public func drain() throws(PCMError) {
        let handle = try openHandle(for: "drain")
        var code = snd_pcm_drain(handle)
        while code == -EINTR { code = snd_pcm_drain(handle) }
        if code < 0 { throw .system(code, operation: "drain", device: name) }
    }

    private func recover(from fault: PCMFault) throws(PCMFault) {
        switch PCMRemedy(for: fault.code, in: state) {
        case .tryAgain: return
        // Ignore a timeout because the next write fails if the device still does not have room.
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

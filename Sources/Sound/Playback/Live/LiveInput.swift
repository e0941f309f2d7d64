import ALSA
import CRealTime
import Synchronization

/// The source that an engine plays.
public enum PlaybackSource: Sendable, Hashable {
    /// The music of the library.
    case library
    /// The live input with this index in the engine's inputs.
    case input(Int)
}

/// A place where live audio arrives, which an engine can play instead of its library. A thread such as `PipeInput`
/// delivers the audio.
///
/// Several engines, such as those of several zones, need an input each, because their devices have different clocks.
public final class LiveInput: Sendable {
    public let name: String
    /// The delay between the arrival of audio and its playback.
    public let latency: Duration
    let meter = LiveMeter()
    private let present: Mutex<LiveBuffer>

    /// - Parameters:
    ///   - latency: the delay, which is at most `LiveBuffer.longestLatency`.
    ///   - format: the format in which the audio is played until a device has been opened.
    public init(
        _ name: String, latency: Duration = .milliseconds(150),
        format: StreamFormat = StreamFormat(rate: 48_000, channels: 2)
    ) {
        self.name = name
        self.latency = latency
        present = Mutex(LiveBuffer(format: format, latency: latency, at: Int(realtime_now())))
    }

    /// The peak of what has just arrived, where 1 is full scale. It is 0 if nothing has arrived for a second.
    public var peak: Float { meter.peak(at: Int(realtime_now())) }

    /// The buffer in the device's format. The thread that delivers the audio uses it until there is another one.
    public var buffer: LiveBuffer { present.withLock { $0 } }

    /// Replaces the buffer, so that those who use it begin anew.
    func renew() {
        present.withLock { $0 = LiveBuffer(format: $0.format, latency: latency, at: Int(realtime_now())) }
    }

    /// Returns a buffer in a format. It becomes the buffer of this input.
    func use(_ format: StreamFormat) -> LiveBuffer {
        present.withLock { buffer in
            if buffer.format != format {
                buffer = LiveBuffer(format: format, latency: latency, at: Int(realtime_now()))
            }
            return buffer
        }
    }
}

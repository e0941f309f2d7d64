import ALSA
import Time

/// Detects that an input is played although nothing of what arrives is heard. This is a pure state machine. Times are in
/// nanoseconds of CLOCK_MONOTONIC.
struct DeliveryWatch {
    /// The buffer whose frames are counted, the number of frames of it that have been played, and the time since which
    /// there have been no more.
    private var buffer: ObjectIdentifier?
    private var played = 0
    private var since: Int?
    private(set) var isUnheard = false
    private let timeout: Int

    /// The time for which nothing may be heard, in addition to the input's latency.
    static let patience = Duration.seconds(2)
    /// The age of the render thread's report from which on the input is not being played.
    private static let age = 500_000_000

    /// - Parameter latency: the delay between the arrival of a frame and its playback.
    init(latency: Duration) { timeout = (latency + Self.patience).wholeNanoseconds }

    /// - Parameters:
    ///   - buffer: the input's buffer, which another one may have replaced.
    ///   - isArriving: true if audio arrives.
    /// - Returns: the next report, or nil if there is none. `unheard` is repeated while nothing is heard.
    mutating func look(_ buffer: LiveBuffer, isArriving: Bool, at now: Int) -> InputReport? {
        look(buffer.clock, of: ObjectIdentifier(buffer), isArriving: isArriving, at: now)
    }

    mutating func look(
        _ clock: LiveClock, of buffer: ObjectIdentifier, isArriving: Bool, at now: Int
    ) -> InputReport? {
        guard isArriving, now - clock.time < Self.age else { return calm() }
        if self.buffer != buffer {
            (self.buffer, played) = (buffer, clock.played)
            since = now
        }
        guard clock.played == played else {
            played = clock.played
            return calm()
        }
        let start = since ?? now
        since = start
        guard now - start >= timeout else { return nil }
        since = now
        isUnheard = true
        return .unheard
    }

    /// Records that there is nothing to complain about.
    private mutating func calm() -> InputReport? {
        since = nil
        defer { isUnheard = false }
        return isUnheard ? .heard : nil
    }
}

extension [DeliveryWatch] {
    /// Looks at each of as many inputs.
    mutating func look(_ inputs: [LiveInput], isArriving: Bool, at now: Int) -> [InputReport] {
        zip(indices, inputs).compactMap { self[$0].look($1.buffer, isArriving: isArriving, at: now) }
    }
}

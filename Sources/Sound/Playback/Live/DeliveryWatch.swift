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
    private var isUnheard = false
    private let input: LiveInput
    private let timeout: Int

    /// The time for which nothing may be heard, in addition to the input's latency.
    static let patience = Duration.seconds(2)
    /// The age of the render thread's report from which on the input is not being played.
    private static let age = 500_000_000

    init(_ input: LiveInput) {
        self.input = input
        timeout = (input.latency + Self.patience).wholeNanoseconds
    }

    /// - Parameter isArriving: true if audio arrives.
    /// - Returns: the next report, or nil if there is none. `unheard` is repeated while nothing is heard.
    mutating func look(isArriving: Bool, at now: Int) -> InputReport? {
        let buffer = input.buffer
        return look(buffer.clock, of: ObjectIdentifier(buffer), isArriving: isArriving, at: now)
    }

    /// - Parameter buffer: the buffer that has this clock, which another one may have replaced.
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

    /// Records that the input is heard, or need not be heard.
    private mutating func calm() -> InputReport? {
        since = nil
        defer { isUnheard = false }
        return isUnheard ? .heard : nil
    }
}

extension [DeliveryWatch] {
    mutating func look(isArriving: Bool, at now: Int) -> [InputReport] {
        indices.compactMap { self[$0].look(isArriving: isArriving, at: now) }
    }
}

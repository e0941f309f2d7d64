import ALSA
import AudioSession

/// Decides when a device that cannot be heard is a fault. The type is pure, so the caller passes the time.
///
/// A mute counts once it has lasted for a second, because a user who moves a stream to another sink mutes it for a moment.
/// A suspended sink only counts while something should be heard, because servers suspend what is not used.
struct OutputWatch: Hashable, Sendable {
    /// The last report about the device.
    private(set) var audibility = DeviceAudibility.audible
    /// The fault that applies now, or nil, and the time since which there has been one.
    private var kind: Fault.Kind?
    private var since = Duration.zero
    /// The fault that has been reported and has not been cleared.
    private var reported: Fault.Kind?

    /// The time for which a device must have been inaudible.
    static let delay = Duration.seconds(1)

    /// - Parameter audibility: The audibility of the device in use. A device that is not open is assumed to be audible.
    mutating func note(_ audibility: DeviceAudibility) { self.audibility = audibility }

    /// Call this after each event.
    /// - Parameter isNeeded: True if something should be heard.
    mutating func follow(isNeeded: Bool, at now: Duration) {
        if kind == nil { since = now }
        kind =
            switch audibility {
            case .audible: nil
            case .muted(.suspension) where !isNeeded: nil
            case .muted: .muted
            case .quiet: .quiet
            }
    }

    /// The time at which `next` has an event, or nil if nothing is due.
    func deadline(at now: Duration) -> Duration? {
        guard reported != kind else { return nil }
        return reported != nil ? now : since + Self.delay
    }

    /// Returns the next event that is due. A fault of another kind begins when the previous one has cleared.
    mutating func next(by now: Duration) -> Event? {
        guard let deadline = deadline(at: now), deadline <= now else { return nil }
        defer { reported = reported == nil ? kind : nil }
        return reported.map { .cleared(Fault(playback: $0)) } ?? kind.map { .fault(Fault(playback: $0)) }
    }
}

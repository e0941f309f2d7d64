import AudioSession
import Configuration
import Playback
import Supervisor

/// Measures the time from a wire's edge to the first sample that it changes, and to the end of the change. The type is
/// pure.
struct Latencies {
    /// The effect of an edge.
    struct MeasuredReaction: Hashable {
        let signal: SignalID
        /// The directive that resulted from the edge.
        let directive: Directive
        /// True if the signal began because the line chatters. In this case, the time from the first edge does not have
        /// a bound.
        let isChatter: Bool
        /// The time from the edge to the first sample that it changed.
        let latency: Duration
        /// The time from the edge to the last sample that is not silent, or to the first sample at the ducked level.
        let complete: Duration

        /// Returns the longest time that the reaction should take, or nil if there is no bound.
        func bound(under configuration: Configuration) -> ReactionBound? {
            isChatter ? nil : ReactionBound(of: signal, under: configuration)
        }
    }

    private struct Begin {
        let signal: SignalID
        let directive: Directive
        let isChatter: Bool
        let edge: Duration
        /// The time at which the player received the order.
        let given: Duration
        let ramp: Duration
    }

    /// A cue whose first frame was played.
    struct MeasuredCue: Hashable {
        let signal: SignalID
        let sound: SoundID
        /// The time from the edge to the first frame.
        let latency: Duration
    }

    private struct CueBegin {
        let signal: SignalID
        let sound: SoundID
        let edge: Duration
        /// The time at which the player received the order.
        let given: Duration
    }

    /// The maximum number of pending reactions.
    private static let most = 16

    /// The time at which each signal's line last changed to the level that asserts it, and the time at which it last
    /// left that level.
    private var edges: [SignalID: (rise: Duration, fall: Duration?)] = [:]
    /// The reactions whose first changed sample has not been played yet, oldest first.
    private var unheard: [Begin] = []
    private var directive: Directive?
    /// The cue whose first frame has not been played yet.
    private var unheardCue: CueBegin?

    /// Records that a line changed to or from the level that asserts its signal. If the contact bounces, its first edge
    /// is used.
    /// - Parameter debounce: The longest time that a bounce may last.
    mutating func turned(_ signal: SignalID, toAssert asserts: Bool, at time: Duration, debounce: Duration) {
        guard asserts else {
            edges[signal]?.fall = time
            return
        }
        if let edge = edges[signal], edge.fall.map({ time - $0 <= debounce }) ?? true { return }
        edges[signal] = (time, nil)
    }

    /// Handles an event. If a signal begins with the event and changes the directive, the effect is expected at the
    /// output.
    mutating func expect(
        _ event: Event?, at now: Duration, directive: Directive, playback: PlaybackSettings
    ) {
        func begin(_ signal: SignalID, isChatter: Bool = false) -> Begin {
            Begin(
                signal: signal, directive: directive, isChatter: isChatter, edge: edges[signal]?.rise ?? now,
                given: now, ramp: playback.ramp(downTo: directive))
        }
        defer { self.directive = directive }
        switch event {
        case .edge(let edge) where !edge.isAsserted:
            // The line may have risen again before its fall was handled.
            if edges[edge.signal]?.fall != nil { edges[edge.signal] = nil }
        case .edge(let edge) where directive != self.directive: add(begin(edge.signal))
        case .fault(let fault) where fault.kind == .chatter && directive != self.directive:
            if let signal = fault.signal { add(begin(signal, isChatter: true)) }
        default: break
        }
    }

    /// Records that a cue is about to play. If the edge of its signal is the cause, its first frame is expected at the
    /// output.
    mutating func expect(cue sound: SoundID, of signal: SignalID, after event: Event?, at now: Duration) {
        switch event {
        case .edge(let edge) where edge.signal == signal && edge.isAsserted: break
        case .fault(let fault) where fault.signal == signal && fault.kind == .chatter: break
        default: return
        }
        unheardCue = CueBegin(signal: signal, sound: sound, edge: edges[signal]?.rise ?? now, given: now)
    }

    /// Handles the first frame of a sound at the output.
    /// - Returns: The cue, or nil if the frame does not belong to a cue that an edge caused.
    mutating func heard(sound effect: CommandEffect) -> MeasuredCue? {
        guard let cue = unheardCue, cue.given <= effect.given else { return nil }
        unheardCue = nil
        guard cue.given == effect.given else { return nil }
        return MeasuredCue(signal: cue.signal, sound: cue.sound, latency: effect.heard - cue.edge)
    }

    private mutating func add(_ begin: Begin) {
        unheard.append(begin)
        if unheard.count > Self.most { unheard.removeFirst() }
    }

    /// Handles an order to the player that has become audible.
    /// - Returns: The reaction that this completes, or nil if there is none.
    mutating func heard(_ effect: CommandEffect) -> MeasuredReaction? {
        unheard.removeAll { $0.given < effect.given }
        guard let begin = unheard.first, begin.given == effect.given else { return nil }
        unheard.removeFirst()
        let latency = effect.heard - begin.edge
        return MeasuredReaction(
            signal: begin.signal, directive: begin.directive, isChatter: begin.isChatter, latency: latency,
            complete: latency + begin.ramp)
    }
}

import AudioSession
import Configuration
import Playback
import Supervisor

/// Measures the time from a wire's edge to the first sample that it changes, and to the end of the change. Pure.
struct Latencies {
    /// The effect of an edge.
    struct MeasuredReaction: Hashable {
        let signal: SignalID
        /// The directive that it led to.
        let directive: Directive
        /// Whether it began because the line chatters: then the time from the first edge has no bound.
        let isChatter: Bool
        /// From the edge to the first sample that it changed.
        let latency: Duration
        /// From the edge to the last sample that is not silent, or to the first at the ducked level.
        let complete: Duration

        /// The longest time that it should take; nil if none is stated.
        func bound(under configuration: Configuration) -> ReactionBound? {
            isChatter ? nil : ReactionBound(of: signal, under: configuration)
        }
    }

    private struct Begin {
        let signal: SignalID
        let directive: Directive
        let isChatter: Bool
        let edge: Duration
        /// When the player was instructed.
        let given: Duration
        let ramp: Duration
    }

    /// A cue whose first frame was heard.
    struct MeasuredCue: Hashable {
        let signal: SignalID
        let sound: SoundID
        /// From the edge to the first frame.
        let latency: Duration
    }

    private struct CueBegin {
        let signal: SignalID
        let sound: SoundID
        let edge: Duration
        /// When the player was instructed.
        let given: Duration
    }

    /// More are never pending.
    private static let most = 16

    /// When each signal's line went to the level that asserts it, and when it last left it.
    private var edges: [SignalID: (rise: Duration, fall: Duration?)] = [:]
    /// Begins whose first changed sample has not been heard yet, oldest first.
    private var unheard: [Begin] = []
    private var directive: Directive?
    /// The cue whose first frame has not been heard yet.
    private var unheardCue: CueBegin?

    /// A line changed to the level that asserts its signal, or from it. If the contact bounces, its first edge counts.
    /// - Parameter debounce: a level that lasts no longer than this is a bounce.
    mutating func turned(_ signal: SignalID, toAssert asserts: Bool, at time: Duration, debounce: Duration) {
        guard asserts else {
            edges[signal]?.fall = time
            return
        }
        if let edge = edges[signal], edge.fall.map({ time - $0 <= debounce }) ?? true { return }
        edges[signal] = (time, nil)
    }

    /// Something has happened. If it is a begin that changes the directive, its effect will be heard.
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
            // The line can have risen again before its fall was handled.
            if edges[edge.signal]?.fall != nil { edges[edge.signal] = nil }
        case .edge(let edge) where directive != self.directive: add(begin(edge.signal))
        case .fault(let fault) where fault.kind == .chatter && directive != self.directive:
            if let signal = fault.signal { add(begin(signal, isChatter: true)) }
        default: break
        }
    }

    /// A cue has become due. If the edge of its signal is the cause, its first frame will be heard.
    mutating func expect(cue sound: SoundID, of signal: SignalID, after event: Event?, at now: Duration) {
        switch event {
        case .edge(let edge) where edge.signal == signal && edge.isAsserted: break
        case .fault(let fault) where fault.signal == signal && fault.kind == .chatter: break
        default: return
        }
        unheardCue = CueBegin(signal: signal, sound: sound, edge: edges[signal]?.rise ?? now, given: now)
    }

    /// The first frame of a sound has become audible.
    /// - Returns: nil if it is not that of a cue that an edge caused.
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

    /// An order to the player has become audible.
    /// - Returns: the reaction that this completes; nil if it was none.
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

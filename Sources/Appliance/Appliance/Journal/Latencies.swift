import AudioSession
import Configuration
import Playback
import Supervisor

/// How long it takes from a wire's edge to the first sample that it changes, and until the change is complete. Pure: both
/// are passed in.
struct Latencies {
    /// What an edge led to.
    struct Reaction: Hashable {
        let signal: SignalID
        /// What the programme came to.
        let directive: Directive
        /// Whether it began because the line chatters: then nothing bounds the time from the first edge.
        let isChatter: Bool
        /// From the edge to the first sample that it changed.
        let latency: Duration
        /// From the edge to the last sample that is not silent, or to the first at the ducked level.
        let complete: Duration

        /// How long it may take; nil where nothing is stated.
        func bound(under configuration: Configuration) -> ReactionBound? {
            isChatter ? nil : ReactionBound(of: signal, under: configuration)
        }
    }

    private struct Begin {
        let signal: SignalID
        let directive: Directive
        let isChatter: Bool
        let edge: Duration
        /// When the player was told.
        let given: Duration
        let ramp: Duration
    }

    /// More have never been under way.
    private static let most = 16

    /// When each signal's line went to the level that asserts it, and when it last left it.
    private var edges: [SignalID: (rise: Duration, fall: Duration?)] = [:]
    /// Begins whose first changed sample has not been heard yet, oldest first.
    private var unheard: [Begin] = []
    private var directive: Directive?

    /// A line went to the level that asserts its signal, or left it. A contact that bounces rose with its first edge.
    /// - Parameter debounce: a level that lasts no longer is such a bounce.
    mutating func turned(_ signal: SignalID, toAssert asserts: Bool, at time: Duration, debounce: Duration) {
        guard asserts else {
            edges[signal]?.fall = time
            return
        }
        if let edge = edges[signal], edge.fall.map({ time - $0 <= debounce }) ?? true { return }
        edges[signal] = (time, nil)
    }

    /// Something has happened; a begin that changes what is to be heard will be.
    mutating func expect(
        _ happening: Happening, at now: Duration, directive: Directive, playback: PlaybackSettings
    ) {
        func begin(_ signal: SignalID, isChatter: Bool = false) -> Begin {
            Begin(
                signal: signal, directive: directive, isChatter: isChatter, edge: edges[signal]?.rise ?? now,
                given: now, ramp: playback.ramp(downTo: directive))
        }
        defer { self.directive = directive }
        switch happening {
        case .edge(let edge) where !edge.isAsserted:
            // It may have risen anew before its end was read.
            if edges[edge.signal]?.fall != nil { edges[edge.signal] = nil }
        case .edge(let edge) where directive != self.directive: add(begin(edge.signal))
        case .fault(let fault) where fault.kind == .chatter && directive != self.directive:
            add(begin(fault.signal, isChatter: true))
        default: break
        }
    }

    private mutating func add(_ begin: Begin) {
        unheard.append(begin)
        if unheard.count > Self.most { unheard.removeFirst() }
    }

    /// An order to the player is heard.
    /// - Returns: what it was a reaction to; nil where it was none.
    mutating func heard(_ effect: CommandEffect) -> Reaction? {
        unheard.removeAll { $0.given < effect.given }
        guard let begin = unheard.first, begin.given == effect.given else { return nil }
        unheard.removeFirst()
        let latency = effect.heard - begin.edge
        return Reaction(
            signal: begin.signal, directive: begin.directive, isChatter: begin.isChatter, latency: latency,
            complete: latency + begin.ramp)
    }
}

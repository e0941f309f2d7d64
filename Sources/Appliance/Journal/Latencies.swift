import AudioSession
import Playback
import Supervisor

/// How long it takes from a wire's edge to the first sample that it changes. Pure: it is told of both.
struct Latencies {
    private struct Begin {
        let signal: SignalID
        let edge: Duration
        /// When the player was told.
        let given: Duration
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
    mutating func expect(_ happening: Happening, at now: Duration, directive: Directive) {
        defer { self.directive = directive }
        switch happening {
        case .edge(let edge) where !edge.isAsserted:
            // It may have risen anew before its end was read.
            if edges[edge.signal]?.fall != nil { edges[edge.signal] = nil }
        case .edge(let edge) where directive != self.directive: began(edge.signal, at: now)
        case .fault(let fault) where fault.kind == .chatter && directive != self.directive: began(fault.signal, at: now)
        default: break
        }
    }

    private mutating func began(_ signal: SignalID, at now: Duration) {
        unheard.append(Begin(signal: signal, edge: edges[signal]?.rise ?? now, given: now))
        if unheard.count > Self.most { unheard.removeFirst() }
    }

    /// An order to the player is heard.
    /// - Returns: whose edge it was, and how long it took from there; nil where it was none.
    mutating func heard(_ effect: CommandEffect) -> (signal: SignalID, latency: Duration)? {
        unheard.removeAll { $0.given < effect.given }
        guard let begin = unheard.first, begin.given == effect.given else { return nil }
        unheard.removeFirst()
        return (begin.signal, effect.heard - begin.edge)
    }
}

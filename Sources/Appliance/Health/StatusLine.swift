import AudioSession

/// What `systemctl status` shows: one line, readable across a workshop. It changes only with what it tells of.
public struct StatusLine: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ scene: Scene, _ health: Health) {
        let complaints = scene.session.faults.map { "\($0.signal) \($0.kind.rawValue)" } + health.words
        let trouble = complaints.isEmpty ? "" : " — " + complaints.joined(separator: "; ")
        description = StatusLine.state(scene) + trouble
    }

    private static func state(_ scene: Scene) -> String {
        let session = scene.session
        let name = scene.track.map { "‘\($0.split(separator: "/").last ?? "")’" } ?? "nothing"
        if case .play(let level) = session.directive {
            return level == .full ? "Playing \(name)" : "Playing \(name), turned down to \(level) dB"
        }
        if !session.blocking.isEmpty {
            let sequel = session.intent == .playing ? "will go on with \(name)" : scene.wish
            return "Quiet: \(scene.names(of: session.blocking)) is asserted; \(sequel)"
        }
        if !session.servicesAvailable { return "Quiet: no sound device" }
        if session.track == nil { return "Quiet: nothing to play" }
        return "Quiet: \(scene.wish)"
    }
}

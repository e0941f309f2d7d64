import AudioSession
import Configuration
import Glibc

/// The comparison of MaximumPriority= with the cues of this machine's tacet.conf.
enum PriorityCheck {
    /// Returns the effects that an announcement from the broker can have on local cues, and the sounds that it limits,
    /// as messages for people. Returns nothing if this process cannot read a valid tacet.conf.
    /// - Parameter source: the source of mqtt.conf. A tacet.conf beside that file is used, or else the installed one.
    static func warnings(_ broker: BrokerConfiguration, _ source: ConfigurationSource) -> [String] {
        guard let loaded = try? Configuration.load(local(source), checksLibrary: false) else { return [] }
        let configuration = loaded.configuration
        let limit = broker.maximumPriority
        let file = loaded.files.last ?? "tacet.conf"
        let cues = configuration.session.signals.compactMap { signal in
            signal.cue.map { (signal: signal.id, sound: $0, priority: signal.priority) }
        }
        let reached = cues.filter { $0.priority <= limit }.map {
            "MaximumPriority=\(limit) reaches Priority=\($0.priority) of [Signal \($0.signal)] in \(file): an announcement"
                + " from the broker can delay or silence its cue \($0.sound) (\(advice(below: $0.priority)))"
        }
        // A sound that is only a cue has its signal's priority.
        let limited = configuration.session.sounds.filter { sound in
            sound.priority > limit && !cues.contains { $0.sound == sound.id }
        }.map {
            "[Sound \($0.id)] has Priority=\($0.priority) in \(file), but if the broker announces it, it has"
                + " MaximumPriority=\(limit)"
        }
        return reached + limited
    }

    private static func advice(below priority: Int) -> String {
        priority == 0
            ? "raise the Priority= of the signal"
            : "write MaximumPriority=\(priority - 1) in [Fleet], or raise the Priority= of the signal"
    }

    private static func local(_ source: ConfigurationSource) -> ConfigurationSource {
        guard case .file(let path) = source else { return .system }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        let neighbour = "\(folder)tacet.conf"
        return access(neighbour, R_OK) == 0 ? .file(neighbour) : .system
    }
}

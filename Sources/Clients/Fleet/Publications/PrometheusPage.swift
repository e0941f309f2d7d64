import AudioSession

/// A board's state for Prometheus, in the text format that node_exporter's textfile collector reads.
/// <https://prometheus.io/docs/instrumenting/exposition_formats/>
public enum PrometheusPage {
    /// - Parameters:
    ///   - snapshot: the state, or nil if Tacet is not available.
    ///   - problems: the problems that `tacet health` also lists.
    ///   - isConnected: true if the broker is connected.
    public static func text(_ snapshot: Snapshot?, problems: [String], isConnected: Bool) -> String {
        var page = ""
        func add(_ name: String, _ help: String, _ value: Double) {
            page += "# HELP tacet_\(name) \(help)\n# TYPE tacet_\(name) gauge\ntacet_\(name) \(value)\n"
        }
        func flag(_ name: String, _ help: String, _ value: Bool) { add(name, help, value ? 1 : 0) }
        flag("up", "Whether tacetd is available.", snapshot != nil)
        flag("broker_connected", "Whether tacet-mqtt is connected to its broker.", isConnected)
        add("problems", "The number of problems that tacet health reports.", Double(problems.count))
        guard let snapshot else { return page }
        flag("wants_playing", "Whether the user wants the music to play.", snapshot.intent == .playing)
        flag("playing", "Whether the music is playing.", snapshot.directive != .silent)
        flag("interrupted", "Whether an interruption is in progress.", snapshot.isInterrupted)
        flag("sound_device_available", "Whether the sound device is available.", snapshot.servicesAvailable)
        flag("recording", "Whether the microphone is recorded.", snapshot.isRecording)
        add("volume_decibels", "The music's level.", snapshot.volume.decibels)
        add("active_signals", "The number of active signals.", Double(snapshot.active.count))
        guard !snapshot.active.isEmpty else { return page }
        page += "# HELP tacet_signal_active Each active signal.\n# TYPE tacet_signal_active gauge\n"
        for signal in snapshot.active { page += "tacet_signal_active{signal=\"\(escaped(signal.rawValue))\"} 1\n" }
        return page
    }

    private static func escaped(_ label: String) -> String {
        label.map { character in
            switch character {
            case "\\": "\\\\"
            case "\"": "\\\""
            case "\n": "\\n"
            default: String(character)
            }
        }.joined()
    }
}

import AudioSession
import Chance
import Simulation

/// The inputs and players of a random scenario. There are none by default.
struct RandomInputs {
    private(set) var configuration: [String] = []
    /// The times around which inputs begin and cease to sound, in milliseconds.
    private(set) var times: [Int] = []
    private var inputs: [String] = []
    /// The times of each input, in milliseconds.
    private var arrivals: [String: (attack: Int, idle: Int)] = [:]
    /// The input of each player that has one.
    private var connected: [String: String] = [:]
    private var players: [String] = []

    var isEmpty: Bool { inputs.isEmpty && players.isEmpty }

    init() {}

    init(_ chance: inout SplitMix) {
        func one(_ choices: String...) -> String { choices.randomElement(using: &chance) ?? "" }
        // The order of the configuration is not that of the names.
        func some(_ names: [String]) -> [String] {
            Array(names.shuffled(using: &chance).prefix(Int.random(in: 0...names.count, using: &chance)))
        }
        inputs = some(["radio", "airplay", "desk"])
        players = some(["mpd", "vlc"])
        configuration += players.flatMap { ["[Player \($0)]", "Bus=\($0)"] }
        var unconnected = players
        for input in inputs {
            let isPage = Int.random(in: 0..<4, using: &chance) == 0
            let attack = [0, 40, 100, 300, 1_000].randomElement(using: &chance) ?? 0
            let idle = [50, 170, 300, 1_000, 2_000].randomElement(using: &chance) ?? 0
            let settle = [0, 300, 1_000, 3_000].randomElement(using: &chance) ?? 0
            arrivals[input] = (attack, idle)
            times += [attack, attack + 1, idle - 1, idle, idle, settle]
            configuration += [
                "[Input \(input)]", "From=pipe:/run/\(input)", "Attack=\(attack)ms", "Idle=\(idle)ms",
                "SettleTime=\(settle)ms",
            ]
            guard !isPage else {
                configuration.append("Role=page")
                for name in ["page", "warning"] where Bool.random(using: &chance) {
                    configuration += [
                        "[Signal \(input)-\(name)]", "Source=input", "Input=\(input)",
                        "Effect=\(one("pause", "pause", "duck", "mute-microphone", "ignore", "checkpoint"))",
                        "DuckLevel=\(one("-14dB", "-20dB", "mute"))", "Resume=\(one("auto", "auto", "manual"))",
                        "ResumeWithin=\(one("infinity", "infinity", "1500ms"))", "Alert=\(one("no", "no", "yes"))",
                        "StuckAfter=\(one("infinity", "infinity", "3s", "900ms"))",
                        "WhenStuck=\(one("hold", "release"))", "Priority=\(one("20", "50", "50", "90"))",
                    ]
                    switch Int.random(in: 0..<6, using: &chance) {
                    case 0: break
                    case 1: configuration.append("Cue=\(RandomScenario.soundNames.randomElement(using: &chance) ?? "")")
                    default: configuration.append("Cue=input")
                    }
                }
                continue
            }
            configuration.append("Automatic=\(one("no", "no", "yes"))")
            if Bool.random(using: &chance), let player = unconnected.popLast() {
                configuration.append("Player=\(player)")
                connected[player] = input
            }
        }
    }

    /// The events that may precede the first boot.
    var initial: [ScenarioEvent] {
        inputs.map { .arrival(InputID($0), true) } + players.map { .event(.player(PlayerID($0), .playing)) }
    }

    /// An event after another one.
    typealias Later = (after: Int, event: String)

    /// Returns random events that concern inputs or players, or none for an event that concerns something else. The
    /// time of each is relative to the previous one, in milliseconds.
    func events(_ chance: inout SplitMix, isOn: Bool) -> [Later] {
        func one(_ choices: [String]) -> String { choices.randomElement(using: &chance) ?? "" }
        guard let name = (inputs + inputs + players).randomElement(using: &chance) else { return [] }
        switch Int.random(in: 0..<20, using: &chance) {
        case 0: return [(0, isOn ? "power-cut" : "boot")]
        case 1..<4 where isOn:
            return [(0, "command \(["play", "pause", "stop", "playPause"].randomElement(using: &chance) ?? "")")]
        case 4 where isOn:
            guard let (attack, idle) = arrivals[name] else { break }
            return silence(of: name, attack, idle, &chance)
        case 5, 6:
            guard isOn, let input = connected[name], let (attack, _) = arrivals[input] else { break }
            return keeping(of: name, input, attack, &chance)
        default: break
        }
        guard players.contains(name) else { return [(0, "input \(name) \(Int.random(in: 0...1, using: &chance))")] }
        switch Int.random(in: 0..<12, using: &chance) {
        case 0, 1: return [(0, "player \(name) refuses"), (0, "player \(name) playing")]
        case 2 where isOn: return [(0, "player \(name) found \(one(PlayerReport.allCases.map(\.rawValue)))")]
        default: break
        }
        let report = one(["playing", "playing", "playing", "paused", "gone"])
        // Audio usually arrives while the player plays.
        guard let input = connected[name], Bool.random(using: &chance) else { return [(0, "player \(name) \(report)")] }
        return [(0, "player \(name) \(report)"), (20, "input \(input) \(report == "playing" ? 1 : 0)")]
    }

    /// Returns events in which a player plays and is then paused, so that its audio ceases, perhaps before a power cut.
    private func keeping(of player: String, _ input: String, _ attack: Int, _ chance: inout SplitMix) -> [Later] {
        let pause =
            ["command pause", "assert phone-call", "route lost", "command announce siren"]
            .randomElement(using: &chance) ?? ""
        let events = [
            (0, "player \(player) playing"), (20, "input \(input) 1"), (attack + 1, pause), (10, "input \(input) 0"),
        ]
        return Bool.random(using: &chance) ? events : events + [(300, "power-cut")]
    }

    /// Returns events in which an input that may be paused is silent for about a minute.
    private func silence(of name: String, _ attack: Int, _ idle: Int, _ chance: inout SplitMix) -> [Later] {
        let minute = 60_000 + idle - attack + Int.random(in: -1...1, using: &chance)
        let pause = ["pause", "pause", "stop", "play"].randomElement(using: &chance) ?? ""
        return [
            (0, "input \(name) 1"), (attack + 1, "command \(pause)"), (10, "input \(name) 0"),
            (minute, "input \(name) 1"), (attack, "command volume 0dB"),
        ]
    }
}

import AudioSession
import Chance
import Simulation

/// A configuration and a scenario generated from a seed. `RandomCoverageTests` checks that the extended scenarios have
/// every event, and every key that affects a rehearsal.
struct RandomScenario {
    let configuration: String
    /// The part of the scenario that comes before the first boot.
    let initial: [ScenarioEvent]
    let scenario: String

    static let tracks = [
        (name: "1.wav", length: 4_000), (name: "2.wav", length: 7_000), (name: "3.wav", length: 2_500),
    ]
    /// The names that can be chosen, and the tracks to which they refer. Other names have none. `list.m3u` is a playlist.
    static let choices = ["2.wav": ["2.wav"], "list.m3u": ["3.wav", "1.wav"], ".": ["1.wav", "2.wav", "3.wav"]]

    /// Returns the tracks to which a name refers.
    static func chosen(_ name: String) -> [(name: String, length: Duration)] {
        (choices[name] ?? []).compactMap { track in
            tracks.first { $0.name == track }.map { ($0.name, .milliseconds($0.length)) }
        }
    }

    /// The sounds that have a file. Another sound, `absent`, has none.
    static let sounds = [
        (name: "gong", length: 700), (name: "stop", length: 1_500), (name: "bell", length: 300),
        (name: "siren", length: 400), (name: "fog", length: 2_600),
    ]
    static let soundNames = sounds.map(\.name) + ["absent"]
    static let signals = ["phone-call", "alarm", "cover-closed", "door"]

    init(seed: UInt64) {
        var chance = SplitMix(seed: seed)
        // Every other scenario has inputs or players.
        var inputs = RandomInputs()
        let base = Self.configuration(&chance)
        if Bool.random(using: &chance) { inputs = RandomInputs(&chance) }
        configuration = ([base] + inputs.configuration).joined(separator: "\n")
        initial = Self.initial(&chance, inputs)
        let before = initial.isEmpty ? [] : initial.map { "0s \(Self.text($0))" } + ["0s boot"]
        scenario = (before + [Self.scenario(&chance, inputs)]).joined(separator: "\n")
    }

    private static func configuration(_ chance: inout SplitMix) -> String {
        func one(_ choices: String...) -> String { choices.randomElement(using: &chance) ?? "" }
        var lines = [
            "[Session]", "Category=\(one("playback", "record", "playAndRecord"))",
            "Mode=\(one("default", "default", "spokenAudio"))",
            "Options=\(one("none", "none", "overrideMutedMicrophoneInterruption"))",
            "PrefersNoInterruptionsFromSystemAlerts=\(one("no", "no", "yes"))",
            "PlaybackInterface=\(one("yes", "yes", "no"))", "ResumeAfterReset=\(one("yes", "no"))",
            "PauseOnRouteLoss=\(one("yes", "no"))", "ResumeDelay=\(one("0s", "0s", "500ms", "2s"))",
            "[Playback]", "Library=music", "AutoPlay=\(one("yes", "yes", "no"))",
            "Repeat=\(one("none", "playlist", "track"))", "ResumeRewind=\(one("0s", "1s", "3s"))",
            "FadeOut=\(one("0s", "300ms", "60ms"))",
            "FadeIn=\(one("100ms", "600ms"))", "DuckAttack=\(one("0s", "120ms", "450ms"))",
            "DuckRelease=\(one("0s", "250ms"))",
            "Volume=\(one("0dB", "-20dB", "-3dB"))", "MaximumVolume=\(one("0dB", "0dB", "-3dB", "-10dB"))",
            "[State]", "Interval=\(one("100ms", "1s", "5s"))",
        ]
        let deep = one("mute", "-40dB")
        for signal in signals {
            // The model does not cover a stuck signal whose line is low at boot, so `StuckAfter=` is never combined
            // with `ReleaseDelay=`.
            let stuck = one("infinity", "infinity", "3s", "900ms")
            lines += [
                "[Signal \(signal)]", "Line=\(signal)",
                "Effect=\(one("pause", "pause", "duck", "mute-microphone", "ignore", "checkpoint"))",
                "DuckLevel=\(one("-14dB", "-20dB", deep))", "Resume=\(one("auto", "auto", "manual"))",
                "ResumeWithin=\(one("infinity", "infinity", "1500ms"))", "Alert=\(one("no", "no", "yes"))",
                "StuckAfter=\(stuck)", "WhenStuck=\(one("hold", "release"))",
                "ReleaseDelay=\(stuck == "infinity" ? one("0s", "1200ms") : "0s")",
                "Priority=\(one("20", "50", "50", "90"))",
            ]
            if Bool.random(using: &chance) { lines.append("Cue=\(soundNames.randomElement(using: &chance) ?? "")") }
        }
        for sound in soundNames {
            lines += [
                "[Sound \(sound)]", "File=\(sound).wav", "Effect=\(one("duck", "pause", "mix"))",
                "DuckLevel=\(one("-14dB", "-30dB", deep))", "Repeat=\(one("no", "no", "yes"))",
                "Priority=\(one("10", "30", "30", "50", "90"))",
                "Expire=\(one("300ms", "1s", "2500ms", "10s", "10s", "0s", "infinity"))",
                "Again=\(one("queue", "queue", "ignore", "restart"))",
                "Once=\(one("0s", "0s", "0s", "650ms", "4s"))", "Continue=\(one("no", "yes"))",
            ]
        }
        lines += buttons + recording(&chance) + idle(&chance)
        // Every other configuration has outputs.
        guard Bool.random(using: &chance) else { return lines.joined(separator: "\n") }
        for name in ["valve", "amplifier"] where Bool.random(using: &chance) {
            lines += [
                "[Output \(name)]", "Means=amplifier", "Lead=\(one("0s", "50ms", "400ms", "2s"))",
                "Lag=\(one("0s", "200ms", "1s", "3s"))",
            ]
        }
        lines += OutputFact.allCases.flatMap { ["[Output \($0.rawValue)]", "Means=\($0.rawValue)"] }
        return lines.joined(separator: "\n")
    }

    private static let buttons = [
        "[Button music]", "Line=music", "Command=playPause", "LongCommand=stop", "DoubleCommand=next",
        "[Button louder]", "Line=louder", "Command=volume +3dB", "LongCommand=volume -100%",
        "[Button gong]", "Line=gong", "Command=announce gong --priority 70 --expire 2s", "LongCommand=hush",
    ]

    /// Every fourth configuration has a playlist for idle times.
    private static func idle(_ chance: inout SplitMix) -> [String] {
        guard Int.random(in: 0..<4, using: &chance) == 0 else { return [] }
        let after = ["1s", "1800ms", "4s"].randomElement(using: &chance) ?? ""
        return ["[Playback]", "IdleAfter=\(after)", "IdlePlaylist=list.m3u"]
    }

    /// Three of four configurations have a recorder, whether or not their category records.
    private static func recording(_ chance: inout SplitMix) -> [String] {
        guard Int.random(in: 0..<4, using: &chance) > 0 else { return [] }
        let rate = [8_000, 11_025, 22_050, 44_100, 44_100, 48_000, 96_000].randomElement(using: &chance) ?? 48_000
        return [
            "[Recording]", "AutoRecord=\(Bool.random(using: &chance) ? "yes" : "no")",
            "Rate=\(Bool.random(using: &chance) ? "" : "\(rate)")",
            "Enabled=\(Int.random(in: 0..<10, using: &chance) == 0 ? "no" : "yes")",
            "During=\(Bool.random(using: &chance) ? "interruptions" : "active")",
        ]
    }

    /// One of five scenarios begins with a lost device, an asserted signal, audio at an input or a player that plays.
    private static func initial(_ chance: inout SplitMix, _ inputs: RandomInputs) -> [ScenarioEvent] {
        guard Int.random(in: 0..<5, using: &chance) == 0 else { return [] }
        let edges = signals.map { Event.edge(Edge(SignalID($0), asserted: true)) }
        let events = [.captureLost, .captureLost, .captureReturned, .mediaServicesLost].map(ScenarioEvent.event)
        let edge = edges.randomElement(using: &chance).map(ScenarioEvent.event)
        return (events + [edge].compactMap { $0 } + inputs.initial).filter { _ in Bool.random(using: &chance) }
    }

    private static func text(_ event: ScenarioEvent) -> String {
        switch event {
        case .arrival(let input, let arrives): "input \(input) \(arrives ? 1 : 0)"
        case .event(let event): "\(event)"
        default: ""
        }
    }

    private static func scenario(_ chance: inout SplitMix, _ inputs: RandomInputs) -> String {
        var lines: [String] = []
        var time = 0
        var isOn = true
        var wakes = -1
        let pauses = [0, 0, 40, 170, 300, 400, 650, 700, 1_000, 1_850, 3_000, 4_100] + inputs.times
        for _ in 0..<Int.random(in: 8...40, using: &chance) {
            time += pauses.randomElement(using: &chance) ?? 0
            let isAsleep = isOn && time <= wakes
            let live = isAsleep || Bool.random(using: &chance) ? [] : inputs.events(&chance, isOn: isOn)
            for earlier in live.dropLast() {
                time += earlier.after
                lines.append("\(time)ms \(earlier.event)")
            }
            time += live.last?.after ?? 0
            let event = live.last?.event ?? event(&chance, isOn: isOn, isAsleep: isAsleep)
            if event == "power-cut" {
                isOn = false
                wakes = -1
            }
            if event == "boot" { isOn = true }
            if event.hasPrefix("asleep") { wakes = time + (event.hasSuffix("1500ms") ? 1_500 : 8_000) }
            // Occasionally, there are more announcements than can be queued.
            let count = event.hasPrefix("command announce") && Int.random(in: 0..<40, using: &chance) == 0 ? 18 : 1
            lines += Array(repeating: "\(time)ms \(event)", count: count)
            // The model does not cover an assertion that is stuck when a boot begins and ends at that instant.
            if event == "boot" { time += 10 }
        }
        return (lines + ["\(time + 4_321)ms end"]).joined(separator: "\n")
    }

    private static func event(_ chance: inout SplitMix, isOn: Bool, isAsleep: Bool) -> String {
        func one(_ choices: [String]) -> String { choices.randomElement(using: &chance) ?? "" }
        let signal = one(signals)
        switch Int.random(in: 0..<44, using: &chance) {
        case 0..<7: return "\(one(["assert", "deassert"])) \(signal)"
        case 7: return "device lost"
        case 8: return "device reset"
        case 9: return "configuration 48000 2"
        case 10 where isOn: return one(["route lost", "route back"])
        case 11 where isOn: return "power-cut"
        case 11..<14 where !isOn: return "boot"
        case 12 where isOn && !isAsleep: return one(["asleep 1500ms", "asleep 8s"])
        case 20..<27 where isOn && !isAsleep: return "command announce \(one(soundNames + ["nonsense"]))"
        case 27 where isOn && !isAsleep: return "command hush"
        case 28 where isOn && !isAsleep:
            let name = one(choices.keys.sorted() + ["nonsense.wav"])
            let then = one(["", "", " --then stop", " --then repeat"])
            return "command play \(name)\(one(["", "", " --at 1.5s"]))\(then)"
        case 36..<40 where isOn && !isAsleep:
            return "button "
                + one([
                    "music press", "music press", "music long", "music double", "louder press", "louder press",
                    "louder long", "gong press", "gong press", "gong long",
                ])
        case 40..<42 where isOn && !isAsleep:
            return "command announce \(one(soundNames))\(one(["", " --priority 10", " --priority 95"]))"
                + one(["", " --expire 400ms", " --expire 3s", " --expire infinity"])
        case 28..<30: return one(["capture lost", "capture back"])
        case 42..<44 where !isAsleep: return one(["output muted", "output muted", "output quiet", "output audible"])
        case 30..<36 where isOn && !isAsleep:
            return one(["command record", "command record", "command stopRecording"])
        case 13..<20 where isOn && !isAsleep:
            return "command "
                + one([
                    "play", "play", "pause", "playPause", "playPause", "stop", "next", "previous", "seek 1s",
                    "seek 2500ms", "seek 9s", "volume -6dB", "volume 0dB",
                ])
        default: return "\(one(["assert", "deassert"])) \(signal)"
        }
    }
}

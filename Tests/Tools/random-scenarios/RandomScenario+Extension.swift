import Chance

/// Keys and events that `SessionModel` does not cover.
extension RandomScenario {
    /// Returns the scenario with further keys and events, which the same seed always repeats.
    func extended(seed: UInt64) -> (configuration: String, scenario: String) {
        var chance = SplitMix(seed: ~seed)
        let lines = scenario.split(separator: "\n").flatMap { line in
            let words = line.split(separator: " ")
            guard Int.random(in: 0..<4, using: &chance) == 0, words[1] != "end" else { return ["\(line)"] }
            // A command shows that the system is awake. The levels of lines can change at any time.
            let event = words[1] == "command" ? Self.command(&chance) : Self.line(&chance)
            return ["\(line)", "\(words[0]) \(event)"]
        }
        return (([configuration] + Self.keys(&chance)).joined(separator: "\n"), lines.joined(separator: "\n"))
    }

    private static func one(_ chance: inout SplitMix, _ choices: String...) -> String {
        choices.randomElement(using: &chance) ?? ""
    }

    private static func line(_ chance: inout SplitMix) -> String {
        let level = one(&chance, "0", "1", "lost")
        let signal = signals.randomElement(using: &chance) ?? ""
        return "\(one(&chance, "line \(signal)", "line \(signal)", "line louder", "complement door")) \(level)"
    }

    private static func command(_ chance: inout SplitMix) -> String {
        "command "
            + one(
                &chance, "seek +2s", "seek -1s", "volume +3dB", "volume 50%", "announce ./bell.wav", "announce ./no.wav"
            )
    }

    private static func keys(_ chance: inout SplitMix) -> [String] {
        var lines = ["[Playback]", "Shuffle=\(one(&chance, "no", "yes"))", "[Signal door]", "Complement=other-contact"]
        for section in signals.map({ "[Signal \($0)]" }) + ["[Button louder]"] {
            lines += [
                section, "ActiveLow=\(one(&chance, "no", "no", "yes"))",
                "Debounce=\(one(&chance, "0s", "5ms", "30ms"))",
                "ChatterLimit=\(one(&chance, "4", "20"))", "ChatterWindow=\(one(&chance, "1s", "10s"))",
            ]
        }
        for signal in signals {
            lines += [
                "[Signal \(signal)]", "LostGrace=\(one(&chance, "0s", "500ms"))",
                "WhenLost=\(one(&chance, "hold", "release"))",
            ]
        }
        for sound in soundNames {
            lines += [
                "[Sound \(sound)]", "Level=\(one(&chance, "0dB", "-6dB"))", "Follow=\(one(&chance, "none", "volume"))",
            ]
        }
        return lines + [
            "[Output lamp]", "Means=playing", "Line=lamp", "ActiveLow=\(one(&chance, "no", "yes"))",
            "[Button louder]", "LongPress=\(one(&chance, "500ms", "2s"))",
            "ReleaseDelay=\(one(&chance, "0s", "200ms"))",
        ]
    }
}

import AudioSession
import Chance

/// A short scenario whose recording shows which frames of the music and of the sounds are played, and when.
///
/// The device has four channels, of which the first two contain the music and the others the sounds. The first channel
/// of each pair is constant, so it shows the gain. The second one, relative to the first, shows the number of the
/// frame. All times are whole multiples of a *cell* of 20 ms, which is the length of the fade-out of a sound that is
/// cut. Therefore nothing begins within a cell, and each fade-out fills exactly one.
struct HeardScenario {
    struct HeardSound {
        let name: String
        /// The length in cells.
        let length: Int
        /// The priority of the sound's announcements, or of the signal whose cue the sound is.
        let priority: Int
        /// The level in dB to which the sound lowers the music. It is -infinity if the sound silences the music, and
        /// nil if the sound does not affect it.
        let requires: Double?
        /// The signal whose cue it is, or nil for a sound that is announced.
        let signal: String?
        let repeats: Bool
        /// The expiry in cells, or nil if there is none. Only announcements expire.
        let expire: Int?
    }

    struct HeardSignal {
        let name: String
        let blocks: Bool
        let priority: Int
    }

    static let rate = 8_000
    static let cellLength = Duration.milliseconds(20)
    static let cellFrames = 160
    static let trackFrames = 240_000
    /// The lengths in cells. Each sound has its own file.
    private static let lengths = ["one": 5, "two": 12, "three": 20, "four": 3, "horn": 4, "tone": 15, "click": 9]
    static let files = lengths.keys.sorted()

    let configuration: String
    let scenario: String
    let sounds: [HeardSound]
    let signals: [HeardSignal]
    /// Times in cells.
    let fadeOut, fadeIn, duckAttack, duckRelease, rewind, interval: Int
    /// The lead of the amplifier in cells, or nil without an amplifier.
    let lead: Int?

    /// - Returns: the samples of a frame of the music.
    static func playback(_ frame: Int) -> [Int32] { [1 << 30, Int32(frame << 12), 0, 0] }
    /// - Returns: the samples of a frame of a sound.
    static func sound(_ index: Int, _ frame: Int) -> [Int32] { [0, 0, 1 << 29, Int32((index << 12 + frame) << 13)] }
    static func frames(_ sound: String) -> Int { (lengths[sound] ?? 0) * cellFrames }

    init(seed: UInt64) {
        var chance = SplitMix(seed: seed)
        func one<Element>(_ choices: Element...) -> Element {
            choices[Int.random(in: 0..<choices.count, using: &chance)]
        }
        (fadeOut, fadeIn) = (one(0, 3, 10), one(2, 10, 30))
        (duckAttack, duckRelease) = (one(0, 3, 6, 15), one(0, 5, 20))
        (rewind, interval) = (one(0, 0, 5, 50), one(5, 50))
        let isSpoken = one(false, false, true)
        var lines = [
            "[Session]", "Mode=\(isSpoken ? "spokenAudio" : "default")", "PauseOnRouteLoss=\(one("yes", "no"))",
            "ResumeDelay=\(one(0, 0, 10, 25) * 20)ms", "ResumeAfterReset=\(one("yes", "no"))",
            "[Playback]", "Library=music", "Repeat=none", "FadeOut=\(fadeOut * 20)ms", "FadeIn=\(fadeIn * 20)ms",
            "DuckAttack=\(duckAttack * 20)ms", "DuckRelease=\(duckRelease * 20)ms", "ResumeRewind=\(rewind * 20)ms",
            "[State]", "Interval=\(interval * 20)ms",
        ]
        var sounds: [HeardSound] = []
        var signals: [HeardSignal] = []
        for (signal, cue) in [("phone-call", "horn"), ("alarm", "tone"), ("door", "click")] {
            let effect = one("pause", "pause", "duck", "ignore")
            let level = one(-14, -20)
            let priority = one(20, 50, 50, 90)
            let repeats = one(false, false, true)
            let isBlocking = effect == "pause" || effect == "duck" && isSpoken
            signals.append(HeardSignal(name: signal, blocks: isBlocking, priority: priority))
            lines += [
                "[Signal \(signal)]", "Line=\(signal)", "Effect=\(effect)", "DuckLevel=\(level)dB",
                "Priority=\(priority)", "StuckAfter=\(one("infinity", "infinity", "700ms"))",
                "WhenStuck=\(one("hold", "release"))", "Resume=\(one("auto", "auto", "manual"))", "ReleaseDelay=0s",
            ]
            guard one(true, true, false) else { continue }
            lines += ["Cue=\(cue)", "[Sound \(cue)]", "File=\(cue).wav", "Repeat=\(repeats ? "yes" : "no")"]
            let requires = isBlocking ? -Double.infinity : effect == "duck" ? Double(level) : nil
            sounds.append(
                HeardSound(
                    name: cue, length: Self.lengths[cue] ?? 0, priority: priority, requires: requires, signal: signal,
                    repeats: repeats, expire: nil))
        }
        lines += ["[Signal cover-closed]", "Enabled=no"]
        for sound in ["one", "two", "three", "four"] {
            let effect = one("duck", "duck", "pause", "mix")
            let level = one(-14, -20)
            let priority = one(10, 30, 30, 50, 90)
            let expire = one(0, 15, 15, 50, 500, nil)
            lines += [
                "[Sound \(sound)]", "File=\(sound).wav", "Effect=\(effect)", "DuckLevel=\(level)dB",
                "Priority=\(priority)", "Expire=\(expire.map { "\($0 * 20)ms" } ?? "infinity")",
            ]
            let isPausing = effect == "pause" || effect == "duck" && isSpoken
            let requires = isPausing ? -Double.infinity : effect == "duck" ? Double(level) : nil
            sounds.append(
                HeardSound(
                    name: sound, length: Self.lengths[sound] ?? 0, priority: priority, requires: requires, signal: nil,
                    repeats: false, expire: expire))
        }
        lead = one(nil, 0, 3, 25)
        if let lead {
            // The lag is long enough for the fade-out of a sound that is cut off.
            lines += ["[Output amplifier]", "Means=amplifier", "Lead=\(lead * 20)ms", "Lag=\(one(1, 10, 50) * 20)ms"]
        }
        (self.sounds, self.signals) = (sounds, signals)
        configuration = lines.joined(separator: "\n")
        scenario = Self.scenario(&chance)
    }

    private static func scenario(_ chance: inout SplitMix) -> String {
        var lines = ["0s configuration \(rate) 4", "0s boot"]
        var cell = 0
        var isOn = true
        var wakes = -1
        for _ in 0..<Int.random(in: 6...20, using: &chance) {
            cell += [0, 0, 1, 2, 5, 7, 10, 13, 20, 35].randomElement(using: &chance) ?? 0
            let event = event(&chance, isOn: isOn, isAsleep: isOn && cell <= wakes)
            if event == "power-cut" { (isOn, wakes) = (false, -1) }
            if event == "boot" { isOn = true }
            if event.hasPrefix("asleep") { wakes = cell + 55 }
            lines.append("\(cell * 20)ms \(event)")
        }
        return (lines + ["\((cell + 40) * 20)ms end"]).joined(separator: "\n")
    }

    private static func event(_ chance: inout SplitMix, isOn: Bool, isAsleep: Bool) -> String {
        func one(_ choices: [String]) -> String { choices.randomElement(using: &chance) ?? "" }
        switch Int.random(in: 0..<26, using: &chance) {
        case 0 where isOn: return "power-cut"
        case 0..<4 where !isOn: return "boot"
        case 1 where isOn && !isAsleep: return "asleep 1100ms"
        case 2: return "device lost"
        case 3: return "device reset"
        case 4: return "configuration 8000 4"
        case 5 where isOn: return one(["route lost", "route back"])
        case 6..<10 where isOn && !isAsleep:
            return "command " + one(["play", "play", "pause", "playPause", "volume -6dB", "volume 0dB", "hush"])
        case 10..<18 where isOn && !isAsleep: return "command announce \(one(["one", "two", "three", "four"]))"
        default: return "\(one(["assert", "deassert"])) \(one(["phone-call", "alarm", "door"]))"
        }
    }
}

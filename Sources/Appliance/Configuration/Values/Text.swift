extension StringProtocol {
    /// Without the spaces and tabs at both ends.
    var trimmed: SubSequence {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        let start = firstIndex { !isBlank($0) } ?? endIndex
        let end = lastIndex { !isBlank($0) }.map(index(after:)) ?? endIndex
        return start < end ? self[start..<end] : self[endIndex...]
    }
}

extension Sequence<String> {
    /// `play, pause or stop`
    public var alternatives: String {
        let all = Array(self)
        guard all.count > 1, let last = all.last else { return all.first ?? "" }
        return all.dropLast().joined(separator: ", ") + " or " + last
    }
}

/// Names of Apple's AVAudioSession that Tacet does not have: somebody who knows that model is told why.
enum AppleNames {
    static let categories = refused(["ambient", "soloAmbient", "multiRoute", "audioProcessing"], as: "category")

    static let options = refused(
        [
            "mixWithOthers", "duckOthers", "interruptSpokenAudioAndMixWithOthers", "allowBluetooth",
            "allowBluetoothHFP", "allowBluetoothA2DP", "allowAirPlay", "defaultToSpeaker",
            "bluetoothHighQualityRecording", "farFieldInput",
        ], as: "option")

    static let modes = Dictionary(
        uniqueKeysWithValues: [
            "voiceChat", "gameChat", "videoRecording", "measurement", "moviePlayback", "videoChat", "voicePrompt",
            "dualRoute", "shortFormVideo",
        ].map { ($0, "is a mode of Apple's that tunes a phone's microphones and speakers, which Tacet leaves to ALSA") }
    )

    private static func refused(_ names: [String], as what: String) -> [String: String] {
        let reason = """
            is Apple's, but not Tacet's: that \(what) arbitrates between apps that share a phone's output, and here \
            the signals' Effect= says that
            """
        return Dictionary(uniqueKeysWithValues: names.map { ($0, reason) })
    }
}

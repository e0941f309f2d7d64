/// Names from Apple's AVAudioSession that Tacet does not support, with the reason for those who are familiar with that
/// API.
enum AppleNames {
    static let categories = unsupported(["ambient", "soloAmbient", "multiRoute", "audioProcessing"], as: "category")

    static let options = unsupported(
        [
            "mixWithOthers", "duckOthers", "interruptSpokenAudioAndMixWithOthers", "allowBluetooth",
            "allowBluetoothHFP", "allowBluetoothA2DP", "allowAirPlay", "defaultToSpeaker",
            "bluetoothHighQualityRecording", "farFieldInput",
        ], as: "option")

    static let modes = Dictionary(
        uniqueKeysWithValues: [
            "voiceChat", "gameChat", "videoRecording", "measurement", "moviePlayback", "videoChat", "voicePrompt",
            "dualRoute", "shortFormVideo",
        ].map { ($0, "is an Apple mode that tunes a phone's microphones and speakers, which Tacet leaves to ALSA") }
    )

    private static func unsupported(_ names: [String], as what: String) -> [String: String] {
        let reason = """
            is an Apple \(what) that Tacet does not have: it arbitrates between apps that share a phone's output; \
            here, each signal's Effect= decides that
            """
        return Dictionary(uniqueKeysWithValues: names.map { ($0, reason) })
    }
}

extension Effect {
    /// As the configuration and the journal write it: `pause`, `duck`, `mute-microphone`, `checkpoint`, `ignore`.
    public var name: String {
        switch self {
        case .pause: "pause"
        case .duck: "duck"
        case .muteMicrophone: "mute-microphone"
        case .checkpoint: "checkpoint"
        case .ignore: "ignore"
        }
    }
}

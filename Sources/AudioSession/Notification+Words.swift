extension Notification: LosslessStringConvertible {
    /// What `description` says.
    /// - Returns: nil where it is no notification.
    public init?(_ description: String) {
        let parts = description.split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
        let argument: Substring? = parts.count > 1 ? parts[1] : nil
        guard argument?.last ?? ")" == ")" else { return nil }
        switch (parts.first, argument?.dropLast()) {
        case ("began", let reason?):
            guard let reason = InterruptionReason(rawValue: String(reason)) else { return nil }
            self = .began(reason)
        case ("ended", "shouldResume"?): self = .ended(.shouldResume)
        case ("ended", ""?): self = .ended([])
        case ("duckBegan", let level?):
            guard let level = Notification.level(level) else { return nil }
            self = .duckBegan(level)
        case ("duckChanged", let level?):
            guard let level = Notification.level(level) else { return nil }
            self = .duckChanged(level)
        case ("duckEnded", nil): self = .duckEnded
        case ("mediaServicesWereLost", nil): self = .mediaServicesWereLost
        case ("mediaServicesWereReset", nil): self = .mediaServicesWereReset
        case ("configurationChanged", nil): self = .configurationChanged
        case ("routeChanged", let reason?):
            guard let reason = RouteChangeReason(rawValue: String(reason)) else { return nil }
            self = .routeChanged(reason)
        default: return nil
        }
    }

    private static func level(_ text: Substring) -> Level? {
        text == "mute" ? .mute : Double(text).flatMap { Level(decibels: $0) }
    }
}

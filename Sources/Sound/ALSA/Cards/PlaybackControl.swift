/// A control of a card's mixer through which the card plays.
public struct PlaybackControl: Hashable, Sendable {
    /// The driver's name, such as `Master`. It may contain any characters.
    public let name: String
    /// The attenuation in dB, which is infinite if the control is muted.
    public let attenuation: Double

    public init(name: String, attenuation: Double) {
        self.name = name
        self.attenuation = attenuation
    }
}

extension DeviceAudibility {
    /// The names of controls that each affect everything that a card plays, as in the kernel's
    /// `sound/designs/control-names.rst`. `Digital` is that of many converters on boards.
    private static let common: Set = ["Master", "PCM", "Digital"]
    /// The names of controls that each affect one of a card's outputs.
    private static let outputs: Set = ["Headphone", "Speaker", "Line Out", "Front", "Headset"]

    /// Determines whether a card can be heard. Its outputs count as attenuated as the least attenuated one. Other controls
    /// are ignored, except the only one of a card.
    public init(_ controls: [PlaybackControl], ofCard card: Int) {
        let outputs = controls.filter { Self.outputs.contains($0.name) }.min { $0.attenuation < $1.attenuation }
        var path = controls.filter { Self.common.contains($0.name) } + (outputs.map { [$0] } ?? [])
        if path.isEmpty, controls.count == 1 { path = controls }
        let attenuation = path.map(\.attenuation).reduce(0, +)
        guard attenuation > 40, let worst = path.max(by: { $0.attenuation < $1.attenuation }) else {
            self = .audible
            return
        }
        let obstacle = Obstacle.mixer(card: card, control: worst.name)
        // Nobody hears 100 dB less.
        self = attenuation > 100 ? .muted(obstacle) : .quiet(obstacle)
    }
}

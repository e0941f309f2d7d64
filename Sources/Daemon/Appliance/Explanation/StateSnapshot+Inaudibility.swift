import ALSA
import AudioSession
import Spelling

extension StateSnapshot {
    /// Returns a clause about what makes the device inaudible, with advice, or nil if it is audible, such as `nothing can
    /// be heard because the sink of pulse is muted (‘pactl set-sink-mute @DEFAULT_SINK@ 0’ unmutes it)`.
    var inaudibility: String? {
        switch audibility {
        case .audible: nil
        case .muted(let obstacle): "nothing can be heard because \(words(obstacle, isMuted: true))"
        case .quiet(let obstacle): "hardly anything can be heard because \(words(obstacle, isMuted: false))"
        }
    }

    private func words(_ obstacle: DeviceAudibility.Obstacle, isMuted: Bool) -> String {
        let sink = device.hasPrefix("pulse:") ? String(device.dropFirst(6)) : "@DEFAULT_SINK@"
        let state = isMuted ? "muted" : "turned down by more than 40 dB"
        return switch obstacle {
        case .policy:
            "a policy of the sound server has \(state) Tacet, for example during a call of another program"
        case .stream:
            "Tacet’s stream is \(state) at the sound server (‘pavucontrol’ or ‘pactl list sink-inputs’ shows it)"
        case .sink:
            "the sink of \(device) is \(state) (see ‘pactl set-sink-\(isMuted ? "mute \(sink) 0" : "volume \(sink) 100%")’)"
        case .suspension: "the sink of \(device) is suspended (see ‘pactl suspend-sink \(sink) 0’)"
        case .mixer(let card, let control):
            "the mixer of card \(card) has \(control.visible) \(state) (see ‘alsamixer -c \(card)’)"
        }
    }
}

extension ExplanationContext {
    /// Returns a clause about a muted device, or nil if it can be heard or if the explanation already says it.
    var inaudibilityClause: String? {
        guard session.faults.contains(where: { $0.subject == .playback }), quietCause != .stalled(.output) else {
            return nil
        }
        return scene.inaudibility
    }
}

import AudioSession
import Configuration
import Systemd

/// The state of an input, as the bus and `tacet inputs` name it.
private enum InputState: String {
    case silent, sounding, selected, lost

    init(of input: InputSettings, in context: ExplanationContext) {
        let session = context.session
        if session.source == .input(input.id) {
            self = .selected
        } else if context.health.lost[Fault(input: input.id)] != nil {
            self = .lost
        } else {
            self = session.isSounding(input.id) ? .sounding : .silent
        }
    }
}

extension RemoteView {
    /// The name, the origin, the role, the state and the level of each input. The level is in decibels relative to full
    /// scale.
    var inputs: BusValue {
        .array(
            of: "(ssssd)",
            scene.configuration.inputs.map { input in
                .structure([
                    .string(input.id.rawValue), .string("\(input.origin)"), .string(input.policy.role.name),
                    .string(InputState(of: input, in: context).rawValue),
                    .double(Level(amplitude: Double(peak(input.id))).decibels),
                ])
            })
    }
}

extension InputPolicy.Role {
    fileprivate var name: String {
        switch self {
        case .programme: "programme"
        case .automaticProgramme: "automatic"
        case .page: "page"
        }
    }
}

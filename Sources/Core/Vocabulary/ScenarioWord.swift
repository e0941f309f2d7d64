/// The first words of the events in a scenario, and of most events in a trace.
public enum ScenarioWord: String, Hashable, Sendable, CaseIterable {
    case assert, deassert, line, complement, button, command, device, configuration, route, capture, input, output,
        player, asleep
    case powerCut = "power-cut"
    case boot, end
}

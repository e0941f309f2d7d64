import Configuration
import GPIO

extension Inspection {
    /// Whether ALSA knows the device here, and its card is present.
    mutating func inspectDevice() {
        let name = configuration.playback.device
        guard let problem = deviceProblem(name) else { return }
        warn(
            loaded.warning(
                about: "Device", in: "Playback", "Device=\(name): this machine has no such device: \(problem.message)",
                advice: "check the name, and that the card is plugged in; `aplay -L` lists the available devices"))
    }

    /// Whether the board has the lines of signals, buttons and outputs.
    mutating func inspectLines() {
        let wires = Wire.all(of: configuration)
        guard let first = wires.first else { return }
        if let absence = board.absence {
            guard absence.reason == .noChips else { return note("\(absence)") }
            return warn(
                warning(
                    of: first, "this machine has no GPIO chip: no signal, button or output has a line here",
                    absence.advice)
            )
        }
        for wire in wires {
            do throws(GPIOError) {
                _ = try board.find(wire.selector)
            } catch {
                // It may be on a chip that this user cannot open.
                guard board.problems.isEmpty else {
                    note("\(error)")
                    continue
                }
                warn(warning(of: wire, "\(error.subject): \(error.message)", advice(of: error)))
            }
        }
    }

    private func advice(of error: GPIOError) -> String {
        error.advice + "; Enabled=no in its section if this board does not have it"
    }

    private func warning(of wire: Wire, _ problem: String, _ advice: String) -> Diagnostic {
        loaded.warning(about: "Line", "Offset", "Chip", in: wire.section, problem, advice: advice)
    }
}

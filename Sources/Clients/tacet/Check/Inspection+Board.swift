import ALSA
import Configuration
import GPIO

extension Inspection {
    /// Warns about devices that ALSA does not have, whose cards are missing, or that another program holds.
    mutating func inspectDevices() {
        inspectDevice(configuration.playback.device, "Device")
        for name in configuration.playback.fallbackDevices { inspectDevice(name, "FallbackDevices") }
    }

    private mutating func inspectDevice(_ name: String, _ key: String) {
        if let problem = deviceProblem(name) {
            return warn(
                loaded.warning(
                    about: key, in: "Playback", "\(key)=\(name): this machine has no such device: \(problem.message)",
                    advice: suggestion(instead: name, of: key, cardDevices().forPlayback)))
        }
        // A sound server or a mixing device accepts another program, and the service may be playing on it at this
        // moment.
        guard PCMAddress(name).isHardware, let holder = deviceHolder(name), holder.program != "tacetd" else { return }
        warn(
            loaded.warning(
                about: key, in: "Playback",
                "\(key)=\(name): \(holder) uses the device exclusively, so the service cannot play on it",
                advice: holder.isSoundServer
                    ? "run the service in the session of that program, which then releases the device, or use a mixing "
                        + "device such as default"
                    : "end that program, or use a mixing device such as default"))
    }

    /// Warns about lines of signals, buttons and outputs that the board does not have.
    mutating func inspectLines() {
        let wires = Wire.all(of: configuration)
        guard let first = wires.first else { return }
        inspectChips(of: wires)
        if let absence = board.absence {
            guard absence.reason == .noChips else { return note("\(absence)") }
            return warn(
                warning(
                    of: first, "this machine has no GPIO chip, so no signal, button or output has a line here",
                    absence.advice)
            )
        }
        for wire in wires {
            do throws(GPIOError) {
                _ = try board.find(wire.selector, advice: Wiring.advice)
            } catch {
                // The line may be on a chip that this user cannot open.
                guard board.problems.isEmpty else {
                    note("\(error)")
                    continue
                }
                warn(warning(of: wire, "\(error.subject): \(error.message)", advice(of: error)))
            }
        }
    }

    /// Warns about each chip that is specified by its number, unless no label identifies it.
    private mutating func inspectChips(of wires: [Wire]) {
        var known: Set<String> = []
        for wire in wires {
            guard let chip = wire.selector.chip, known.insert(chip).inserted,
                let name = chip.split(separator: "/").last, name.hasPrefix("gpiochip"),
                Int(name.dropFirst("gpiochip".count)) != nil
            else { continue }
            let label = board.chips(chip).first?.label
            if let label, board.chips(label).count > 1 { continue }
            warn(
                loaded.warning(
                    about: "Chip", in: wire.section,
                    "Chip=\(chip): an update of the kernel may give this number to another chip",
                    advice: "write \(label.map { "Chip=\($0)" } ?? "its label, which ‘tacet lines’ lists"), "
                        + "or only Line= if the line has a name")
            )
        }
    }

    private func advice(of error: GPIOError) -> String {
        error.advice + ", or write Enabled=no in its section if this board does not have it"
    }

    private func warning(of wire: Wire, _ problem: String, _ advice: String) -> Diagnostic {
        loaded.warning(about: "Line", "Offset", "Chip", in: wire.section, problem, advice: advice)
    }
}

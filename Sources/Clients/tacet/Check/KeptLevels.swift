import Files

/// A driver of GPIO lines whose outputs keep their level when the program that set it ends. Other drivers then turn the
/// line into an input.
///
/// The drivers of the Raspberry Pi have a parameter for this. Its default is Y in the kernels of Raspberry Pi OS and in
/// the mainline driver of the Raspberry Pi 5, and N in Debian's kernels for older models.
struct KeptLevels: Hashable {
    /// The parameter, such as `pinctrl_bcm2835.persist_gpio_outputs`.
    let parameter: String
    /// The value of the parameter with which the driver does not keep levels.
    let otherValue: String
    /// True if the firmware of the Raspberry Pi can set the parameter, because the device tree has `strict_gpiod`.
    let hasDeviceTreeParameter: Bool

    /// The parameter and the value with which levels are kept. The second one was only used for some weeks of 2024.
    private static let parameters = [("persist_gpio_outputs", "Y", "0"), ("strict_gpiod", "N", "1")]

    /// Returns the drivers of this machine that keep levels.
    static func find(
        modules: String = "/sys/module", tree: String = "/proc/device-tree"
    ) -> [KeptLevels] {
        let names = (try? Folder.names(in: modules)) ?? []
        let hasDeviceTreeParameter = ((try? Folder.names(in: "\(tree)/__overrides__")) ?? []).contains("strict_gpiod")
        return names.sorted().flatMap { module in
            parameters.compactMap { name, keeping, otherValue in
                guard OpenFile.firstLine(of: "\(modules)/\(module)/parameters/\(name)") == keeping else { return nil }
                return KeptLevels(
                    parameter: "\(module).\(name)", otherValue: otherValue,
                    hasDeviceTreeParameter: hasDeviceTreeParameter)
            }
        }
    }
}

extension Inspection {
    /// Warns if the kernel keeps the levels of outputs when Tacet is killed.
    mutating func inspectKeptLevels() {
        guard let output = configuration.outputs.first(where: { $0.wiring != nil }) else { return }
        for kept in keptLevels() {
            warn(
                loaded.warning(
                    about: "Line", "Offset", "Chip", in: "Output \(output.policy.id)",
                    "the kernel keeps the level of a line after its program has ended (\(kept.parameter)), so an "
                        + "output that is asserted when Tacet is killed stays asserted until systemd has deasserted "
                        + "it, for up to a second, and after a crash of the kernel until the watchdog resets the board",
                    advice: kept.advice))
        }
    }
}

extension KeptLevels {
    fileprivate var advice: String {
        let setting =
            hasDeviceTreeParameter
            ? "dtparam=strict_gpiod to config.txt" : "\(parameter)=\(otherValue) to the kernel's command line"
        return "add \(setting) and restart the board, so that its resistors determine the level"
    }
}

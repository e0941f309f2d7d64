import Spelling

/// A sub-command's arguments: options, with a value or without, and the rest.
struct Options {
    private(set) var values: [String: String] = [:]
    private(set) var flags: Set<String> = []
    private(set) var operands: [String] = []

    /// - Parameters:
    ///   - known: the options that take a value, with their dashes.
    ///   - flags: those that take none.
    init(
        _ arguments: [String], known: [String], flags: [String] = [], subcommand: String
    ) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-"), argument != "-" else {
                operands.append(argument)
                continue
            }
            if argument == "--" {
                operands += rest
                return
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            if flags.contains(name) {
                guard parts.count == 1 else { throw UsageError("\(name) takes no value", subcommand: subcommand) }
                self.flags.insert(name)
                continue
            }
            guard known.contains(name) else {
                throw UsageError(Spelling.unknown("option", name, among: known + flags), subcommand: subcommand)
            }
            guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst(), !value.isEmpty else {
                throw UsageError("\(name) needs a value", subcommand: subcommand)
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw UsageError("\(name) is there twice", subcommand: subcommand)
            }
        }
    }
}

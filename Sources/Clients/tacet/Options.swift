import Spelling

extension String {
    /// The noun with its article, such as `a scenario` or `an action`.
    var withArticle: String { (first.map("aeiou".contains) ?? false ? "an " : "a ") + self }
}

/// A sub-command's parsed arguments: options with or without a value, and operands.
struct Options {
    private(set) var values: [String: String] = [:]
    /// The values of the options that may be given several times, in order.
    private(set) var lists: [String: [String]] = [:]
    private(set) var flags: Set<String> = []
    private(set) var operands: [String] = []
    /// A command to run and its arguments, which are everything after ‘--’.
    private(set) var command: [String] = []

    /// - Parameter manual: the declaration of the options and operands that the sub-command takes.
    init(_ arguments: [String], of manual: Manual) throws(UsageError) {
        try read(arguments, manual)
        switch (manual.operand?.count, operands.count) {
        case (nil, 1...): throw UsageError("unexpected argument ‘\(operands[0])’", subcommand: manual.name)
        case (.one?, 0), (.phrase?, 0):
            throw UsageError("name \((manual.operand?.noun ?? "").withArticle)", subcommand: manual.name)
        case (.one?, 2...): throw UsageError("name one \(manual.operand?.noun ?? "") only", subcommand: manual.name)
        default: break
        }
    }

    private mutating func read(_ arguments: [String], _ manual: Manual) throws(UsageError) {
        let known = manual.options.filter { $0.value != nil }.map(\.name)
        let flags = manual.options.filter { $0.value == nil }.map(\.name)
        let subcommand = manual.name
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            // A number is not an option, because levels and positions can be negative.
            guard argument.hasPrefix("-"), argument != "-", argument.dropFirst().first?.isNumber != true else {
                operands.append(argument)
                continue
            }
            if argument == "--" {
                if manual.takesCommand { command = Array(rest) } else { operands += rest }
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
            let value = parts.count > 1 ? String(parts[1]) : Options.takeValue(from: &rest)
            let option = manual.options.first { $0.name == name }
            guard let value, !value.isEmpty else {
                let form = option?.value?.name ?? "VALUE"
                throw UsageError("\(name) needs a value: \(name) \(form)", subcommand: subcommand)
            }
            if option?.repeats ?? false {
                lists[name, default: []].append(value)
                continue
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw UsageError("\(name) is given twice", subcommand: subcommand)
            }
        }
    }

    /// Returns the argument after an option that takes a value, unless that is another option. (‘-’ is a file, and -1h
    /// is a time. A file named `--odd` needs `--config=--odd`.)
    private static func takeValue(from rest: inout ArraySlice<String>) -> String? {
        guard let next = rest.first, !next.hasPrefix("--") else { return nil }
        return rest.popFirst()
    }
}

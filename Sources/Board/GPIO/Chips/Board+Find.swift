import Files
import Spelling

/// The reason why a `LineSelector` does not identify a line, in the cases for which a program can give advice in terms
/// of its own settings.
public enum LineMiss {
    /// The selector matches several lines.
    case ambiguous([FoundLine])
    /// No chip of a board of this model has a line with this name.
    case unnamed(String, model: String?)

    /// Returns the program's advice, or nil for general advice.
    public typealias Advice = (LineMiss) -> String?
}

extension Board {
    /// Returns the one line that matches a selector. Apart from resolving links, the function uses only this list.
    ///
    /// - Parameters:
    ///   - path: resolves links in the path of a chip.
    ///   - advice: returns what a technician can do.
    /// - Throws: `noChips`, `chipNotFound`, `lineNotFound` or `ambiguous`. If no chip could be inspected, it throws the
    ///   reason, such as `permission`.
    public func find(
        _ selector: LineSelector, resolving path: (String) -> String = Folder.realPath,
        advice: LineMiss.Advice = { _ in nil }
    ) throws(GPIOError) -> FoundLine {
        let chips = try candidates(for: selector, resolving: path)
        switch selector {
        case .named(let name, _): return try line(named: name, on: chips, for: selector, advice)
        case .offset(let offset, _): return try line(at: offset, on: chips, for: selector, advice)
        }
    }

    private func candidates(
        for selector: LineSelector, resolving path: (String) -> String
    ) throws(GPIOError) -> [ChipInfo] {
        if let absence { throw absence }
        guard let wanted = selector.chip else { return chips }
        let found = self.chips(wanted, resolving: path)
        guard found.isEmpty else { return found }
        let known = chips.map { "\($0)" }.joined(separator: ", ")
        let nearest = Spelling.suggestion(for: wanted, in: chips.flatMap { [$0.name, $0.label] })
        throw GPIOError(
            .chipNotFound, operation: "find", subject: "\(selector)",
            message: "there is no such chip, only \(known)\(unseen)",
            advice: nearest ?? "specify one of those by its label, which stays the same when the numbers change")
    }

    /// Returns the chips with this path, name or label. Only a label can match more than one chip.
    /// - Parameter path: resolves links in the path of a chip.
    public func chips(_ wanted: String, resolving path: (String) -> String = Folder.realPath) -> [ChipInfo] {
        if wanted.contains("/") {
            let real = path(wanted)
            return chips.filter { $0.path == real }
        }
        for key in [\ChipInfo.name, \.label] {
            let found = chips.filter { $0[keyPath: key] == wanted }
            if !found.isEmpty { return found }
        }
        // This path may be a compatibility link that contains the former number of a chip.
        let real = path("/dev/\(wanted)")
        return chips.filter { $0.path == real }
    }

    private func line(
        named name: String, on chips: [ChipInfo], for selector: LineSelector, _ advice: LineMiss.Advice
    ) throws(GPIOError) -> FoundLine {
        let found = chips.flatMap { chip in
            chip.lines.filter { $0.name == name }.map { FoundLine(chip: chip, line: $0) }
        }
        if let line = found.first, found.count == 1 { return line }
        guard found.isEmpty else { throw ambiguity(of: selector, found, advice) }

        let place = selector.chip == nil ? "no chip" : "that chip"
        let has = selector.chip == nil ? "has" : "does not have"
        let names = { (chips: [ChipInfo]) in chips.flatMap { $0.lines.compactMap(\.name) } }
        let elsewhere = self.chips.first { names([$0]).contains(name) }
        let remedy =
            elsewhere.map { "did you mean \($0), which has one?" }
            ?? advice(.unnamed(name, model: model))
            ?? Spelling.suggestion(for: name, in: names(chips))
            ?? "specify one that `gpioinfo` lists, or a line without a name by its chip and offset"
        throw GPIOError(
            .lineNotFound, operation: "find", subject: "\(selector)",
            message: "\(place) \(has) a line of that name\(unseen)", advice: remedy)
    }

    private func line(
        at offset: Int, on chips: [ChipInfo], for selector: LineSelector, _ advice: LineMiss.Advice
    ) throws(GPIOError) -> FoundLine {
        let found = chips.flatMap { chip in
            chip.lines.filter { $0.offset == offset }.map { FoundLine(chip: chip, line: $0) }
        }
        if let line = found.first, found.count == 1 { return line }
        guard found.isEmpty else { throw ambiguity(of: selector, found, advice) }
        let counts = chips.map { $0.lines.isEmpty ? "\($0) has none" : "\($0) has 0 to \($0.lines.count - 1)" }
        throw GPIOError(
            .lineNotFound, operation: "find", subject: "\(selector)",
            message: "there is no such line: \(counts.joined(separator: ", "))",
            advice: "count from 0, as `gpioinfo` does")
    }

    private func ambiguity(
        of selector: LineSelector, _ found: [FoundLine], _ advice: LineMiss.Advice
    ) -> GPIOError {
        let places = found.map { "line \($0.line.offset) of \($0.chip)" }.joined(separator: " and ")
        return GPIOError(
            .ambiguous, operation: "find", subject: "\(selector)", message: "it matches \(places)",
            advice: advice(.ambiguous(found)) ?? "specify the chip and the number of one of them")
    }

    /// A note about the chips that could not be inspected.
    private var unseen: String {
        problems.isEmpty
            ? "" : " (not inspected: \(problems.map { "\($0.subject), \($0.message)" }.joined(separator: "; ")))"
    }
}

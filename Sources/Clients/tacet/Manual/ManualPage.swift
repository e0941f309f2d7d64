import Release
import Spelling

/// A page for man(1), in the language of man(7).
struct ManualPage {
    private var lines: [String]

    /// - Parameters:
    ///   - name: the name of the page, such as `tacet.conf`.
    ///   - number: the number of the manual's section, such as 5 for files.
    ///   - summary: the summary, without a capital and a full stop.
    ///   - aliases: other names, by which man(1) finds the page.
    init(_ name: String, _ number: Int, _ summary: String, aliases: [String] = []) {
        lines = [
            ".TH \(name.uppercased()) \(number) \"\" \"Tacet \(Release.version)\"", ".nh", ".ad l", ".SH NAME",
            "\(ManualPage.dashed(([name] + aliases).joined(separator: ", "))) \\- \(ManualPage.escape(summary))",
        ]
    }

    /// Writes the page of a sub-command, such as `tacet-verify.1`.
    init(_ manual: Manual) {
        self.init("tacet-\(manual.name)", 1, manual.summary, aliases: manual.aliases.map { "tacet-\($0)" })
        section("SYNOPSIS")
        lines.append(".B tacet \(manual.name)")
        if let operand = manual.operand { lines.append(ManualPage.operand(operand)) }
        for option in manual.options { lines.append(ManualPage.optional(option)) }
        if manual.takesCommand { lines.append("[\\-\\- \\fICOMMAND\\fR\\&…]") }
        section("DESCRIPTION")
        write(manual.paragraphs)
        section("OPTIONS")
        for option in manual.options + [Manual.help] { item(ManualPage.signature(option), option.sentence) }
        if let listing = manual.listing {
            section("DETAILS")
            write([listing.introduction])
            verbatim(listing.lines)
        }
        exitCodes(manual.exitCodes)
        examples(manual.examples)
        seeAlso([("tacet", 1), ("tacet.conf", 5), ("tacetd", 8)])
    }

    /// Writes the page `tacet.1`.
    init(_ manuals: [Manual]) {
        self.init("tacet", 1, "control, check, rehearse and diagnose the music player Tacet")
        section("SYNOPSIS")
        lines += [".B tacet", ".I SUB-COMMAND", "\\&…"]
        section("DESCRIPTION")
        write([
            "Tacet is a music player for unattended boards. It pauses or ducks the music when a GPIO line, a switch, a "
                + "jack, a phone call or a program signals something more important, and resumes where it left off. The "
                + "daemon tacetd(8) plays the music. The program tacet controls it, explains what it does, and checks "
                + "and rehearses its configuration.",
            "Any user may query Tacet. Controlling it requires root or membership in the group tacet.",
        ])
        section("SUB-COMMANDS")
        for manual in manuals {
            item(".BR tacet\\-\(ManualPage.dashed(manual.name)) (1)", manual.summary.sentenceCased + ".")
        }
        section("OPTIONS")
        item(".B \\-\\-help", "Print a list of the sub-commands and exit. Each sub-command also has this option.")
        item(".B \\-\\-version", "Print the version and exit.")
        exitCodes([
            (.done, "The sub-command succeeded"),
            (.failed, "The sub-command failed"),
            (.usage, "The command line is not valid"),
            (.notRunning, "The daemon is not running or cannot be reached"),
        ])
        section("FILES")
        item(".I /etc/tacet/tacet.conf.d/*.conf", "The configuration of this board. See tacet.conf(5).")
        item(".I /usr/lib/tacet/tacet.conf", "The vendor file, which also explains every setting.")
        item(".I /var/lib/tacet", "The saved state.")
        examples([
            Manual.Example("Check the configuration, and list the levels of all lines:", "tacet check\ntacet lines"),
            Manual.Example(
                "Ask why it is quiet, and what happened since yesterday:", "tacet why\ntacet log --since yesterday"),
            Manual.Example(
                "Rehearse a scenario with the configuration of this board, and listen to the result:",
                "tacet simulate bus.scenario --wav heard.wav"),
        ])
        seeAlso(
            manuals.map { ("tacet-\($0.name)", 1) } + [
                ("tacet.conf", 5), ("org.tacet.Session1", 5), ("tacet.journal", 7), ("tacetd", 8), ("journalctl", 1),
            ])
    }

    var text: String { lines.joined(separator: "\n") + "\n" }

    // MARK: Parts

    mutating func section(_ title: String) { lines.append(".SH \(title)") }

    mutating func write(_ paragraphs: [String]) {
        for paragraph in paragraphs { lines += [".PP", ManualPage.escape(paragraph)] }
    }

    /// - Parameter head: the head in the language of man(7).
    mutating func item(_ head: String, _ text: String) { lines += [".TP", head, ManualPage.escape(text)] }

    /// Adds lines that keep their breaks and spaces.
    mutating func verbatim(_ text: String) {
        lines +=
            [".PP", ".RS 4", ".nf"]
            + text.split(separator: "\n", omittingEmptySubsequences: false).map { ManualPage.escape(String($0)) }
            + [".fi", ".RE"]
    }

    /// Adds an item whose text consists of several paragraphs.
    mutating func item(_ head: String, _ paragraphs: [String]) {
        item(head, paragraphs.first ?? "")
        for paragraph in paragraphs.dropFirst() { remark(paragraph) }
    }

    /// Adds a paragraph that belongs to the previous item.
    mutating func remark(_ text: String) { lines += [".IP", ManualPage.escape(text)] }

    private mutating func exitCodes(_ codes: [(code: ExitCode, meaning: String)]) {
        section("EXIT STATUS")
        for (code, meaning) in codes { item(".B \(code.rawValue)", meaning.sentenceCased + ".") }
    }

    /// Adds the section EXAMPLES if there are any.
    private mutating func examples(_ examples: [Manual.Example]) {
        guard !examples.isEmpty else { return }
        section("EXAMPLES")
        for example in examples {
            write([example.purpose])
            verbatim(example.command)
        }
    }

    mutating func seeAlso(_ pages: [(name: String, number: Int)]) {
        section("SEE ALSO")
        for (index, page) in pages.enumerated() {
            lines.append(
                ".BR \(ManualPage.dashed(page.name)) (\(page.number))" + (index == pages.count - 1 ? "" : ","))
        }
    }

    private static func operand(_ operand: Manual.Operand) -> String {
        operand.count == .any ? ".RI [ \(operand.name) …]" : ".I \(operand.name)"
    }

    private static func optional(_ option: Manual.Option) -> String {
        let value = option.value.map { " \\fI\($0.name)\\fR" } ?? ""
        return "[\\fB\(dashed(option.name))\\fR\(value)]"
    }

    private static func signature(_ option: Manual.Option) -> String {
        option.value.map { ".BI \(dashed(option.name)) \" \($0.name)\"" } ?? ".B \(dashed(option.name))"
    }

    /// Returns a text with dashes that can be copied and searched for, instead of hyphens.
    static func dashed(_ text: String) -> String {
        text.map { $0 == "-" ? "\\-" : String($0) }.joined()
    }

    /// Returns a text in which the names of manual pages are bold, such as `tacetd(8)`.
    private static func emphasizingPages(_ text: String) -> String {
        var words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        for (index, word) in words.enumerated() {
            guard let bracket = word.firstIndex(of: "("), bracket > word.startIndex else { continue }
            let number = word[bracket...].prefix(3)
            guard number.count == 3, number.hasSuffix(")"), number.dropFirst().first?.isWholeNumber ?? false,
                word[..<bracket].allSatisfy({ $0.isLetter || $0.isNumber || ".\\-".contains($0) })
            else { continue }
            words[index] = "\\fB\(word[..<bracket])\\fR\(word[bracket...])"
        }
        return words.joined(separator: " ")
    }

    static func escape(_ text: String) -> String {
        let escaped = emphasizingPages(text.map { $0 == "\\" ? "\\e" : $0 == "-" ? "\\-" : String($0) }.joined())
        return escaped.first == "." || escaped.first == "'" ? "\\&" + escaped : escaped
    }
}

extension Manual.Option {
    /// The summary as a sentence.
    fileprivate var sentence: String { summary.sentenceCased + "." }
}

import Release

/// A page for man(1), in the language of man(7).
struct ManualPage {
    private var lines: [String]

    /// - Parameters:
    ///   - name: the name of the page, such as `tacet.conf`.
    ///   - number: the number of the manual's section, such as 5 for files.
    ///   - summary: the summary, without a capital and a full stop.
    init(_ name: String, _ number: Int, _ summary: String) {
        lines = [
            ".TH \(name.uppercased()) \(number) \"\" \"Tacet \(Release.version)\"", ".nh", ".ad l", ".SH NAME",
            "\(ManualPage.dashed(name)) \\- \(ManualPage.escape(summary))",
        ]
    }

    /// Writes the page of a sub-command, such as `tacet-verify.1`.
    init(_ manual: Manual) {
        self.init("tacet-\(manual.name)", 1, manual.summary)
        section("SYNOPSIS")
        lines.append(".B tacet \(manual.name)")
        if let operand = manual.operand { lines.append(ManualPage.operand(operand)) }
        for option in manual.options { lines.append(ManualPage.optional(option)) }
        if manual.takesCommand { lines.append("[\\-\\- \\fICOMMAND\\fR\\&…]") }
        section("DESCRIPTION")
        write(manual.paragraphs)
        section("OPTIONS")
        for option in manual.options + [Manual.help] { item(ManualPage.signature(option), option.summary + ".") }
        if let listing = manual.listing {
            section("DETAILS")
            write([listing.introduction])
            verbatim(listing.lines)
        }
        exitCodes(manual.exitCodes)
        seeAlso([("tacet", 1), ("tacet.conf", 5), ("tacetd", 8)])
    }

    /// Writes the page `tacet.1`.
    init(_ manuals: [Manual]) {
        self.init("tacet", 1, "rehearse, check and diagnose an audio interruption supervisor")
        section("SYNOPSIS")
        lines += [".B tacet", ".I SUB-COMMAND", "\\&…"]
        section("DESCRIPTION")
        write([
            "Tacet interrupts music when a GPIO line says that something is more important, and resumes it afterwards. "
                + "The daemon tacetd(8) does that, as the service tacet; this program is for the person at the board."
        ])
        section("SUB-COMMANDS")
        for manual in manuals { item(".BR tacet\\-\(ManualPage.dashed(manual.name)) (1)", manual.summary + ".") }
        section("OPTIONS")
        item(".B \\-\\-help", "list the sub-commands.")
        item(".B \\-\\-version", "print the version.")
        exitCodes([(.done, "done"), (.failed, "failed"), (.usage, "the command line was not understood")])
        section("FILES")
        item(".I /etc/tacet/tacet.conf.d/*.conf", "the configuration of this board: see tacet.conf(5).")
        item(".I /usr/lib/tacet/tacet.conf", "the vendor file, which explains every key.")
        item(".I /var/lib/tacet", "the saved state.")
        seeAlso(manuals.map { ("tacet-\($0.name)", 1) } + [("tacet.conf", 5), ("tacetd", 8), ("journalctl", 1)])
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

    /// Adds a paragraph that belongs to the previous item.
    mutating func remark(_ text: String) { lines += [".IP", ManualPage.escape(text)] }

    private mutating func exitCodes(_ codes: [(code: ExitCode, meaning: String)]) {
        section("EXIT STATUS")
        for (code, meaning) in codes { item(".B \(code.rawValue)", meaning + ".") }
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

    static func escape(_ text: String) -> String {
        let escaped = text.map { $0 == "\\" ? "\\e" : $0 == "-" ? "\\-" : String($0) }.joined()
        return escaped.first == "." || escaped.first == "'" ? "\\&" + escaped : escaped
    }
}

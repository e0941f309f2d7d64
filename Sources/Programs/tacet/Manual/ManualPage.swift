/// A page for man(1), in the language of man(7).
struct ManualPage {
    private var lines: [String]

    /// `tacet-verify.1`
    init(_ manual: Manual) {
        lines = ManualPage.head("tacet-\(manual.name)", manual.summary)
        section("SYNOPSIS")
        lines.append(".B tacet \(manual.name)")
        if let operand = manual.operand { lines.append(ManualPage.operand(operand)) }
        for option in manual.options { lines.append(ManualPage.optional(option)) }
        section("DESCRIPTION")
        write(manual.paragraphs)
        section("OPTIONS")
        for option in manual.options + [Manual.help] { item(ManualPage.signature(option), option.summary + ".") }
        if let listing = manual.listing {
            section("DETAILS")
            write([listing.introduction])
            lines +=
                [".PP", ".RS 4", ".nf"]
                + listing.lines.split(separator: "\n", omittingEmptySubsequences: false)
                .map { ManualPage.escape(String($0)) } + [".fi", ".RE"]
        }
        exitCodes(manual.exitCodes)
        seeAlso(["tacet"])
    }

    /// `tacet.1`
    init(_ manuals: [Manual]) {
        lines = ManualPage.head("tacet", "rehearse, check and diagnose an audio interruption supervisor")
        section("SYNOPSIS")
        lines += [".B tacet", ".I SUB-COMMAND", "\\&…"]
        section("DESCRIPTION")
        write([
            "Tacet interrupts music when a wire says that something is more important, and goes on with it afterwards. "
                + "The daemon tacetd does that, as the service tacet; this program is for the person at the board."
        ])
        section("SUB-COMMANDS")
        for manual in manuals { item(".BR tacet\\-\(ManualPage.dashed(manual.name)) (1)", manual.summary + ".") }
        section("OPTIONS")
        item(".B \\-\\-help", "list the sub-commands.")
        item(".B \\-\\-version", "print the version.")
        exitCodes([(.done, "done"), (.failed, "failed"), (.usage, "the command line was not understood")])
        section("FILES")
        item(".I /etc/tacet/tacet.conf.d/*.conf", "what this board has otherwise than the file that comes with Tacet.")
        item(".I /usr/lib/tacet/tacet.conf", "that file, which explains every key.")
        item(".I /var/lib/tacet", "the saved state.")
        seeAlso(manuals.map { "tacet-\($0.name)" } + ["journalctl"])
    }

    var text: String { lines.joined(separator: "\n") + "\n" }

    // MARK: Parts

    private static func head(_ name: String, _ summary: String) -> [String] {
        [
            ".TH \(name.uppercased()) 1 \"\" Tacet", ".nh", ".ad l", ".SH NAME",
            "\(dashed(name)) \\- \(escape(summary))",
        ]
    }

    private mutating func section(_ title: String) { lines.append(".SH \(title)") }

    private mutating func write(_ paragraphs: [String]) {
        for paragraph in paragraphs { lines += [".PP", ManualPage.escape(paragraph)] }
    }

    private mutating func item(_ head: String, _ text: String) { lines += [".TP", head, ManualPage.escape(text)] }

    private mutating func exitCodes(_ codes: [(code: ExitCode, meaning: String)]) {
        section("EXIT STATUS")
        for (code, meaning) in codes { item(".B \(code.rawValue)", meaning + ".") }
    }

    private mutating func seeAlso(_ pages: [String]) {
        section("SEE ALSO")
        for page in pages {
            lines.append(".BR \(ManualPage.dashed(page)) (1)" + (page == pages.last ? "" : ","))
        }
    }

    private static func operand(_ operand: Manual.Operand) -> String {
        operand.count == .any ? ".RI [ \(operand.name) …]" : ".I \(operand.name)"
    }

    private static func optional(_ option: Manual.Option) -> String {
        let value = option.value.map { " \\fI\($0.name)\\fR" } ?? ""
        let usage = "\\fB\(dashed(option.name))\\fR\(value)"
        return option.isRequired ? usage : "[\(usage)]"
    }

    private static func signature(_ option: Manual.Option) -> String {
        option.value.map { ".BI \(dashed(option.name)) \" \($0.name)\"" } ?? ".B \(dashed(option.name))"
    }

    /// A dash that is typed, and no hyphen.
    private static func dashed(_ text: String) -> String {
        text.map { $0 == "-" ? "\\-" : String($0) }.joined()
    }

    private static func escape(_ text: String) -> String {
        let escaped = text.map { $0 == "\\" ? "\\e" : $0 == "-" ? "\\-" : String($0) }.joined()
        return escaped.first == "." || escaped.first == "'" ? "\\&" + escaped : escaped
    }
}

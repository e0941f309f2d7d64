extension Manual {
    private static let width = 100

    /// The text for `tacet NAME --help`.
    var helpText: String {
        let arguments =
            [operand?.usage].compactMap { $0 } + options.map { "[\($0.usage)]" }
            + (takesCommand ? ["[-- COMMAND…]"] : [])
        var parts = [Manual.wrap(arguments, after: "Usage: tacet \(name)")]
        parts += paragraphs.map { Manual.wrap($0) }
        if !options.isEmpty { parts.append(Manual.table(options.map { ($0.usage, $0.summary) })) }
        if let listing {
            parts += [Manual.wrap(listing.introduction), Manual.indented(listing.lines)]
        }
        let codes = exitCodes.map { "\($0.code.rawValue) \($0.meaning)" }
        parts.append(Manual.wrap("Exit codes: \(codes.joined(separator: ", "))."))
        return parts.joined(separator: "\n\n")
    }

    /// Returns the text for `tacet --help`.
    static func overview(_ manuals: [Manual]) -> String {
        let rows = manuals.map { manual in
            ([manual.names.joined(separator: ", ")] + [manual.operand?.usage].compactMap { $0 }).joined(separator: " ")
        }
        return """
            Usage: tacet SUB-COMMAND …

            \(table(zip(rows, manuals.map(\.summary)).map { ($0, $1) }))

            ‘tacet SUB-COMMAND --help’ explains a sub-command. ‘tacet --version’ prints the version.
            Exit codes: 0 done, 1 failed, 64 usage.
            """
    }

    private static func table(_ rows: [(String, String)]) -> String {
        let margin = (rows.map(\.0.count).max() ?? 0) + 4
        return rows.map { title, text in
            wrap(words(text), after: "  " + title + String(repeating: " ", count: margin - title.count - 3), to: margin)
        }.joined(separator: "\n")
    }

    private static func indented(_ lines: String) -> String {
        lines.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }.joined(separator: "\n")
    }

    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    private static func wrap(_ text: String) -> String {
        let words = words(text)
        return wrap(Array(words.dropFirst()), after: words.first ?? "", to: 0)
    }

    /// - Parameter margin: the column at which the lines after the first begin, or nil for the column of the first
    ///   word.
    private static func wrap(_ words: [String], after head: String, to margin: Int? = nil) -> String {
        let margin = String(repeating: " ", count: margin ?? head.count + 1)
        var lines = [head]
        for word in words {
            if lines[lines.count - 1].count + 1 + word.count <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(margin + word)
            }
        }
        return lines.joined(separator: "\n")
    }
}

/// The mistakes and warnings in a configuration. Of each severity, only the first are kept, because a file that is not a
/// configuration may cause hundreds of thousands.
struct DiagnosticList: Hashable, Sendable {
    /// The maximum number of errors, and of warnings.
    static let most = 100

    private(set) var all: [Diagnostic] = []
    private var counts: [Diagnostic.Severity: Int] = [:]

    /// True if a further error would not be kept, so that looking for one is useless.
    var isFull: Bool { counts[.error, default: 0] > Self.most }
    var hasErrors: Bool { counts[.error] != nil }

    mutating func append(_ diagnostic: Diagnostic) {
        let count = counts[diagnostic.severity, default: 0]
        counts[diagnostic.severity] = count + 1
        if count < Self.most {
            all.append(diagnostic)
        } else if count == Self.most {
            all.append(.rest(from: diagnostic))
        }
    }

    static func += (list: inout DiagnosticList, diagnostics: some Sequence<Diagnostic>) {
        for diagnostic in diagnostics { list.append(diagnostic) }
    }
}

extension Diagnostic {
    /// Returns the diagnostic that takes the place of this one and of all later ones of the same severity.
    fileprivate static func rest(from first: Diagnostic) -> Diagnostic {
        Diagnostic(
            first.severity, file: first.file, line: first.line,
            "there are more than \(DiagnosticList.most) \(first.severity)s, so the rest is not listed",
            advice: "correct the others first")
    }
}

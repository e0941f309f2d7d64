import Configuration

/// What is wrong in a line, and what would be right.
struct Complaint: Error {
    let what: String

    init(_ what: String) { self.what = what }

    static func unknown(_ kind: String, _ name: String, among known: [String]) -> Complaint {
        let hint = Spelling.nearest(to: name, in: known).map { ": did you mean ‘\($0)’?" }
        return Complaint("there is no \(kind) ‘\(name)’\(hint ?? ": use one of \(list(known))")")
    }
}

/// `a, b or c`
func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
}

import Configuration
import Spelling

/// What is wrong in a line, and what would be right.
struct Complaint: Error {
    let what: String

    init(_ what: String) { self.what = what }

    static func unknown(_ kind: String, _ name: String, among known: [String]) -> Complaint {
        Complaint(Spelling.unknown(kind, name, among: known, otherwise: "use one of \(known.alternatives)"))
    }
}

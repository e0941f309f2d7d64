/// Suggestions for misspelled words.
public enum Spelling {
    /// Returns the known word nearest to `word`, ignoring case, or nil if it differs in more than a third of its
    /// letters (at least one).
    public static func nearest(to word: String, in known: [String]) -> String? {
        let written = word.lowercased()
        let distances = known.map { (word: $0, distance: distance(written, $0.lowercased())) }
        guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, best.word.count / 3) ? best.word : nil
    }

    /// Returns the nearest known word as a question, such as `did you mean ‘Debounce’?`, or nil if no word is near.
    public static func suggestion(for word: String, in known: [String]) -> String? {
        nearest(to: word, in: known).map { "did you mean ‘\($0)’?" }
    }

    /// Returns an error message for an unknown name, such as `there is no option ‘--wave’: did you mean ‘--wav’?`
    ///
    /// - Parameters:
    ///   - kind: what the name should denote, such as `option`.
    ///   - name: the unknown name.
    ///   - known: the valid names.
    ///   - advice: the advice to give if no valid name is near.
    public static func unknown(
        _ kind: String, _ name: String, among known: [String], otherwise advice: String? = nil
    ) -> String {
        let hint = suggestion(for: name, in: known) ?? advice
        return "there is no \(kind) ‘\(name)’\(hint.map { ": \($0)" } ?? "")"
    }

    /// Returns the number of letters that must be inserted, deleted, replaced, or swapped with a neighbour to turn one
    /// word into the other. This is the optimal string alignment distance.
    static func distance(_ a: String, _ b: String) -> Int {
        let a = Array(a)
        let b = Array(b)
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
                row.append(best)
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }
}

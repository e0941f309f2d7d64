import Configuration

extension Inspection {
    /// Whether the service can read the configuration's own files.
    mutating func inspectFiles() {
        var blocked: Set<Access> = []
        for file in loaded.files {
            guard let obstacle = obstacle(to: file), blocked.insert(obstacle).inserted else { continue }
            if let words = words(obstacle) {
                warn(
                    Diagnostic(
                        .warning, file: file, "the service cannot read this file: \(words.problem)",
                        advice: words.advice))
            }
        }
    }

    /// - Returns: what keeps the service's user from reading a file or folder; nil: nothing, as far as can be judged.
    func obstacle(to path: String) -> Access? {
        guard let account else { return nil }
        let access = Access(of: account, to: path)
        return access == .granted ? nil : access
    }

    /// Notes what cannot be judged.
    /// - Returns: nil for that.
    mutating func words(_ obstacle: Access) -> (problem: String, advice: String)? {
        guard let account else { return nil }
        switch obstacle {
        case .granted: return nil
        case .denied(let path, let verb):
            let mode = verb == "read" ? "r" : verb == "list" ? "rx" : "x"
            return (
                "its user \(account.name) cannot \(verb) \(path)",
                "move it elsewhere, or allow that: chmod o+\(mode) \(path)"
            )
        case .unknown(let path):
            note("whether the service's user \(account.name) can read \(path) cannot be judged from here: try as root")
            return nil
        }
    }
}

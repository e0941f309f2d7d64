import Configuration
import Playback

extension Inspection {
    /// Warns if the service cannot read the configuration's own files.
    mutating func inspectFiles() {
        var blocked: Set<Access> = []
        for file in loaded.files {
            guard let obstacle = obstacle(to: file), blocked.insert(obstacle).inserted else { continue }
            if let finding = explain(obstacle) {
                warn(
                    Diagnostic(
                        .warning, file: file, "the service cannot read this file: \(finding.problem)",
                        advice: finding.advice))
            }
        }
    }

    /// - Returns: the obstacle that keeps the service's user from reading a file or folder, or nil if there is none.
    func obstacle(to path: String) -> Access? { obstacle(to: Track(path: path)) }

    /// - Returns: the obstacle that keeps the service's user from reading a file or folder, or nil if there is none.
    func obstacle(to file: Track) -> Access? {
        guard let account else { return nil }
        let access = Access(of: account, to: file)
        return access == .granted ? nil : access
    }

    /// - Returns: nil if the current user cannot find out. A note then reports that.
    mutating func explain(_ obstacle: Access) -> (problem: String, advice: String)? {
        guard let account else { return nil }
        switch obstacle {
        case .granted: return nil
        case .denied(let path, let verb):
            let mode = verb == "read" ? "r" : verb == "list" ? "rx" : "x"
            return (
                "its user \(account.name) cannot \(verb) \(path)",
                "move it elsewhere, or allow access with chmod o+\(mode) \(path)"
            )
        case .unknown(let path):
            note("cannot determine whether the user \(account.name) of the service can read \(path): run this as root")
            return nil
        }
    }
}

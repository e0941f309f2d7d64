import Glibc

/// The folder of a run's saved state: a given one, or one that lives and dies with the run.
final class StateFolder {
    let path: String
    private let isTemporary: Bool

    init(_ given: String?) throws(SimulationError) {
        if let given {
            path = given
            isTemporary = false
            guard mkdir(given, 0o755) == 0 || errno == EEXIST else {
                throw SimulationError("cannot make the folder \(given): \(String(cString: strerror(errno)))")
            }
            return
        }
        var template = Array("\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/tacet-state-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw SimulationError("cannot make a folder for the state: \(String(cString: strerror(errno)))")
        }
        path = template.withUnsafeBufferPointer { $0.baseAddress.map(String.init(cString:)) ?? "" }
        isTemporary = true
    }

    deinit {
        guard isTemporary else { return }
        for name in ["state", "state.new", "state.damaged"] { unlink("\(path)/\(name)") }
        rmdir(path)
    }
}

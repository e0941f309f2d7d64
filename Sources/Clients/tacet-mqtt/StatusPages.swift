import AudioSession
import Files
import Fleet
import Glibc
import Spelling
import Systemd

/// Writes the problems for `tacet health`, one per line, and the state for Prometheus, whenever they change.
final class StatusPages {
    private let settings: BridgeSettings
    private var shown: [String: String] = [:]
    /// The files for which a failed write has been reported.
    private var failed: Set<String> = []

    init(_ settings: BridgeSettings) {
        self.settings = settings
        // The pages may be left over from a run that ended abnormally.
        remove()
    }

    func show(_ agent: FleetAgent) {
        if let path = settings.problemFile {
            write(agent.fleetProblems.map { $0.visibleLines(joinedBy: " ") + "\n" }.joined(), to: path)
        }
        if let path = settings.prometheusFile {
            let page = PrometheusPage.text(
                agent.snapshot, problems: agent.problems, isConnected: agent.isConnected)
            write(page, to: path)
        }
    }

    /// Removes the pages, because they are not valid once this program has ended.
    func remove() {
        for path in [settings.problemFile, settings.prometheusFile].compactMap({ $0 }) { unlink(path) }
    }

    private func write(_ text: String, to path: String) {
        guard shown[path] != text else { return }
        do throws(FileError) {
            try OpenFile.replace(path, with: Array(text.utf8), mode: 0o644)
            shown[path] = text
        } catch {
            if failed.insert(path).inserted { FleetJournal.write(.storageFailed("\(error)")) }
        }
    }
}

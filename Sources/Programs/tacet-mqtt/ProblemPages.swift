import AudioSession
import Files
import Fleet
import Glibc
import Spelling
import Systemd

/// Writes what is wrong for `tacet health`, and the state for Prometheus, whenever it changes.
final class ProblemPages {
    private let settings: BridgeSettings
    private var shown: [String: String] = [:]

    init(_ settings: BridgeSettings) { self.settings = settings }

    func show(_ problems: [String], _ snapshot: Snapshot?, isConnected: Bool) {
        // Tacet's own problems are in its own health.
        if let path = settings.problemFile { write(JSON.array(problems) + "\n", to: path) }
        if let path = settings.prometheusFile {
            write(PrometheusPage.text(snapshot, problems: problems, isConnected: isConnected), to: path)
        }
    }

    private func write(_ text: String, to path: String) {
        guard shown[path] != text else { return }
        shown[path] = text
        do throws(FileError) { try OpenFile.replace(path, with: Array(text.utf8), mode: 0o644) } catch {
            FleetJournal.write(.storageFailed("\(error)"))
        }
    }
}

import AudioSession
import Files
import Fleet
import Glibc
import Spelling
import Systemd

/// Writes what is wrong for `tacet health`, a line each, and the state for Prometheus, whenever they change.
final class StatusPages {
    private let settings: BridgeSettings
    private var shown: [String: String] = [:]

    init(_ settings: BridgeSettings) { self.settings = settings }

    /// - Parameters:
    ///   - fleet: what is wrong between the broker and Tacet.
    ///   - all: that, and Tacet's own problems.
    func show(fleet: [String], all: [String], _ snapshot: Snapshot?, isConnected: Bool) {
        if let path = settings.problemFile {
            write(fleet.map { $0.visibleLines(joinedBy: " ") + "\n" }.joined(), to: path)
        }
        if let path = settings.prometheusFile {
            write(PrometheusPage.text(snapshot, problems: all, isConnected: isConnected), to: path)
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

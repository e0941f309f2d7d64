import AudioSession
import Configuration
import Spelling
import Systemd

extension ProgramLevels.Lease {
    /// Creates a lease from the time in `SetSignal`. 0 means the configured lease, and the largest `t` means until the
    /// program leaves the bus.
    init(microseconds time: UInt64) {
        self =
            switch time {
            case 0: .asConfigured
            case .max: .infinite
            // A time of more than a year is practically infinite and cannot be added to a clock.
            default: time > 366 * 86_400 * 1_000_000 ? .infinite : .time(.microseconds(Int64(time)))
            }
    }
}

extension Configuration {
    /// - Throws: `BusError` if programs cannot assert this signal.
    func checkIsFromBus(_ signal: SignalID) throws(BusError) {
        if sources[signal]?.as(ProgramLease.self) != nil { return }
        guard let source = sources[signal] ?? nil, session.signals.contains(where: { $0.id == signal }) else {
            if session.signals.contains(where: { $0.id == signal }) {
                throw .invalidArguments("the signal \(signal) has no source: write Source=bus in its section")
            }
            let names = session.signals.map(\.id).filter { sources[$0]?.as(ProgramLease.self) != nil }
            let advice =
                names.isEmpty
                ? "no signal has Source=bus"
                : "those with Source=bus are \(names.map(\.rawValue).joined(separator: ", "))"
            // A longer name, or one with control characters, would only clutter the terminal.
            let shown = signal.rawValue.utf8.count <= 40 ? signal.rawValue.visibleLines() : "of this name"
            throw .invalidArguments(
                Spelling.unknown("signal", shown, among: names.map(\.rawValue), otherwise: advice))
        }
        throw .invalidArguments(
            "the level of \(signal) comes from \(source): only a signal with Source=bus can be asserted")
    }
}

extension BusCaller {
    /// The caller for people, such as `baresip, process 812`.
    var words: String {
        switch (processName, process) {
        case (let name?, let process?): "\(name), process \(process)"
        case (nil, let process?): "process \(process)"
        case (_, nil): "a program"
        }
    }
}

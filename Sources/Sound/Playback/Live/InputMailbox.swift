import Synchronization
import Threads

/// A report of an input.
public enum InputReport: Sendable, Hashable {
    /// Audio has arrived, after a pause or for the first time. The time is that of its beginning, in nanoseconds of
    /// CLOCK_MONOTONIC.
    case arrived(at: Int)
    /// No audio has arrived for a while. The time is that of its end, in nanoseconds of CLOCK_MONOTONIC.
    case ceased(at: Int)
    /// No audio can arrive. This is reported once, and the input keeps trying.
    case failed(InputError)
    /// Audio can arrive again.
    case returned
    /// The input is played, but nothing of what arrives is heard. This is reported again while it is so.
    case unheard
    /// What arrives is heard again, or the input is no longer played.
    case heard
}

/// What the thread of an `InputReceiver` and the other threads exchange.
final class InputMailbox: Sendable {
    private struct Content {
        var reports: [InputReport] = []
        var statistics = LiveStatistics()
        var turns = 0
        var quits = false
    }

    /// Rung when there are reports.
    let news = WakeUp()
    /// Rung when the thread is to end.
    let bell = WakeUp()
    private let content = Mutex(Content())

    func quit() {
        content.withLock { $0.quits = true }
        bell.ring()
    }

    func report(_ report: InputReport) {
        content.withLock { $0.reports.append(report) }
        news.ring()
    }

    func report(_ reports: [InputReport]) {
        for each in reports { report(each) }
    }

    func takeReports() -> [InputReport] {
        news.wait(.zero)
        return content.withLock { content in
            defer { content.reports = [] }
            return content.reports
        }
    }

    var quits: Bool { content.withLock { $0.quits } }

    var statistics: LiveStatistics { content.withLock { $0.statistics } }

    func post(_ statistics: LiveStatistics) { content.withLock { $0.statistics = statistics } }

    /// The number of times that the thread has woken up, for measurements.
    var turns: Int { content.withLock { $0.turns } }

    func noteTurn() { content.withLock { $0.turns += 1 } }
}

import ALSA
import AudioSession
import Configuration
import Playback
import Supervisor

/// The real supervisor in a virtual world that follows the caller's clock, for tests of many boards in one process. It
/// has no music, and libasound discards its sound. It is not thread-safe.
public final class LiveBoard {
    private let world: VirtualWorld
    /// Called after each event with its name, as in a trace, and the state.
    public var onEvent: (_ name: String, _ snapshot: Snapshot) -> Void = { _, _ in }

    /// Boots the board.
    /// - Parameter now: the current time, which may start at any value.
    /// - Throws: an error if the state cannot be kept.
    public init(_ configuration: Configuration, at now: Duration) throws(SimulationError) {
        world = VirtualWorld(
            configuration: configuration, tracks: [], disk: try VirtualDisk(nil), recorder: nil, drawsGain: false)
        world.now = now
        world.boot()
        drainReports()
    }

    /// The time at which something next happens without an input, or nil if nothing does.
    public var deadline: Duration? { world.deadline }

    /// Lets time pass.
    public func advance(to end: Duration) throws(SimulationError) {
        while world.now < end {
            settle()
            let next = min(end, deadline ?? end)
            do throws(PCMError) { world.now = try world.player?.render(until: next) ?? next } catch {
                throw SimulationError("\(error)")
            }
        }
        settle()
        if let failure = world.failure { throw failure }
    }

    // MARK: Inputs at the current time

    public func command(_ command: Command) -> Answer {
        defer { settle() }
        return take(.command(command))?.answer ?? .success
    }

    public func announce(_ announcement: Announcement) -> (answer: Answer, id: Announcement.ID) {
        defer { settle() }
        let report = take(.announce(announcement))
        return (report?.answer ?? .success, report?.announcement ?? 0)
    }

    /// Sets the level of a signal.
    /// - Parameter level: the electrical level, or nil if the signal is lost.
    public func set(_ signal: SignalID, level: Bool?) {
        world.levels.main[signal] = level
        take(.line(signal, level: level))
        settle()
    }

    private func settle() { take(.time) }

    @discardableResult
    private func take(_ input: Supervisor.Input) -> Report? {
        world.take(input)
        return drainReports()
    }

    /// Handles all reports.
    /// - Returns: the last report.
    @discardableResult
    private func drainReports() -> Report? {
        var last: Report?
        while let report = world.nextReport() {
            last = report
            onEvent(report.cause.description, snapshot(notifications: report.notifications, answer: report.answer))
        }
        return last
    }

    public var snapshot: Snapshot { snapshot(notifications: []) }

    private func snapshot(notifications: [SessionNotification], answer: Answer? = nil) -> Snapshot {
        Snapshot(
            world.supervisor.session, track: nil, position: .zero, notifications: notifications, answer: answer,
            outputs: world.supervisor.assertedOutputs)
    }
}

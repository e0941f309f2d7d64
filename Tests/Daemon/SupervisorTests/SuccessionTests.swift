import AudioSession
import Configuration
import Playback
import Supervisor
import Testing

@testable import ALSA

/// A reload that rebuilds everything. Followers must still receive an end for each beginning.
@Suite struct SuccessionTests {
    private let world = ScriptedWorld()

    private func supervisor(_ configuration: Configuration = .builtIn) -> ScriptedSupervisor {
        ScriptedSupervisor(configuration: configuration, tracks: [Track(path: "/music/1")], world: world)
    }

    private func started(_ configuration: Configuration = .builtIn) -> ScriptedSupervisor {
        let first = supervisor(configuration)
        first.boot()
        return first
    }

    /// - Returns: the successor's reports.
    private func succeed(_ first: ScriptedSupervisor, by second: ScriptedSupervisor) -> [Report] {
        first.settle()
        first.handle(.retire(within: .zero))
        let known = world.reports.count
        second.boot(after: first)
        second.settle()
        return Array(world.reports[known...])
    }

    private let device = PCMConfiguration(
        format: StreamFormat(rate: 48_000, channels: 2), sampleFormat: .s16, periodFrames: 144, bufferFrames: 9600,
        card: nil)
    private var opened: PlaybackEvent { .deviceOpened(device) }

    @Test func lostDeviceReturnsWhenTheSuccessorOpensIt() {
        let first = started()
        first.handle(.event(.mediaServicesLost))
        let second = supervisor()
        #expect(succeed(first, by: second).map(\.notifications) == [[]])
        #expect(!second.session.servicesAvailable)
        world.player.events = [opened]
        second.settle()
        #expect(world.reports.last?.notifications == [.mediaServicesWereReset])
        #expect(second.session.directive == .play(.full))
        // Later openings of the device are not reported as returns.
        world.player.events = [opened]
        second.settle()
        #expect(world.reports.last?.cause == .note(.playback(opened)) && world.reports.last?.noOpReasons == [])
    }

    @Test func lossOfADeviceThatIsStillMissingIsReportedOnce() {
        let first = started()
        first.handle(.event(.mediaServicesLost))
        let second = supervisor()
        _ = succeed(first, by: second)
        let lost = PlaybackEvent.deviceLost(
            PCMError(operation: "open", device: "hw:1", code: -19, message: "No such device", advice: "plug it in"))
        world.player.events = [lost]
        second.settle()
        world.player.events = [opened, .deviceReset(device)]
        second.settle()
        let told = world.reports.flatMap(\.notifications)
        #expect(told == [.mediaServicesWereLost, .mediaServicesWereReset])
        #expect(world.reports.flatMap(\.noOpReasons) == [])
    }

    @Test func reloadThatFindsALostLineClearsItsFault() {
        world.levels["phone-call"] = nil
        let first = started()
        #expect(first.session.faults == [Fault("phone-call", .lost)])
        world.levels["phone-call"] = false
        let second = supervisor()
        let told = succeed(first, by: second)
        #expect(told.map(\.cause.description) == ["boot", "cleared phone-call lost"])
        #expect(told.allSatisfy { $0.noOpReasons == [] } && second.session.faults == [])
    }

    @Test func faultOfARemovedSignalIsCleared() {
        world.levels["cover-closed"] = nil
        let first = started()
        var other = Configuration.builtIn
        other.session.signals.removeLast()
        let told = succeed(first, by: supervisor(other))
        #expect(told.map(\.cause.description) == ["boot", "cleared cover-closed lost"])
        #expect(told.allSatisfy { $0.noOpReasons == [] })
    }

    @Test func chatterContinuesAcrossAReload() {
        let first = started()
        for step in 1...60 {
            world.now = .milliseconds(10 * step)
            first.line("phone-call", level: step % 2 == 1)
        }
        first.settle()
        #expect(first.session.faults == [Fault("phone-call", .chatter)])
        world.levels["phone-call"] = false
        let second = supervisor()
        #expect(succeed(first, by: second).map(\.cause.description) == ["boot"])
        #expect(second.session.faults == [Fault("phone-call", .chatter)] && second.session.isInterrupted)
        world.now = .seconds(10)
        second.settle()
        #expect(second.session.faults == [] && !second.session.isInterrupted)
        #expect(world.reports.contains { $0.cause == .event(.cleared(Fault("phone-call", .chatter))) })
    }

    /// The successor reports changes that became pending between the two sessions.
    @Test func signalThatGetsStuckDuringAReloadIsReported() {
        var configuration = Configuration.builtIn
        configuration.lines["phone-call"]?.stuckAfter = .seconds(5)
        world.levels["phone-call"] = true
        let first = started(configuration)
        first.settle()
        first.handle(.retire(within: .zero))
        world.now = .seconds(6)
        let second = supervisor(configuration)
        second.boot(after: first)
        second.settle()
        #expect(world.reports.last?.cause == .event(.fault(Fault("phone-call", .stuck))))
        #expect(second.session.faults == [Fault("phone-call", .stuck)])
    }

    @Test func duckThatEndsAtAReloadIsReportedWithItsSignal() {
        world.levels["alarm"] = true
        let first = started()
        var other = Configuration.builtIn
        other.lines["alarm"]?.isActiveLow = true
        let told = succeed(first, by: supervisor(other))
        #expect(told.map(\.notifications) == [[.duckEnded]])
        #expect(world.reports.last?.over.ducking == ["alarm"])
    }
}

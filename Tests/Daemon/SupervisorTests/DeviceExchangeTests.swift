import AudioSession
import Configuration
import Playback
import Supervisor
import Testing

@testable import ALSA

/// The supervisor's reactions when the player exchanges the device.
@Suite struct DeviceExchangeTests {
    private let world = ScriptedWorld()
    private let fallback = OutputRoute(index: 1, device: "hw:1")
    private let preferred = OutputRoute(index: 0, device: "hw:0")
    private let device = PCMConfiguration(
        format: StreamFormat(rate: 48_000, channels: 2), sampleFormat: .s16, periodFrames: 144, bufferFrames: 9600,
        card: nil)

    private func started(_ change: (inout Configuration) -> Void = { _ in }) -> ScriptedSupervisor {
        var configuration = Configuration.builtIn
        change(&configuration)
        let supervisor = ScriptedSupervisor(
            configuration: configuration, tracks: [Track(path: "/music/1")], world: world)
        supervisor.boot()
        supervisor.settle()
        _ = world.takeCalls()
        return supervisor
    }

    private func happen(_ events: PlaybackEvent..., in supervisor: ScriptedSupervisor) -> [String] {
        world.player.events = events
        supervisor.settle()
        return world.takeCalls().filter { !$0.hasPrefix("save") }
    }

    @Test func replacedDevicePausesBeforeTheMusicIsRebuilt() {
        let supervisor = started()
        #expect(
            happen(.routeLost(fallback), .deviceOpened(device), in: supervisor) == [
                "silence over 0.06 seconds", "rebuild",
            ])
        #expect(supervisor.session.intent == .paused)
        #expect(world.reports.flatMap(\.notifications) == [.routeChanged(.oldDeviceUnavailable)])
        #expect(happen(.routeBack(preferred), .deviceOpened(device), in: supervisor) == ["rebuild"])
        #expect(world.reports.last { !$0.notifications.isEmpty }?.notifications == [.routeChanged(.newDeviceAvailable)])
        #expect(supervisor.session.intent == .paused)
    }

    @Test func musicContinuesOnTheReplacementIfConfigured() {
        let supervisor = started { $0.session.pausesOnRouteLoss = false }
        #expect(happen(.routeLost(fallback), in: supervisor) == ["rebuild"])
        #expect(supervisor.session.directive == .play(.full))
    }

    /// A loudspeaker that appears in place of lost headphones also stays silent.
    @Test func laterReplacementOfALostDevicePauses() {
        let supervisor = started()
        let error = PCMError.system(19, operation: "play on", device: "hw:0")
        #expect(happen(.deviceLost(error), in: supervisor) == ["silence over 0.06 seconds", "tear down"])
        let calls = happen(.routeLost(fallback), .deviceOpened(device), .deviceReset(device), in: supervisor)
        #expect(calls == ["rebuild"] && supervisor.session.intent == .paused)
        #expect(supervisor.session.servicesAvailable)
    }

    @Test func startOnAFallbackPlays() {
        let supervisor = started()
        #expect(happen(.routeFound(fallback), .deviceOpened(device), in: supervisor) == [])
        #expect(supervisor.session.directive == .play(.full))
        #expect(happen(.routeBack(preferred), in: supervisor) == ["rebuild"])
        #expect(world.reports.last?.noOpReasons == [])
    }

    @Test func fallbackEndsOnlyWhenThePreferredDeviceReturns() {
        let supervisor = started { $0.session.pausesOnRouteLoss = false }
        _ = happen(.routeLost(OutputRoute(index: 2, device: "hw:2")), in: supervisor)
        _ = happen(.routeBack(fallback), in: supervisor)
        #expect(supervisor.session.isOnFallback)
        _ = happen(.routeBack(preferred), in: supervisor)
        #expect(!supervisor.session.isOnFallback)
        let returns = world.reports.flatMap(\.notifications).filter { $0 == .routeChanged(.newDeviceAvailable) }
        #expect(returns.count == 2)
    }

    /// Pulling the plug does not affect the device.
    @Test func pulledPlugRebuildsNothing() {
        let supervisor = started()
        supervisor.handle(.event(.routeLost))
        #expect(world.takeCalls().contains("silence over 0.06 seconds"))
        supervisor.handle(.event(.routeBack))
        #expect(!world.takeCalls().contains("rebuild"))
    }
}

import AudioSession
import Configuration
import Playback
import ResumeStore
import Supervisor
import Testing

/// The predictions of `tacet state`, which must match the actions of a supervisor.
@Suite struct BootForecastTests {
    private let world = ScriptedWorld()
    private let playing = SavedState(
        savedAt: .seconds(990), intent: "playing", track: "/music/1", position: .seconds(12), wasPlaying: true,
        volume: 0, shuffleSeed: 3, held: [], episode: nil)

    private var interrupted: SavedState {
        var state = playing
        state.wasPlaying = false
        state.held = [SavedState.Held(signal: "phone-call", standing: "inForce", age: .seconds(3), isStuck: false)]
        state.episode = SavedState.Episode(reason: "default", lastCommand: nil, recommendsResuming: true)
        return state
    }

    private func settings(_ change: (inout Configuration) -> Void) -> Configuration {
        var settings = Configuration.builtIn
        change(&settings)
        return settings
    }

    /// Returns a forecast for a boot 10 s after the state was saved, as in the world.
    private func forecast(
        _ state: SavedState, _ settings: Configuration, _ lines: BootForecast.Lines = .quiet
    ) throws -> BootForecast {
        try BootForecast(state, settings, lines: lines, elapsed: .seconds(10))
    }

    private func boot(_ state: SavedState, _ settings: Configuration) -> ScriptedSupervisor {
        world.state = state
        let supervisor = ScriptedSupervisor(configuration: settings, tracks: [Track(path: "/music/1")], world: world)
        supervisor.boot()
        return supervisor
    }

    // MARK: Position

    @Test(arguments: [(12, 0, 7), (12, 10, 10), (3, 0, 0)])
    func musicThatWasPlayingIsRewound(saved: Int, continuedFrom: Int, resumes: Int) throws {
        var state = playing
        state.position = .seconds(saved)
        state.continuedFrom = .seconds(continuedFrom)
        let settings = settings { $0.playback.resumeRewind = .seconds(5) }
        #expect(try forecast(state, settings).position == .seconds(resumes))
        world.levels["phone-call"] = true
        #expect(boot(state, settings).position == .seconds(resumes))
    }

    @Test func musicThatWasSilentKeepsItsPosition() throws {
        let settings = settings { $0.playback.resumeRewind = .seconds(5) }
        for lines in [BootForecast.Lines.asSaved, .quiet] {
            #expect(try forecast(interrupted, settings, lines).position == .seconds(12))
        }
        #expect(boot(interrupted, settings).position == .seconds(12))
    }

    // MARK: Delays

    @Test func resumeDelayFollowsReleaseDelay() throws {
        let settings = settings {
            $0.session.resumeDelay = .seconds(20)
            $0.lines["phone-call"]?.releaseDelay = .seconds(5)
        }
        let forecast = try forecast(interrupted, settings)
        #expect(forecast.session.directive == .play(.full))
        #expect(forecast.delay == .seconds(25) && forecast.resumeDelay == .seconds(20))

        let supervisor = boot(interrupted, settings)
        while supervisor.session.directive == .silent, let deadline = supervisor.deadline {
            world.now = max(world.now, deadline)
            supervisor.settle()
        }
        #expect(supervisor.session.directive == .play(.full) && world.now == forecast.delay)
    }

    @Test func timeWithoutPowerSatisfiesResumeDelay() throws {
        let forecast = try forecast(interrupted, settings { $0.session.resumeDelay = .seconds(20) })
        #expect(forecast.session.directive == .play(.full) && forecast.delay == .zero)
    }

    /// The time is 3 s before the save, 10 s without power, and 5 s of `ReleaseDelay`.
    @Test(arguments: [(17, Intent.paused), (18, .playing)])
    func releaseDelayCountsTowardsResumeWithin(limit: Int, intent: Intent) throws {
        let settings = settings {
            $0.session.signals[0].resumeWithin = .seconds(limit)
            $0.lines["phone-call"]?.releaseDelay = .seconds(5)
        }
        #expect(try forecast(interrupted, settings).session.intent == intent)
    }

    @Test func signalThatGotStuckWithoutPowerIsReleased() throws {
        let settings = settings {
            $0.session.signals[0].whenStuck = .release
            $0.lines["phone-call"]?.stuckAfter = .seconds(10)
        }
        let forecast = try forecast(interrupted, settings, .asSaved)
        #expect(forecast.session.directive == .play(.full) && forecast.delay == .zero)

        world.levels["phone-call"] = true
        let supervisor = boot(interrupted, settings)
        supervisor.settle()
        #expect(supervisor.session.directive == .play(.full))
    }
}

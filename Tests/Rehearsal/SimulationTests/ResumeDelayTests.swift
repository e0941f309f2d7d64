import AudioSession
import Simulation
import Testing

/// `ResumeDelay=`, which keeps an episode and a duck alive for a while after their last signal, and the return of a
/// route.
@Suite struct ResumeDelayTests {
    private func run(_ scenario: String) throws -> [TraceRow] {
        let lab = try Lab(
            "[Session]\nResumeDelay=2s\n[Playback]\nLibrary=music\nRepeat=none\n[Signal off-hook]\nLine=X\nEffect=pause\n"
        )
        try lab.addNumberedTrack("one.wav", seconds: 10)
        return try lab.run(scenario)
    }

    @Test func noMusicPlaysBetweenARingAndItsAcceptedCall() throws {
        let rows = try run(
            "1s assert phone-call\n2s deassert phone-call\n3s assert off-hook\n4s deassert off-hook\n7s end")
        #expect(rows.events.suffix(2) == ["6.0 episode ended", "7.0 end"])
        let between = try rows.at("deassert phone-call")
        #expect(between.isInterrupted && between.directive == .silent && between.active == [])
        #expect(rows.notifications == ["began(default)", "ended(shouldResume)"])
        #expect(try rows.at("end").position == .seconds(2))
    }

    @Test func episodeEndsBeforeADuckOfTheSameInstant() throws {
        let rows = try run("6s assert alarm\n6s assert phone-call\n8s deassert alarm\n8s deassert phone-call\n15s end")
        #expect(rows.events.suffix(4) == ["10.0 episode ended", "10.0 duck ended", "14.0 playlist ended", "15.0 end"])
        #expect(try rows.at("episode ended").directive == .play(Level(decibels: -14) ?? .mute))
    }

    @Test func duckEndsBeforeATrackThatEndsAtTheSameInstant() throws {
        let rows = try run("7s assert alarm\n8s deassert alarm\n11s end")
        #expect(rows.events.suffix(3) == ["10.0 duck ended", "10.0 playlist ended", "11.0 end"])
    }

    @Test func returnOfTheRouteIsReportedOnce() throws {
        let rows = try run("1s route lost\n2s route lost\n3s route back\n4s route back\n5s end")
        #expect(
            rows.notifications == [
                "routeChanged(oldDeviceUnavailable)", "routeChanged(oldDeviceUnavailable)",
                "routeChanged(newDeviceAvailable)",
            ])
        #expect(try rows.at("end").intent == .paused)
    }
}

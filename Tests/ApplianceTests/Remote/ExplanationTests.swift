import AudioSession
import Configuration
import GPIO
import Testing

@testable import Appliance

@Suite struct ExplanationTests {
    private let phone = SignalID("phone-call")
    private let alarm = SignalID("alarm")

    private func why(
        _ events: [Event], health: Health = Health(), tracks: Int = 2, place: FoundLine? = nil,
        _ change: (inout Configuration) -> Void = { _ in }
    ) -> String {
        var configuration = Configuration.builtIn
        configuration.wiring = [
            phone: Wiring(line: .named("PHONE_CALL", chip: nil)), alarm: Wiring(line: .named("ALARM", chip: nil)),
        ]
        change(&configuration)
        let scene = Scene(after: events, configuration, of: tracks)
        return "\(Explanation(scene, health, since: "14:03:12", at: .seconds(2), place: { _ in place }))"
    }

    @Test func aCallIsWaitedFor() {
        #expect(
            why([.edge(Edge(phone, asserted: true))])
                == "Quiet since 14:03:12 because phone-call (PHONE_CALL) is asserted; will resume ‘One.flac’ at 2:31 "
                + "when it is released.")
    }

    @Test func theWireIsNamedAsItIsFoundOnTheBoard() {
        var line = LineInfo(offset: 17, name: "PHONE_CALL")
        func why() -> String {
            let chip = ChipInfo(path: "/dev/gpiochip0", name: "gpiochip0", label: "panel", lines: [line])
            return self.why([.edge(Edge(phone, asserted: true))], place: FoundLine(chip: chip, line: line))
        }
        #expect(why().contains("because phone-call (line PHONE_CALL, gpiochip0 17) is asserted; will resume"))
        line.name = nil
        #expect(why().contains("because phone-call (gpiochip0 17) is asserted; will resume"))
    }

    /// What follows is found out, and not guessed: a pause during the call stays one.
    @Test func aPauseDuringACallStays() {
        #expect(
            why([.edge(Edge(phone, asserted: true)), .command(.pause)])
                == "Quiet since 14:03:12 because phone-call (PHONE_CALL) is asserted; will stay paused when it is released."
        )
    }

    @Test func aStuckLineIsNamed() {
        let text = why([.edge(Edge(phone, asserted: true)), .fault(Fault(phone, .stuck))])
        #expect(text.contains("(phone-call has been so for longer than StuckAfter=: look at its contact and wire)"))
    }

    @Test func aDeadCardIsNamed() {
        var health = Health()
        health.set(.device, "cannot open hw:1: No such device")
        #expect(
            why([.mediaServicesLost], health: health)
                == "Quiet since 14:03:12 because there is no sound device (cannot open hw:1: No such device); "
                + "will resume ‘One.flac’ at 2:31 when it is back.")
    }

    @Test func aUsersPauseIsTheUsers() {
        #expect(
            why([.command(.pause)])
                == "Quiet since 14:03:12 because it was paused; ‘tacet play’ goes on with ‘One.flac’ at 2:31.")
    }

    @Test func playingAndDucked() {
        #expect(why([]) == "Playing ‘One.flac’ at 2:31.")
        #expect(
            why([.edge(Edge(alarm, asserted: true))])
                == "Turned down to -14 dB since 14:03:12 because alarm (ALARM) is asserted; back at full level when it is "
                + "released.")
    }

    @Test func nothingToPlayIsSaid() {
        var health = Health()
        health.set(.library, "nothing to play: there is no audio file in /srv/music")
        #expect(
            why([], health: health, tracks: 0)
                == "Quiet since 14:03:12 because there is nothing to play: there is no audio file in /srv/music.")
    }
}

import AudioSession
import Configuration
import Testing

@testable import Appliance

@Suite struct StatusLineTests {
    private func line(_ events: [Event], health: Health = Health()) -> String {
        "\(StatusLine(Scene(after: events), health))"
    }

    @Test func isReadableAcrossAWorkshop() {
        let call = Event.edge(Edge("phone-call", asserted: true))
        #expect(line([]) == "Playing ‘One.flac’")
        #expect(line([.edge(Edge("alarm", asserted: true))]) == "Playing ‘One.flac’, turned down to -14 dB")
        #expect(line([call]) == "Quiet: phone-call is asserted; will go on with ‘One.flac’")
        #expect(line([call, .command(.pause)]) == "Quiet: phone-call is asserted; paused")
        #expect(line([.command(.pause)]) == "Quiet: paused")
        #expect(line([.mediaServicesLost]) == "Quiet: no sound device")
    }

    @Test func saysWhatIsWrong() {
        var health = Health()
        let isNews = health.set(.state, "the disk is full")
        let isNewsAgain = health.set(.state, "the disk is still full")
        #expect(isNews && !isNewsAgain)
        let text = line([.fault(Fault("alarm", .chatter))], health: health)
        #expect(text.hasSuffix(" — alarm chatter; the disk is still full"))
        health.set(.state, nil)
        #expect(line([], health: health) == "Playing ‘One.flac’")
    }
}

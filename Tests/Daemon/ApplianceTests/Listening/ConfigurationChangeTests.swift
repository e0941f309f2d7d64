import AudioSession
import Playback
import Saboteur
import SoundLab
import Supervisor
import Testing

/// The device returns with a different rate and number of channels, before, during and after an interruption. There
/// must be sound if, and only if, the directive is to play.
@Suite(.serialized) struct ConfigurationChangeTests {
    private let phone = SignalID("phone-call")

    enum Moment: CaseIterable { case whilePlaying, whileInterrupted, whileClosed, rightAfterTheEnd }

    @Test(arguments: Moment.allCases, [(44_100, 2), (96_000, 6), (48_000, 1)])
    func playsAfterAFormatChangeOnlyIfTheDirectiveIsPlay(moment: Moment, format: (rate: Int, channels: Int)) throws {
        let lab = try SoundServerLab(usesPlugIn: true) {
            $0.playback.closeAfter = .milliseconds(moment == .whileClosed ? 50 : 5000)
        }
        defer { saboteur_plan_format("", 0, 0) }
        _ = try lab.waitForEffect()
        let before = try lab.record()
        try before.waitForSound()
        try before.waitForMore(4800)
        if moment != .whilePlaying {
            lab.handle(.edge(Edge(phone, asserted: true)))
            try lab.wait(for: .began(.default))
        }
        saboteur_plan_format("speakers", Int32(format.rate), Int32(format.channels))
        if moment == .whileClosed {
            try lab.wait("closed device") { $0.cause == .note(.playback(.deviceClosed)) }
            _ = before.finish()
            lab.handle(.edge(Edge(phone, asserted: false)))
            try lab.wait(for: .configurationChanged)
        } else {
            if moment == .rightAfterTheEnd { lab.handle(.edge(Edge(phone, asserted: false))) }
            lab.server.die()
            _ = before.finish()
            try lab.wait(for: .mediaServicesWereLost)
            try lab.server.start()
            try lab.wait(for: .mediaServicesWereReset)
        }
        let after = try lab.record()
        if moment == .whileInterrupted {
            let reset = after.frames
            try after.waitForMore(9600)
            lab.handle(.edge(Edge(phone, asserted: false)))
            let end = after.frames
            try after.waitForSound()
            #expect(after.finish()[reset..<end].allSatisfy { $0 == 0 })
        } else {
            try after.waitForSound()
            _ = after.finish()
        }
        #expect(lab.position.map { $0 > .milliseconds(50) && $0 < .seconds(5) } == true)
        #expect(lab.configurations.last?.format.rate == format.rate)
        #expect(lab.configurations.last?.format.channels == format.channels)
    }
}

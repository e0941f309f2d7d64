import AudioSession
import Configuration
import Signals
import Testing

@testable import Appliance

@Suite struct ButtonPressTests {
    private func button(_ command: Button.Command) -> Button {
        Button(name: "b", wiring: Wiring(line: .named("B", chip: nil)), command: command)
    }

    @Test func aPressIsOneHoweverItBounces() {
        var press = ButtonPress(button(.playPause), level: false, at: .zero)
        var count = 0
        for millisecond in [100, 101, 102, 104, 107] {
            count += press.edge(millisecond != 101 && millisecond != 104, at: .milliseconds(millisecond))
        }
        #expect(count == 0)
        #expect(press.deadline == .milliseconds(137))
        let result1 = press.advance(to: .milliseconds(137))
        #expect(result1 == 1)
        #expect(press.deadline == nil)
        let result2 = press.edge(false, at: .milliseconds(900))
        #expect(result2 == 0)
        let result3 = press.advance(to: .seconds(2))
        #expect(result3 == 0)
    }

    @Test func volumeRepeatsWhileItIsHeld() {
        var press = ButtonPress(button(.changeVolume(decibels: 3)), level: false, at: .zero)
        _ = press.edge(true, at: .zero)
        let result4 = press.advance(to: .milliseconds(30))
        #expect(result4 == 1)
        #expect(press.deadline == .milliseconds(530))
        let result5 = press.advance(to: .milliseconds(530))
        #expect(result5 == 1)
        let result6 = press.advance(to: .milliseconds(890))
        #expect(result6 == 3)
        _ = press.edge(false, at: .milliseconds(900))
        let result7 = press.advance(to: .milliseconds(930))
        #expect(result7 == 0)
        #expect(press.deadline == nil)
    }

    /// A wire that falls off a pressed button does not turn the volume up for ever.
    @Test func aLostLineEndsTheRepeats() {
        var press = ButtonPress(button(.changeVolume(decibels: 3)), level: false, at: .zero)
        _ = press.edge(true, at: .zero)
        _ = press.advance(to: .milliseconds(30))
        _ = press.edge(nil, at: .milliseconds(100))
        let result8 = press.advance(to: .seconds(60))
        #expect(result8 == 0)
    }

    @Test func oneThatIsHeldAtTheStartIsNoPress() {
        var press = ButtonPress(button(.play), level: true, at: .zero)
        let result9 = press.advance(to: .seconds(60))
        #expect(result9 == 0)
    }

    @Test func volumeStopsAtItsEnds() throws {
        let almostFull = try #require(Level(decibels: -2))
        #expect(Button.Command.changeVolume(decibels: 3).asked(at: almostFull) == .volume(.full))
        #expect(Button.Command.changeVolume(decibels: -60).asked(at: .mute) == .volume(.mute))
        #expect(Button.Command.playPause.asked(at: .full) == .playPause)
    }
}

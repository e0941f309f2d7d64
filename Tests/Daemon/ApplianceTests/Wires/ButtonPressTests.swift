import AudioSession
import Configuration
import Evdev
import Signals
import Testing

@testable import Appliance

@Suite struct ButtonPressTests {
    private func button(_ command: WrittenCommand) -> Button {
        Button(name: "b", source: .line(Wiring(line: .named("B", chip: nil))), command: command)
    }

    /// A remote control sends such presses.
    @Test func pressOfAnInstantCountsWithoutDebounce() {
        var policy = Button.defaultLine
        policy.debounce = .zero
        let wiring = InputSelector(device: "Remote", code: "KEY_PLAYPAUSE")
        var press = ButtonPress(
            Button(name: "b", source: .input(wiring), linePolicy: policy, command: .command(.playPause)), level: false,
            at: .zero)
        var count = 0
        for _ in 0..<2 {
            count += press.level(true, at: .seconds(1))
            count += press.level(false, at: .seconds(1))
        }
        #expect(count == 2)
    }

    @Test func bouncingPressCountsOnce() {
        var press = ButtonPress(button(.command(.playPause)), level: false, at: .zero)
        var count = 0
        for millisecond in [100, 101, 102, 104, 107] {
            count += press.level(millisecond != 101 && millisecond != 104, at: .milliseconds(millisecond))
        }
        #expect(count == 0)
        #expect(press.deadline == .milliseconds(137))
        let result1 = press.advance(to: .milliseconds(137))
        #expect(result1 == 1)
        #expect(press.deadline == nil)
        let result2 = press.level(false, at: .milliseconds(900))
        #expect(result2 == 0)
        let result3 = press.advance(to: .seconds(2))
        #expect(result3 == 0)
    }

    @Test func pressesDuringASleepAreIgnored() {
        var press = ButtonPress(button(.changeVolume(decibels: 3)), level: false, at: .zero)
        press.wake(true, at: .seconds(10))
        let held = press.advance(to: .seconds(20))
        #expect(held == 0 && press.deadline == nil)
        _ = press.level(false, at: .seconds(21))
        _ = press.advance(to: .seconds(22))
        _ = press.level(true, at: .seconds(23))
        // The button is still held on waking, but no longer repeats.
        let pressed = press.advance(to: .milliseconds(23_030))
        press.wake(true, at: .seconds(60))
        let repeats = press.advance(to: .seconds(70))
        #expect(pressed == 1 && repeats == 0)
    }

    @Test func volumeRepeatsWhileHeld() {
        var press = ButtonPress(button(.changeVolume(decibels: 3)), level: false, at: .zero)
        _ = press.level(true, at: .zero)
        let result4 = press.advance(to: .milliseconds(30))
        #expect(result4 == 1)
        #expect(press.deadline == .milliseconds(530))
        let result5 = press.advance(to: .milliseconds(530))
        #expect(result5 == 1)
        let result6 = press.advance(to: .milliseconds(890))
        #expect(result6 == 3)
        _ = press.level(false, at: .milliseconds(900))
        let result7 = press.advance(to: .milliseconds(930))
        #expect(result7 == 0)
        #expect(press.deadline == nil)
    }

    /// A wire that falls off a pressed button must not turn the volume up for ever.
    @Test func lostLineEndsTheRepeats() {
        var press = ButtonPress(button(.changeVolume(decibels: 3)), level: false, at: .zero)
        _ = press.level(true, at: .zero)
        _ = press.advance(to: .milliseconds(30))
        _ = press.level(nil, at: .milliseconds(100))
        let result8 = press.advance(to: .seconds(60))
        #expect(result8 == 0)
    }

    /// Any amount of chatter is one fault, which clears when the line has settled.
    @Test func chatterIsOneFault() {
        var press = ButtonPress(button(.command(.play)), level: false, at: .zero)
        var count = 0
        var changes = 0
        for millisecond in 1...200 {
            let before = press.faults
            count += press.level(millisecond % 2 == 1, at: .milliseconds(millisecond))
            if press.faults != before { changes += 1 }
        }
        #expect(press.faults == [.chatter] && changes == 1)
        count += press.advance(to: .seconds(3))
        #expect(press.faults == [] && count == 0)
    }

    @Test func missingOrLostLineIsAFaultUntilItReturns() {
        var missing = ButtonPress(button(.command(.play)), level: nil, at: .zero)
        #expect(missing.faults == [.lost])
        _ = missing.level(false, at: .seconds(1))
        #expect(missing.faults == [])
        _ = missing.level(nil, at: .seconds(2))
        #expect(missing.faults == [.lost])
    }

    @Test func faultIsLoggedWithAdvice() throws {
        let lost = ButtonFault.all(of: [ButtonPress(button(.command(.play)), level: nil, at: .zero)])
        #expect(lost.map(\.advice) == ["button b is lost (is Line= right? see ‘tacet lines’)"])
        let fault = try #require(lost.first)
        let entry = fault.entry(because: nil)
        #expect(entry.event == .fault && entry.priority == .warning)
        #expect(entry[.button] == ["b"] && entry[.fault] == ["lost"] && entry[.signal] == [])
        #expect(
            entry.message == "The button b (B) is lost: its line or device has disappeared. It counts as not pressed.")
        #expect(fault.clearedEntry.message == "The button b (B) is no longer lost.")
    }

    @Test func buttonHeldAtTheStartIsNotAPress() {
        var press = ButtonPress(button(.command(.play)), level: true, at: .zero)
        let result9 = press.advance(to: .seconds(60))
        #expect(result9 == 0)
    }
}

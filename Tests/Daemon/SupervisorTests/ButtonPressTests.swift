import AudioSession
import Configuration
import Signals
import Testing

@testable import Supervisor

@Suite struct ButtonPressTests {
    private func button(_ command: WrittenCommand) -> Button {
        Button(name: "b", source: .line(Wiring(line: .named("B", chip: nil))), command: command)
    }

    /// A remote control sends such presses.
    @Test func pressOfAnInstantCountsWithoutDebounce() {
        var policy = Button.defaultLine
        policy.debounce = .zero
        var button = button(.command(.playPause))
        button.linePolicy = policy
        var press = ButtonPress(button, level: false, at: .zero)
        var count = 0
        for _ in 0..<2 {
            count += press.level(true, at: .seconds(1)).count
            count += press.level(false, at: .seconds(1)).count
        }
        #expect(count == 2)
    }

    @Test func bouncingPressCountsOnce() {
        var press = ButtonPress(button(.command(.playPause)), level: false, at: .zero)
        var count = 0
        for millisecond in [100, 101, 102, 104, 107] {
            count += press.level(millisecond != 101 && millisecond != 104, at: .milliseconds(millisecond)).count
        }
        #expect(count == 0)
        #expect(press.deadline == .milliseconds(137))
        let result1 = press.advance(to: .milliseconds(137)).count
        #expect(result1 == 1)
        #expect(press.deadline == nil)
        let result2 = press.level(false, at: .milliseconds(900)).count
        #expect(result2 == 0)
        let result3 = press.advance(to: .seconds(2)).count
        #expect(result3 == 0)
    }

    @Test func pressesDuringASleepAreIgnored() {
        var press = ButtonPress(button(.changeVolume(decibels: 3)), level: false, at: .zero)
        press.wake(true, at: .seconds(10))
        let held = press.advance(to: .seconds(20)).count
        #expect(held == 0 && press.deadline == nil)
        _ = press.level(false, at: .seconds(21))
        _ = press.advance(to: .seconds(22))
        _ = press.level(true, at: .seconds(23))
        // The button is still held on waking, but no longer repeats.
        let pressed = press.advance(to: .milliseconds(23_030)).count
        press.wake(true, at: .seconds(60))
        let repeats = press.advance(to: .seconds(70)).count
        #expect(pressed == 1 && repeats == 0)
    }

    @Test func volumeRepeatsWhileHeld() {
        var press = ButtonPress(button(.changeVolume(decibels: 3)), level: false, at: .zero)
        _ = press.level(true, at: .zero)
        let result4 = press.advance(to: .milliseconds(30)).count
        #expect(result4 == 1)
        #expect(press.deadline == .milliseconds(530))
        let result5 = press.advance(to: .milliseconds(530)).count
        #expect(result5 == 1)
        let result6 = press.advance(to: .milliseconds(890)).count
        #expect(result6 == 3)
        _ = press.level(false, at: .milliseconds(900))
        let result7 = press.advance(to: .milliseconds(930)).count
        #expect(result7 == 0)
        #expect(press.deadline == nil)
    }

    /// A wire that falls off a pressed button must not turn the volume up for ever.
    @Test func lostLineEndsTheRepeats() {
        var press = ButtonPress(button(.changeVolume(decibels: 3)), level: false, at: .zero)
        _ = press.level(true, at: .zero)
        _ = press.advance(to: .milliseconds(30))
        _ = press.level(nil, at: .milliseconds(100))
        let result8 = press.advance(to: .seconds(60)).count
        #expect(result8 == 0)
    }

    /// Any amount of chatter is one fault, which clears when the line has settled.
    @Test func chatterIsOneFault() {
        var press = ButtonPress(button(.command(.play)), level: false, at: .zero)
        var count = 0
        var changes = 0
        for millisecond in 1...200 {
            let before = press.faults
            count += press.level(millisecond % 2 == 1, at: .milliseconds(millisecond)).count
            if press.faults != before { changes += 1 }
        }
        #expect(press.faults == [.chatter] && changes == 1)
        count += press.advance(to: .seconds(3)).count
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

    @Test func buttonHeldAtTheStartIsNotAPress() {
        var press = ButtonPress(button(.command(.play)), level: true, at: .zero)
        let result9 = press.advance(to: .seconds(60)).count
        #expect(result9 == 0)
    }

    // MARK: Long and double presses

    /// Returns a button that plays, stops when it is held, and skips when it is pressed twice. It is not debounced.
    private func button(long: Bool, double: Bool) -> Button {
        var button = button(.command(.playPause))
        button.linePolicy.debounce = .zero
        if long { button.longCommand = .command(.stop) }
        if double { button.doubleCommand = .command(.next) }
        return button
    }

    /// Returns the presses with their times in milliseconds, as text.
    /// - Parameter edges: The times in milliseconds at which the level changes, which begin with a press.
    private func presses(_ button: Button, _ edges: [Int], until end: Int = 5_000) -> [String] {
        var line = ButtonPress(button, level: false, at: .zero)
        var found: [String] = []
        func note(_ presses: [Button.Press], _ time: Duration) {
            found += presses.map { "\(Int(time / .milliseconds(1))) \($0.rawValue)" }
        }
        for (index, edge) in edges.enumerated() {
            while let deadline = line.deadline, deadline < .milliseconds(edge) {
                note(line.advance(to: deadline), deadline)
            }
            note(line.level(index % 2 == 0, at: .milliseconds(edge)), .milliseconds(edge))
            note(line.advance(to: .milliseconds(edge)), .milliseconds(edge))
        }
        while let deadline = line.deadline, deadline <= .milliseconds(end) {
            note(line.advance(to: deadline), deadline)
        }
        return found
    }

    @Test func pressCountsAtOnceOrWhenItIsReleased() {
        #expect(presses(button(long: false, double: false), [100, 900]) == ["100 press"])
        #expect(presses(button(long: true, double: false), [100, 250]) == ["250 press"])
    }

    @Test func pressBecomesLongWhileItIsHeld() {
        #expect(presses(button(long: true, double: false), [100, 2_000]) == ["700 long"])
        #expect(presses(button(long: true, double: false), [100, 699]) == ["699 press"])
        // A release that takes effect at the same instant comes first.
        #expect(presses(button(long: true, double: false), [100, 700]) == ["700 press"])
        var patient = button(long: true, double: false)
        patient.longPress = .seconds(2)
        #expect(presses(patient, [100, 2_000, 2_500, 4_600]) == ["2000 press", "4500 long"])
    }

    @Test func shortPressWaitsForASecondOne() {
        let double = button(long: false, double: true)
        #expect(presses(double, [100, 150]) == ["500 press"])
        #expect(presses(double, [100, 150, 400, 450]) == ["400 double"])
        #expect(presses(double, [100, 150, 500, 550]) == ["500 double"])
        #expect(presses(double, [100, 150, 501, 550]) == ["500 press", "901 press"])
        #expect(presses(double, [100, 150, 200, 250, 300, 350]) == ["200 double", "700 press"])
        #expect(presses(double, [100, 2_000]) == ["500 press"])
    }

    @Test func buttonDistinguishesThreeKindsOfPresses() {
        let all = button(long: true, double: true)
        #expect(presses(all, [100, 150]) == ["500 press"])
        #expect(presses(all, [100, 150, 300, 350]) == ["300 double"])
        #expect(presses(all, [100, 2_000]) == ["700 long"])
        // The first press lasts longer than the second one could be awaited.
        #expect(presses(all, [100, 600]) == ["600 press"])
        #expect(presses(all, [100, 150, 300, 2_000]) == ["300 double"])
    }

    @Test func volumeRepeatsWhileALongPressIsHeld() {
        var louder = button(long: true, double: false)
        louder.longCommand = .changeVolume(decibels: 1)
        #expect(presses(louder, [0, 900]) == ["600 long", "720 long", "840 long"])
        louder.command = .changeVolume(decibels: 1)
        louder.longCommand = .command(.stop)
        #expect(presses(louder, [0, 500]) == ["500 press"])
    }

    /// The loop may be late, which must not turn a short press into a long one or the reverse.
    @Test func lateCallerFindsTheSamePresses() {
        var debounced = button(long: true, double: true)
        debounced.linePolicy.debounce = .milliseconds(30)
        var short = ButtonPress(debounced, level: false, at: .zero)
        _ = short.level(true, at: .milliseconds(100))
        _ = short.level(false, at: .milliseconds(300))
        let late = short.advance(to: .seconds(10))
        #expect(late == [.short])
        var long = ButtonPress(debounced, level: false, at: .zero)
        _ = long.level(true, at: .milliseconds(100))
        let released = long.level(false, at: .seconds(10))
        let after = long.advance(to: .seconds(20))
        #expect(released == [.long] && after == [])
    }

    @Test(arguments: [false, true]) func heldButtonAtABootOrAReloadIsNotAPress(double: Bool) {
        var press = ButtonPress(button(long: true, double: double), level: true, at: .zero)
        var found = press.advance(to: .seconds(5))
        found += press.level(false, at: .seconds(6))
        found += press.advance(to: .seconds(10))
        #expect(found == [])
        found += press.level(true, at: .seconds(11))
        found += press.level(false, at: .milliseconds(11_100))
        found += press.advance(to: .seconds(12))
        #expect(found == [.short])
    }

    /// A line that is lost, a chattering one and a sleep end a press without a command.
    @Test(arguments: ["lost", "chatter", "sleep"]) func interruptedPressHasNoCommand(by cause: String) {
        for isHeld in [true, false] {
            var press = ButtonPress(button(long: true, double: true), level: false, at: .zero)
            var found = press.level(true, at: .milliseconds(1))
            if !isHeld { found += press.level(false, at: .milliseconds(50)) }
            switch cause {
            case "lost":
                found += press.level(nil, at: .milliseconds(60))
                found += press.advance(to: .seconds(60))
                found += press.level(false, at: .seconds(61))
            case "chatter":
                for millisecond in 60..<160 {
                    found += press.level(millisecond % 2 == 0, at: .milliseconds(millisecond))
                }
                #expect(press.faults == [.chatter])
                // What was found before the fault is discarded, because a few presses may precede it.
                found = []
            default:
                press.wake(false, at: .seconds(60))
            }
            found += press.advance(to: .seconds(100))
            #expect(found == [] && press.deadline == nil, "\(cause), held: \(isHeld)")
        }
    }

    /// A thousand presses per second are chatter after a few, and end with one.
    @Test(arguments: [false, true]) func thousandPressesASecondAreAFault(long: Bool) {
        var press = ButtonPress(button(long: long, double: false), level: false, at: .zero)
        var count = 0
        for number in 0..<10_000 {
            let time = Duration.seconds(1) + .microseconds(1000 * number)
            count += press.level(true, at: time).count
            count += press.level(false, at: time + .microseconds(500)).count
        }
        #expect(press.faults == [.chatter] && count <= 20)
        count += press.advance(to: .seconds(60)).count
        #expect(press.faults == [] && count <= 20)
    }
}

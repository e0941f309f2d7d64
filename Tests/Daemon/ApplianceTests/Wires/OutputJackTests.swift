import Testing

@testable import Appliance

@Suite struct OutputJackTests {
    @Test func shortContactIsIgnored() {
        var jack = OutputJack(level: true, at: .zero)
        #expect(jack.level(false, at: .milliseconds(10)) == [] && !jack.isUnplugged)
        #expect(jack.level(true, at: .milliseconds(20)) == [] && jack.advance(to: .seconds(1)) == [])
    }

    @Test func pulledPlugIsReportedOnceItHasSettled() {
        var jack = OutputJack(level: true, at: .zero)
        _ = jack.level(false, at: .seconds(1))
        #expect(jack.advance(to: jack.deadline ?? .zero) == [.unplugged] && jack.isUnplugged)
        _ = jack.level(true, at: .seconds(2))
        #expect(jack.advance(to: jack.deadline ?? .zero) == [.plugged] && !jack.isUnplugged)
    }

    @Test func loosePlugIsOneFault() {
        var jack = OutputJack(level: true, at: .zero)
        var changes: [OutputJack.Change] = []
        for step in 1...100 { changes += jack.level(step % 2 == 0, at: .milliseconds(5 * step)) }
        changes += jack.advance(to: .seconds(10))
        #expect(changes == [.chatters, .settled])
    }

    @Test func plugPulledDuringASleepIsReportedOnWaking() {
        var jack = OutputJack(level: true, at: .zero)
        #expect(jack.wake(true, at: .seconds(10)) == [])
        #expect(jack.wake(false, at: .seconds(20)) == [.unplugged] && jack.isUnplugged)
        #expect(jack.wake(nil, at: .seconds(30)) == [] && jack.isMissing)
        #expect(jack.wake(true, at: .seconds(40)) == [.plugged] && !jack.isMissing)
    }

    @Test func missingJackUnplugsNothing() {
        var jack = OutputJack(level: nil, at: .zero, isBoot: false)
        #expect(jack.isMissing && !jack.isUnplugged)
        _ = jack.level(false, at: .seconds(1))
        #expect(jack.advance(to: .seconds(2)) == [.unplugged])
        #expect(jack.level(nil, at: .seconds(3)) == [] && jack.isMissing && !jack.isUnplugged)
        // A level that had not settled is dropped.
        jack = OutputJack(level: true, at: .zero)
        _ = jack.level(false, at: .seconds(1))
        #expect(jack.level(nil, at: .seconds(1)) == [] && jack.advance(to: .seconds(3)) == [])
    }

    @Test func jackThatIsFoundEmptyAfterTheBootWasNotUnplugged() {
        var jack = OutputJack(level: nil, at: .zero)
        #expect(jack.level(false, at: .seconds(5)) == [.empty] && jack.isUnplugged)
        _ = jack.level(true, at: .seconds(6))
        #expect(jack.advance(to: .seconds(7)) == [.plugged])
        jack = OutputJack(level: nil, at: .zero)
        #expect(jack.wake(true, at: .seconds(5)) == [] && !jack.isMissing)
        _ = jack.level(false, at: .seconds(6))
        #expect(jack.advance(to: .seconds(7)) == [.unplugged])
    }

    @Test func plugThatChattersOnItsWayInIsReported() {
        var jack = OutputJack(level: false, at: .zero)
        var changes: [OutputJack.Change] = []
        for step in 1...99 { changes += jack.level(step % 2 == 1, at: .milliseconds(5 * step)) }
        #expect(changes == [.plugged, .chatters] && !jack.isUnplugged)
        #expect(jack.advance(to: .seconds(10)) == [.settled])
    }
}

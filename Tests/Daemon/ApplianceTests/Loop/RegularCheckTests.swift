import Testing

@testable import Appliance

@Suite struct RegularCheckTests {
    private var check = RegularCheck(from: .seconds(4), to: .seconds(6), at: .seconds(100))

    @Test mutating func sharesTheWakeUpOfAnEventThatComesShortlyBefore() {
        #expect(check.deadline == .seconds(106))
        #expect(!check.isDue(at: .milliseconds(103_999)))
        #expect(check.isDue(at: .seconds(104)) && check.isDue(at: .seconds(106)))
        check.pass(at: .seconds(104))
        #expect(check.deadline == .seconds(110) && !check.isDue(at: .milliseconds(107_999)))
    }

    /// While the music plays, the position is saved every five seconds, and nothing else wakes the control thread.
    @Test mutating func checksFollowTheSaves() {
        var checks = [RegularCheck(at: .zero), RegularCheck(at: .milliseconds(300)), RegularCheck(at: .seconds(2))]
        var (now, save, wakeUps) = (Duration.zero, Duration.seconds(5), 0)
        while now < .seconds(500) {
            now = checks.map(\.deadline).reduce(save, min)
            wakeUps += 1
            if now >= save { save = now + .seconds(5) }
            for index in checks.indices where checks[index].isDue(at: now) { checks[index].pass(at: now) }
        }
        // Checks that begin at other times cause a few wake-ups before they follow the saves.
        #expect(wakeUps <= 105, "\(wakeUps)")
    }
}

import Clocks
import Systemd
import Testing

@Suite struct ConditionWaitTests {
    private let loop: EventLoop

    init() throws { loop = try EventLoop() }

    private func wait(
        until condition: @escaping () -> Bool, before deadline: Duration, then: @escaping () -> Void
    ) throws -> ConditionWait {
        try ConditionWait(in: loop, until: condition, before: SystemClock.monotonic.now + deadline, then: then)
    }

    @Test func callsOnceAsSoonAsItsConditionHolds() throws {
        var (looks, calls) = (0, 0)
        let wait = try wait(
            until: {
                looks += 1
                return looks == 3
            }, before: .seconds(3600)
        ) { calls += 1 }
        wait.look()
        #expect(looks == 1 && calls == 0 && wait.isPending)
        while calls == 0 { try loop.turn(within: .seconds(5)) }
        #expect(looks == 3 && !wait.isPending)
        wait.look()
        #expect(try !loop.turn(within: .zero))
        #expect(looks == 3 && calls == 1)
    }

    @Test func callsAtItsDeadlineWithoutTheCondition() throws {
        var calls = 0
        let wait = try wait(until: { false }, before: .milliseconds(20)) { calls += 1 }
        while wait.isPending { try loop.turn(within: .seconds(5)) }
        #expect(calls == 1)
    }

    @Test func conditionWaitCanBeReleasedInItsOwnHandler() throws {
        var pending: ConditionWait?
        pending = try wait(until: { true }, before: .zero) { pending = nil }
        while pending != nil { try loop.turn(within: .seconds(5)) }
        pending = try wait(until: { true }, before: .zero) { Issue.record("called after its release") }
        pending = nil
        #expect(try !loop.turn(within: .zero))
    }
}

import Testing

@testable import Players

@Suite struct ReconnectionTests {
    private var reconnection = Reconnection()

    /// Lets a daemon close each connection at once, and returns the number of connections within a time.
    private mutating func connections(within time: Duration, tellsItsState: Bool) -> Int {
        var (now, count) = (Duration.zero, 0)
        while now < time {
            count += 1
            if tellsItsState { reconnection.begin(at: now) }
            now = reconnection.fail(.unreachable("it has closed the connection"), at: now)
        }
        return count
    }

    @Test(arguments: [false, true]) mutating func daemonThatClosesAtOnceIsAskedEverLessOften(tellsItsState: Bool) {
        #expect(connections(within: .seconds(60), tellsItsState: tellsItsState) < 15)
        #expect(reconnection.problem == "it has closed the connection")
    }

    @Test mutating func connectionThatLastedIsReplacedAtOnceAndItsLossIsNotAProblem() {
        _ = connections(within: .seconds(60), tellsItsState: false)
        reconnection.begin(at: .seconds(100))
        #expect(reconnection.problem == nil && reconnection.hasBegun)
        let retry = reconnection.fail(.unreachable("it has closed the connection"), at: .seconds(200))
        #expect(retry <= .milliseconds(200_200) && reconnection.problem == nil && !reconnection.hasBegun)
    }

    @Test mutating func daemonThatIsNotRunningIsNeverAProblem() {
        for second in 0..<100 { _ = reconnection.fail(.absent, at: .seconds(second)) }
        #expect(reconnection.problem == nil)
    }

    @Test mutating func refusalIsAProblemAtOnce() {
        _ = reconnection.fail(.refused("it refuses the password"), at: .zero)
        #expect(reconnection.problem == "it refuses the password")
        _ = reconnection.fail(.absent, at: .seconds(1))
        #expect(reconnection.problem == nil)
    }
}

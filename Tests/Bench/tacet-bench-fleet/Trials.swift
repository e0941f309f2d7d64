import Clocks
import Glibc

/// The fleet's trials, which run one after the other. Each prints its rows, and violations are reported as errors at
/// the end.
final class Trials {
    private let rig: FleetRig
    private let kills: Int
    private var errors: [String] = []
    /// The announcements that must not be played by any board.
    private var forbidden: Set<String> = []

    private var desk: Desk { rig.desk }

    /// - Parameter kills: The number of times that the broker is killed.
    init(_ rig: FleetRig, kills: Int) {
        self.rig = rig
        self.kills = kills
    }

    /// - Returns: The violations.
    func run() throws -> [String] {
        desk.publish("all/signal/evacuation", "on", isRetained: true)
        let start = SystemClock.monotonic.now
        try rig.wait("connection of all boards") { rig.connected == rig.count }
        row("boards connected", "\(rig.count), after \(seconds(SystemClock.monotonic.now - start))")
        // The signal was published before the boards were connected.
        try rig.wait("evacuation") { rig.evacuating == rig.count }
        row("boards that received the retained evacuation", "\(rig.evacuating)")
        desk.publish("all/signal/evacuation", "off", isRetained: true)
        try rig.wait("end of the evacuation") { rig.evacuating == 0 }

        try idle()
        try announceToOne()
        try announceToMany()
        try repeatAndExpire()
        try delay()
        try sendGarbage()
        try flood()
        try killBroker()
        try evacuate()
        judge()
        return errors
    }

    // MARK: Trials

    /// Measures the time from the publication to the first frame.
    private func announceToOne() throws {
        var latencies: [Double] = []
        for number in 0..<min(100, rig.wrongClocks.lowerBound) {
            let order = desk.announce(to: "b\(number)", number..<number + 1, expiresAfter: .seconds(60))
            try rig.wait("announcement") { heard(order) == 1 }
            latencies += delays(order)
        }
        row("from publish to the first frame, one board, ms", statistics(latencies))
    }

    private func announceToMany() throws {
        for (scope, boards) in [(FleetRig.group, rig.group), ("all", 0..<rig.count)] {
            var latencies: [Double] = []
            let before = try rig.broker.traffic()
            let processor = clock()
            for _ in 0..<10 {
                let order = desk.announce(to: scope, boards, expiresAfter: .seconds(60))
                try rig.wait("announcement to \(scope)") { heard(order) == expected(order) }
                latencies += delays(order)
                // The next announcement would wait for the end of this sound.
                desk.wait(.milliseconds(300)) { false }
            }
            let bytes = Double(try rig.broker.traffic() - before) / Double(boards.count) / 10
            row("the same, \(scope) (\(boards.count) boards at once), ms", statistics(latencies))
            let spent = Double(clock() - processor) / Double(CLOCKS_PER_SEC)
            row("  processor time per board and announcement, ms", decimals(spent * 100 / Double(boards.count)))
            row("  bytes per board and announcement", "\(Int(bytes))")
        }
    }

    /// Publishes the same announcement three times, and announcements that have expired.
    private func repeatAndExpire() throws {
        for _ in 0..<5 {
            let order = desk.announce(to: "all", 0..<rig.count, expiresAfter: .seconds(60))
            desk.publish(order)
            desk.publish(order)
        }
        for _ in 0..<5 { forbid(desk.announce(to: "all", 0..<rig.count, expiresAfter: .seconds(-1))) }
        try waitForAnswers()
        row("announcements published three times, and expired ones", "5, 5")
    }

    /// Checks announcements that the network delays by 30 s.
    private func delay() throws {
        rig.broker.freeze()
        let late = (0..<5).map { _ in desk.announce(to: "all", 0..<rig.count, expiresAfter: .seconds(10)) }
        late.forEach(forbid)
        let inTime = (0..<5).map { _ in desk.announce(to: "all", 0..<rig.count, expiresAfter: .seconds(120)) }
        desk.wait(.seconds(30)) { false }
        rig.broker.thaw()
        try rig.wait("announcements after the delay") { inTime.allSatisfy { heard($0) == expected($0) } }
        row("announcements delayed by 30 s: heard in time, expired", "5, 5")
    }

    private func sendGarbage() throws {
        let garbage = [
            "", "{", "[1,2", "null", "{\"id\":1}", "\u{0}", String(repeating: "[", count: 10_000),
            "{\"id\":{\"a\":[1]},\"sound\":[]}", String(repeating: "x", count: 100_000),
            "{\"id\":\"g\",\"sound\":\"gong\",\"expires_at\":\"never\"}",
        ]
        for topic in ["all/announce", "all/command", "all/signal/evacuation"] {
            for text in garbage where !(text.isEmpty && topic.hasSuffix("evacuation")) { desk.publish(topic, text) }
        }
        // A valid announcement that is retained must not be executed, neither now nor after a reconnection.
        let expiry = Int(SystemClock.wallClock.components.seconds) + 3600
        desk.publish("all/announce", "{\"id\":\"kept\",\"sound\":\"gong\",\"expires_at\":\(expiry)}")
        desk.publish(
            "all/announce", "{\"id\":\"retained\",\"sound\":\"gong\",\"expires_at\":\(expiry)}", isRetained: true)
        let order = desk.announce(to: "all", 0..<rig.count, expiresAfter: .seconds(120))
        try rig.wait("announcement after the garbage") { heard(order) == expected(order) }
        row("kinds of malformed payloads, on each topic", "\(garbage.count)")
    }

    /// Sends 5,000 commands to one board and an announcement to another.
    private func flood() throws {
        let flooder = Desk(rig.settings(of: "flooder"), prefix: FleetRig.prefix)
        flooder.waitForBroker()
        for number in 0..<5000 { flooder.publish("b0/command", "{\"id\":\"f\(number)\",\"command\":\"pause\"}") }
        let order = desk.announce(to: "b1", 1..<2, expiresAfter: .seconds(60))
        try rig.wait("announcement beside the flood") { heard(order) == 1 }
        row("5,000 commands to a board; another's announcement, ms", statistics(delays(order)))
        flooder.close()
    }

    private func idle() throws {
        desk.wait(.seconds(5)) { false }
        let processor = clock()
        let before = try rig.broker.traffic()
        let begin = SystemClock.monotonic.now
        desk.wait(.seconds(20)) { false }
        let time = (SystemClock.monotonic.now - begin) / .seconds(1)
        let bytes = Double(try rig.broker.traffic() - before)
        let spent = Double(clock() - processor) / Double(CLOCKS_PER_SEC)
        row("idle: processor time of all boards, % of a core", decimals(spent / time * 100))
        row("idle: boards that a core could simulate", "\(Int(Double(rig.count) * time / max(spent, 1e-6)))")
        row("idle: bytes per board and hour", "\(Int(bytes / Double(rig.count) * 3600 / time))")
    }

    /// Announces while the broker is killed repeatedly. The desk repeats announcements that have not been answered.
    private func killBroker() throws {
        var consistent: [Double] = []
        let begin = SystemClock.monotonic.now
        for _ in 0..<kills {
            let order = desk.announce(to: "all", 0..<rig.count, expiresAfter: .seconds(3600))
            desk.wait(.milliseconds(Int.random(in: 0...300))) { false }
            rig.broker.stop()
            desk.wait(.milliseconds(Int.random(in: 0...300))) { false }
            try rig.broker.start()
            let back = SystemClock.monotonic.now
            try rig.wait("reconnection") { rig.connected == rig.count }
            while heard(order) < expected(order) {
                desk.publish(order)
                desk.wait(.seconds(5)) { heard(order) == expected(order) }
                if let failure = rig.failure { throw FleetRig.Failure(description: failure) }
                if SystemClock.monotonic.now - back > .seconds(120) {
                    errors.append("\(order.id) was heard by \(heard(order)) of \(expected(order)) boards")
                    break
                }
            }
            consistent.append((SystemClock.monotonic.now - back) / .seconds(1))
        }
        row("broker killed \(kills) times: until all have heard, s", statistics(consistent))
        let hours = (SystemClock.monotonic.now - begin) / .seconds(3600)
        row("  announcements per hour meanwhile", "\(Int(Double(kills) / hours))")
    }

    /// Checks the fleet's signal while the broker is not available and after it has returned.
    private func evacuate() throws {
        desk.publish("all/signal/evacuation", "on", isRetained: true)
        try rig.wait("evacuation") { rig.evacuating == rig.count }
        rig.broker.stop()
        desk.wait(.seconds(25)) { false }
        if rig.evacuating != rig.count {
            errors.append("\(rig.count - rig.evacuating) boards gave up an evacuation (WhenLost=hold)")
        }
        try rig.broker.start()
        let back = SystemClock.monotonic.now
        try rig.broker.publish("\(FleetRig.prefix)/all/signal/evacuation", "off", retained: true)
        try rig.wait("end of the evacuation") { rig.evacuating == 0 }
        row("broker back after 25 s: until the signal is right everywhere", seconds(SystemClock.monotonic.now - back))
    }

    // MARK: Judgement

    private func forbid(_ order: Desk.Order) { forbidden.insert(order.id) }

    /// Returns the time in ms from publishing to the first frame, for each board.
    private func delays(_ order: Desk.Order) -> [Double] {
        rig.hearings.filter { $0.id == order.id }.map { ($0.at - order.publishedAt) / .milliseconds(1) }
    }

    private func heard(_ order: Desk.Order) -> Int { rig.hearings.count { $0.id == order.id && !$0.wasCut } }

    /// Returns the number of boards that must play the announcement. Boards whose clock cannot be trusted refuse it.
    private func expected(_ order: Desk.Order) -> Int { order.boards.count { !rig.wrongClocks.contains($0) } }

    /// Waits for all answers. The broker drops answers if the desk is slow to receive them. In this case, the desk
    /// repeats its announcement and receives the answers again.
    private func waitForAnswers() throws {
        for _ in 0..<5 {
            let open = desk.orders.filter { desk.answers[$0.id, default: [:]].count < $0.boards.count }
            if open.isEmpty { return }
            desk.wait(.seconds(20)) {
                open.allSatisfy { desk.answers[$0.id, default: [:]].count == $0.boards.count }
            }
            for order in open where desk.answers[order.id, default: [:]].count < order.boards.count {
                desk.publish(order)
            }
        }
        let open = desk.orders.filter { desk.answers[$0.id, default: [:]].count < $0.boards.count }
        if !open.isEmpty { errors.append("\(open.map(\.id)) were not answered by all boards") }
    }

    private func judge() {
        let orders = Dictionary(uniqueKeysWithValues: desk.orders.map { ($0.id, $0) })
        let hearings = rig.hearings
        // An announcement that an interruption cut off is played again. This is not treated as playing it twice.
        let whole = hearings.filter { !$0.wasCut }
        var (late, wrong) = (0, 0)
        for hearing in whole {
            guard let order = orders[hearing.id] else {
                // The announcements “kept” and “retained” were also delivered once as new messages.
                if hearing.id != "kept", hearing.id != "retained" { wrong += 1 }
                continue
            }
            if hearing.at > order.expiresAt + .milliseconds(1) || forbidden.contains(order.id) { late += 1 }
            if !order.boards.contains(hearing.board) || rig.wrongClocks.contains(hearing.board) { wrong += 1 }
        }
        let listeners = Dictionary(grouping: whole, by: \.id).mapValues { Set($0.map(\.board)) }
        let twice = whole.count - listeners.values.reduce(0) { $0 + $1.count }
        let missing = desk.orders.filter { !forbidden.contains($0.id) }.reduce(0) {
            $0 + max(0, expected($1) - listeners[$1.id, default: []].count)
        }
        let refused = rig.wrongClocks.count { board in
            desk.orders.contains { desk.answers[$0.id]?["b\(board)"] == "refused" }
        }
        row("boards with a clock an hour wrong that refused", "\(refused) of \(rig.wrongClocks.count)")
        row("heard", "\(whole.count) times")
        row("begun again after an interruption", "\(hearings.count - whole.count) times")
        row("heard late, twice, by the wrong board, not at all", "\(late), \(twice), \(wrong), \(missing)")
        if [late, twice, wrong, missing].contains(where: { $0 > 0 }) {
            errors.append("something was heard late, twice, wrongly or not at all")
        }
        if refused != rig.wrongClocks.count { errors.append("a board with a wrong clock did not refuse") }
    }

    // MARK: Rows

    private func row(_ what: String, _ value: String) {
        print(what + String(repeating: " ", count: max(1, 62 - what.count)) + value)
        fflush(nil)
    }

    private func seconds(_ time: Duration) -> String { decimals(time / .seconds(1)) + " s" }

    private func decimals(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }

    private func statistics(_ values: [Double]) -> String {
        let sorted = values.sorted()
        guard let least = sorted.first, let most = sorted.last else { return "–" }
        let p99 = sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
        return "\(decimals(sorted[sorted.count / 2])) (\(decimals(least)) … \(decimals(most)); p99 \(decimals(p99)))"
    }
}

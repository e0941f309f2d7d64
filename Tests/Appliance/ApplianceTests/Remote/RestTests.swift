import AudioSession
import Testing

@testable import Appliance
@testable import Supervisor

/// Why it rests, as it is found out from what happens.
@Suite struct RestTests {
    private let phone = SignalID("phone-call")
    private let door = SignalID("door")

    /// What has happened since a boot into nothing saved, a second apart.
    private func cause(
        _ happenings: [Happening], saved: SavedSession? = nil, words: String? = nil,
        _ change: (inout Policy) -> Void = { _ in }
    ) -> Rest.Cause? {
        var policy = Policy(signals: [
            SignalPolicy(id: phone, effect: .pause),
            SignalPolicy(id: door, effect: .pause, resume: .manual),
        ])
        change(&policy)
        var session = Session(policy: policy)
        var rest = Rest()
        func note(_ happening: Happening, _ event: Event?, at time: Duration) {
            var report = Report(time: time, happening: happening)
            for case .post(let notification) in event.map({ session.handle($0, at: time) }) ?? [] {
                report.notifications.append(notification)
            }
            rest.note(report, session, saved: saved?.intent, words: words)
        }
        note(.boot, .boot(Boot(saved: saved, trackCount: 2)), at: .zero)
        for (number, happening) in happenings.enumerated() {
            note(happening, happening.event, at: .seconds(number + 1))
        }
        return rest.cause
    }

    /// What was saved of the cause is known after a start.
    @Test func aCauseSurvivesAStart() {
        var paused = SavedSession(intent: .paused, track: 0, volume: .full, held: [], episode: nil)
        for cause in [Rest.Cause.start, .ends([door, phone]), .ends([]), .reset, .unplugged, .listEnd] {
            #expect(self.cause([], saved: paused, words: cause.words) == cause)
        }
        #expect(cause([], saved: paused, words: "user") == nil)
        #expect(cause([], saved: paused, words: "of a later version") == .start)
        paused.intent = .playing
        #expect(cause([], saved: paused, words: "user") == nil)
    }

    private func call(_ signal: SignalID) -> [Happening] { [begin(signal), end(signal)] }
    private func begin(_ signal: SignalID) -> Happening { .edge(Edge(signal, asserted: true)) }
    private func end(_ signal: SignalID) -> Happening { .edge(Edge(signal, asserted: false)) }

    @Test func aUserNeedsNoReason() {
        #expect(cause([]) == nil)
        #expect(cause([.command(.pause)]) == nil)
        #expect(cause([begin(door), .command(.pause), end(door)]) == nil)
        #expect(cause([.command(.next), .command(.next)]) == nil)
    }

    @Test func anEndThatDoesNotResumeIsToBlame() {
        #expect(cause(call(phone)) == nil)
        #expect(cause(call(door)) == .ends([door]))
        #expect(cause(call(phone)) { $0.signals[0].resumeWithin = .milliseconds(10) } == .ends([phone]))
        // One of two, and not the last of them.
        #expect(cause([begin(phone), begin(door), end(door), end(phone)]) == .ends([door]))
        // It stays so, whatever else happens, until somebody says something.
        #expect(cause(call(door) + [.command(.volume(.mute))] + call(phone)) == .ends([door]))
        #expect(cause(call(door) + [.command(.pause)]) == nil)
        #expect(cause(call(door) + [.command(.play)]) == nil)
        #expect(cause(call(door) + [.command(.play), .command(.pause)]) == nil)
    }

    @Test func soIsADeviceThatCameBackAListThatEndedAndAPlug() {
        #expect(cause([.deviceLost, .deviceReset]) { $0.resumesAfterReset = false } == .reset)
        #expect(cause([.deviceLost, .deviceReset]) == nil)
        #expect(cause([.playlistEnded]) == .listEnd)
        #expect(cause([.routeLost]) == .unplugged)
    }

    /// What was before a start is not known but for the intent.
    @Test func aStartIsAReason() {
        let paused = SavedSession(intent: .paused, track: 0, volume: .full, held: [], episode: nil)
        #expect(cause([], saved: paused) == .start)
        #expect(cause([]) { $0.autoPlay = false } == .start)
        let meanwhile = SavedSession(
            intent: .playing, track: 0, volume: .full,
            held: [.init(signal: door, standing: .active, began: .zero, isStuck: false)],
            episode: Episode(reason: .default))
        #expect(cause([], saved: meanwhile) == .ends([]))
    }
}

import AudioSession
import Systemd
import Testing
import Vocabulary

@testable import SessionClient

@Suite struct FollowerTests {
    private func names(_ steps: [Follower.Step]) -> [String] {
        steps.map { step in
            switch step {
            case .call(.watch): "watch"
            case .call(.own(let name)): "own \(name)"
            case .call(.owner): "owner?"
            case .call(.scene(let owner)): "scene of \(owner)?"
            case .report(.available(let snapshot)): "available \(snapshot.isInterrupted ? "interrupted" : "active")"
            case .report(.event(let event)): event.name
            case .report(.unavailable(let reason)): "unavailable: \(reason)"
            case .pass(let signal, let values): "\(signal.rawValue) \(values.count)"
            }
        }
    }

    private func following() -> Follower {
        var follower = Follower()
        _ = follower.take(Telegram.answer(.string(Telegram.owner)), to: .owner)
        _ = follower.take(Telegram.answer(.variant(Telegram.scene())), to: .scene(of: Telegram.owner))
        return follower
    }

    /// A queue that other programs have filled must not look like a refusal.
    @Test(arguments: ["LimitsExceeded", "NoMemory", "NoReply", "Disconnected"])
    func temporaryBusErrorIsNotARefusal(_ name: String) {
        let error = SessionError(BusError("org.freedesktop.DBus.Error.\(name)", "why"))
        #expect(error == .unavailable("why"))
        #expect(SessionError(.invalidArguments("why")) == .refused("why"))
    }

    @Test func firstUpdateIsTheStateAndNoEventIsReportedTwice() {
        var follower = Follower()
        #expect(names(follower.connected()) == ["watch", "watch", "owner?"])
        let asks = follower.take(Telegram.answer(.string(Telegram.owner)), to: .owner)
        #expect(names(asks) == ["scene of :1.7?"])
        // The answer already includes the event.
        #expect(follower.take(Telegram.event("assert phone-call")).isEmpty)
        let scene = Telegram.scene(interrupted: true, gain: nil)
        let steps = follower.take(Telegram.answer(.variant(scene)), to: .scene(of: Telegram.owner))
        #expect(names(steps) == ["available interrupted"])
        guard case .report(.available(let snapshot))? = steps.first else { return }
        #expect(snapshot.notifications.isEmpty && snapshot.position == .milliseconds(2500))
        #expect(names(follower.take(Telegram.event("deassert phone-call"))) == ["deassert phone-call"])
    }

    @Test func requestedSignalOfTheDaemonIsPassedOnAndNoOther() {
        func order(from sender: String = Telegram.owner, _ values: [BusValue]) -> BusEvent.Signal {
            BusEvent.Signal(
                sender: sender, path: SessionAddress.path, interface: SessionAddress.session, member: "PlayerCommand",
                values: values)
        }
        let values: [BusValue] = [.string("mpd"), .string("pause"), .uint64(7)]
        var follower = Follower(passing: [.playerCommand])
        #expect(names(follower.connected()) == ["watch", "watch", "watch", "owner?"])
        #expect(follower.take(order(values)).isEmpty)
        _ = follower.take(Telegram.answer(.string(Telegram.owner)), to: .owner)
        // It comes before the answer about the state, which already includes it.
        #expect(names(follower.take(order(values))) == ["PlayerCommand 3"])
        #expect(follower.take(order(from: ":1.8", values)).isEmpty)
        #expect(follower.take(order([.string("mpd"), .string("pause")])).isEmpty)
        var other = following()
        #expect(other.take(order(values)).isEmpty)
    }

    @Test func absentDaemonIsReportedOnce() {
        var follower = Follower()
        let steps = follower.take(Telegram.failure("NameHasNoOwner"), to: .owner)
        #expect(names(steps) == ["unavailable: tacetd is not running"])
        #expect(follower.take(Telegram.nameOwner("")).isEmpty && !follower.isAvailable)
        #expect(names(follower.take(Telegram.nameOwner(":1.9"))) == ["scene of :1.9?"])
    }

    @Test func daemonThatLeavesAndReturnsIsFollowedAgain() {
        var follower = following()
        #expect(names(follower.take(Telegram.nameOwner(""))) == ["unavailable: tacetd is not running"])
        #expect(follower.take(Telegram.event("late")).isEmpty)
        _ = follower.take(Telegram.nameOwner(":1.9"))
        // An answer from the previous owner is ignored.
        let late = follower.take(Telegram.answer(.variant(Telegram.scene())), to: .scene(of: Telegram.owner))
        #expect(late.isEmpty)
        let steps = follower.take(Telegram.answer(.variant(Telegram.scene())), to: .scene(of: ":1.9"))
        #expect(names(steps) == ["available active"])
        // If a new owner takes over at once, the loss of the previous one is also reported.
        let takeover = follower.take(Telegram.nameOwner(":1.12"))
        #expect(names(takeover) == ["unavailable: tacetd is not running", "scene of :1.12?"])
    }

    @Test func lostBusIsReportedWithItsReason() {
        var follower = following()
        #expect(names(follower.disconnected("it is gone")) == ["unavailable: it is gone"])
        #expect(follower.disconnected("there is none").isEmpty)
        #expect(
            names(follower.take(Telegram.failure("NameHasNoOwner"), to: .owner)) == [
                "unavailable: tacetd is not running"
            ])
    }

    @Test func signalsFromOtherSendersAreIgnored() {
        var follower = following()
        #expect(follower.take(Telegram.event("assert phone-call", from: ":1.66")).isEmpty)
        #expect(follower.take(Telegram.nameOwner("", from: ":1.66")).isEmpty)
        #expect(follower.isAvailable)
    }

    @Test func emptyStateDuringAReloadWaitsForTheNextEvent() {
        var follower = Follower()
        _ = follower.take(Telegram.nameOwner(Telegram.owner))
        let empty = Telegram.answer(.variant(.dictionary([:])))
        #expect(follower.take(empty, to: .scene(of: Telegram.owner)).isEmpty)
        #expect(names(follower.take(Telegram.event("boot"))) == ["available active", "boot"])
    }

    @Test func busyDaemonIsAvailableFromItsNextEvent() {
        var follower = Follower()
        _ = follower.take(Telegram.nameOwner(Telegram.owner))
        #expect(follower.take(Telegram.failure("NoReply"), to: .scene(of: Telegram.owner)).isEmpty)
        #expect(names(follower.take(Telegram.event("command pause"))) == ["available active", "command pause"])
    }

    /// On an idle board, the next event may be hours away.
    @Test func missingStateIsQueriedAgain() throws {
        var follower = Follower()
        #expect(!follower.lacksState && follower.queryAgain().isEmpty)
        _ = follower.take(Telegram.nameOwner(Telegram.owner))
        #expect(!follower.lacksState)
        for _ in 0..<2 {
            _ = follower.take(Telegram.failure("LimitsExceeded"), to: .scene(of: Telegram.owner))
            #expect(follower.lacksState)
            #expect(follower.queryAgain() == [.call(.scene(of: Telegram.owner))] && !follower.lacksState)
        }
        let scene = Telegram.answer(.variant(Telegram.scene()))
        #expect(names(follower.take(scene, to: .scene(of: Telegram.owner))) == ["available active"])
        #expect(!follower.lacksState && follower.queryAgain().isEmpty)
    }

    @Test func anotherVersionIsReported() {
        var follower = Follower()
        _ = follower.take(Telegram.nameOwner(Telegram.owner))
        let steps = follower.take(Telegram.failure("UnknownProperty"), to: .scene(of: Telegram.owner))
        #expect(names(steps) == ["unavailable: the service on the bus is not this version of Tacet"])
    }

    @Test(arguments: [
        BusValue.dictionary(["intent": .string("playing")]), .strings(["intent"]),
        Telegram.scene("singing"), Telegram.scene(gain: 3),
    ])
    func malformedEventIsIgnored(scene: BusValue) {
        var follower = following()
        #expect(follower.take(Telegram.event("x", scene)).isEmpty)
        var short = Telegram.event("x")
        short = .init(
            sender: short.sender, path: short.path, interface: short.interface, member: short.member,
            values: Array(short.values.dropLast()))
        #expect(follower.take(short).isEmpty)
    }
}

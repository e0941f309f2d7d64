import AudioSession
import Configuration
import Foundation
import Testing

@testable import Appliance
@testable import Playback
@testable import Supervisor

/// What a technician reads.
@Suite struct JournalistTests {
    private let phone = SignalID("phone-call")
    private let alarm = SignalID("alarm")
    private var configuration: Configuration {
        var configuration = Configuration.builtIn
        configuration.wiring = [phone: Wiring(line: .named("PHONE_CALL", chip: nil))]
        return configuration
    }

    /// A session after these events, and the entries of the last one.
    private func entries(
        _ happenings: [Happening], journalist: inout Journalist
    ) throws -> [JournalEntry] {
        var session = AudioSession(policy: configuration.session)
        session.handle(.boot(Boot(saved: nil, trackCount: 2)), at: .zero)
        var entries: [JournalEntry] = []
        for (number, happening) in happenings.enumerated() {
            let before = SignalsInForce(session)
            var report = Report(time: .seconds(number + 1), happening: happening)
            let event: Event? =
                switch happening {
                case .edge(let edge): .edge(edge)
                case .command(let command): .command(command)
                case .fault(let fault): .fault(fault)
                case .deviceLost: .mediaServicesLost
                case .deviceReset: .mediaServicesReset
                default: nil
                }
            for action in event.map({ session.handle($0, at: report.time) }) ?? [] {
                switch action {
                case .post(let notification): report.notifications.append(notification)
                case .log(let remark): report.remarks.append(remark)
                case .answer(let answer): report.answer = answer
                default: break
                }
            }
            report.over = before.subtracting(SignalsInForce(session))
            let scene = Scene(
                session: session, configuration: configuration, track: "/srv/music/One.flac", position: .seconds(151))
            entries = journalist.entries(for: report, in: scene)
        }
        return entries
    }

    private func entry(_ happenings: [Happening], _ journalist: inout Journalist) throws -> JournalEntry {
        let first = try entries(happenings, journalist: &journalist).first
        return try #require(first)
    }

    @Test func anInterruptionNamesItsWireAndThePlace() throws {
        var journalist = Journalist()
        let entry = try entry([.edge(Edge(phone, asserted: true))], &journalist)
        #expect(entry.event == .interruptionBegan)
        #expect(entry.message == "Interrupted by phone-call (PHONE_CALL); would go on with ‘One.flac’ at 2:31.")
        #expect(entry[.signal] == ["phone-call"] && entry[.effect] == ["pause"] && entry[.reason] == ["default"])
        #expect(entry[.track] == ["/srv/music/One.flac"] && entry[.position] == ["151000000"])
    }

    @Test func itsEndSaysWhatFollows() throws {
        let call = [Happening.edge(Edge(phone, asserted: true)), .edge(Edge(phone, asserted: false))]
        var journalist = Journalist()
        let resumed = try entry(call, &journalist)
        #expect(resumed.event == .interruptionEnded && resumed[.shouldResume] == ["yes"])
        #expect(resumed.message == "The interruption is over: plays ‘One.flac’ at 2:31.")
        let paused = try entry([call[0], .command(.pause), call[1]], &journalist)
        #expect(paused.message == "The interruption is over: stays paused, at ‘One.flac’ at 2:31.")
    }

    /// It may turn out to be a file that cannot be played.
    @Test func aTrackThatIsStillLookedForIsSelectedAndNotYetPlaying() throws {
        var session = AudioSession(policy: configuration.session)
        session.handle(.boot(Boot(saved: nil, trackCount: 2)), at: .zero)
        var scene = Scene(session: session, configuration: configuration, track: "/music/bad.flac", position: .zero)
        scene.isSearching = true
        var report = Report(time: .zero, happening: .command(.next))
        report.answer = .success
        var journalist = Journalist()
        let entries = journalist.entries(for: report, in: scene)
        #expect(entries.map(\.message) == ["next: success; selects ‘bad.flac’ at 0:00."])
    }

    @Test func unreadableFoldersAreNamedUpToAFew() {
        let folders = (1...7).map {
            LibraryError.system(EACCES, operation: "read folder", path: "/music/\($0)")
        }
        let one = Journalist().foldersUnreadable([folders[0]])
        #expect(one.event == .foldersUnreadable && one.priority == .warning)
        #expect(one.message.contains("cannot read folder \"/music/1\": Permission denied"))
        let seven = Journalist().foldersUnreadable(folders)
        #expect(seven.message.contains("/music/5") && !seven.message.contains("/music/6"))
        #expect(seven.message.hasSuffix("and 2 more"))
    }

    /// Whoever asks for the history of a signal finds its end, too.
    @Test func anEndNamesItsSignals() throws {
        let call = [Happening.edge(Edge(phone, asserted: true)), .fault(Fault(phone, .stuck))]
        var journalist = Journalist()
        let released = try entry([call[0], .edge(Edge(phone, asserted: false))], &journalist)
        #expect(released[.signal] == ["phone-call"])
        // A user's play drops what is stuck: all of it, and nothing else.
        let cover = [Happening.edge(Edge("cover-closed", asserted: true)), .fault(Fault("cover-closed", .stuck))]
        let dropped = try entries(
            call + cover + [.edge(Edge(alarm, asserted: true)), .command(.play)], journalist: &journalist)
        #expect(dropped.map(\.event) == [.command, .interruptionEnded])
        #expect(dropped.last?[.signal] == ["phone-call", "cover-closed"])
    }

    /// In an interruption that goes on, too.
    @Test func whatEndsByACommandIsInTheHistoryOfItsSignal() throws {
        var journalist = Journalist()
        let told = try entries(
            [
                .edge(Edge(phone, asserted: true)), .fault(Fault(phone, .stuck)),
                .edge(Edge("cover-closed", asserted: true)), .command(.play),
            ], journalist: &journalist)
        #expect(told.map(\.event) == [.command, .signal] && told.last?[.signal] == ["phone-call"])
    }

    @Test func aDuckThatACommandEndsNamesItsSignalsAndNoOthers() throws {
        var journalist = Journalist()
        let told = try entries(
            [
                .edge(Edge(phone, asserted: true)), .edge(Edge(alarm, asserted: true)), .fault(Fault(alarm, .stuck)),
                .command(.play),
            ], journalist: &journalist)
        #expect(told.map(\.event) == [.command, .duckEnded] && told.last?[.signal] == ["alarm"])
    }

    /// From the kernel's edge, not from when it had settled.
    @Test func latencyIsMeasuredFromTheEdge() throws {
        var journalist = Journalist()
        journalist.turned(phone, toAssert: true, at: .milliseconds(970), debounce: .milliseconds(30))
        _ = try entries([.edge(Edge(phone, asserted: true))], journalist: &journalist)
        let effect = CommandEffect(given: .seconds(1), heard: .milliseconds(1012), frame: 4711)
        let entry = try entry([.noticed(.effect(effect))], &journalist)
        #expect(entry.event == .interruptionHeard)
        #expect(entry[.latency] == ["42000"] && entry[.signal] == ["phone-call"])
        #expect(entry.message == "phone-call (PHONE_CALL) was heard 42 ms after its edge.")
        let again = try entries([.noticed(.effect(effect))], journalist: &journalist)
        #expect(again.isEmpty)
    }

    /// Two begin at once: what is heard is that of the one that changed something.
    @Test func latencyIsThatOfTheSignalThatIsHeard() throws {
        var journalist = Journalist()
        journalist.turned(phone, toAssert: true, at: .milliseconds(970), debounce: .zero)
        journalist.turned(alarm, toAssert: true, at: .milliseconds(980), debounce: .zero)
        _ = try entries(
            [.edge(Edge(phone, asserted: true)), .edge(Edge(alarm, asserted: true))], journalist: &journalist)
        let effect = CommandEffect(given: .seconds(1), heard: .milliseconds(1012), frame: 4711)
        let entry = try entry([.noticed(.effect(effect))], &journalist)
        #expect(entry[.latency] == ["42000"] && entry[.signal] == ["phone-call"])
    }

    /// It has risen again before its end was handled: that is the next begin's edge.
    @Test func anEndDoesNotForgetALaterRise() throws {
        var journalist = Journalist()
        for (asserts, time) in [(true, 900), (false, 950), (true, 970)] {
            journalist.turned(phone, toAssert: asserts, at: .milliseconds(time), debounce: .zero)
        }
        _ = try entries(
            [
                .edge(Edge(phone, asserted: true)), .edge(Edge(phone, asserted: false)),
                .edge(Edge(phone, asserted: true)),
            ], journalist: &journalist)
        let effect = CommandEffect(given: .seconds(3), heard: .milliseconds(1012), frame: 4711)
        #expect(try entry([.noticed(.effect(effect))], &journalist)[.latency] == ["42000"])
    }

    /// A line that chatters interrupts, too.
    @Test func chatterHasALatency() throws {
        var journalist = Journalist()
        journalist.turned(phone, toAssert: true, at: .milliseconds(970), debounce: .zero)
        _ = try entries([.fault(Fault(phone, .chatter))], journalist: &journalist)
        let effect = CommandEffect(given: .seconds(1), heard: .milliseconds(1012), frame: 4711)
        #expect(try entry([.noticed(.effect(effect))], &journalist)[.latency] == ["42000"])
    }

    /// A contact that bounces rose when it first did; what came long before is another matter.
    @Test func aBouncingContactRoseWithItsFirstEdge() throws {
        var journalist = Journalist()
        for (time, level) in [(100, true), (101, false), (960, true), (965, false), (970, true)] {
            journalist.turned(
                phone, toAssert: level, at: .milliseconds(time), debounce: .milliseconds(30))
        }
        _ = try entries([.edge(Edge(phone, asserted: true))], journalist: &journalist)
        let effect = CommandEffect(given: .seconds(1), heard: .milliseconds(1012), frame: 4711)
        #expect(try entry([.noticed(.effect(effect))], &journalist)[.latency] == ["52000"])
    }

    @Test func aLooseWireDoesNotFillTheJournal() throws {
        var journalist = Journalist()
        let fault = Happening.fault(Fault(phone, .lost))
        var messages: [String] = []
        for _ in 0..<100 { messages += try entries([fault], journalist: &journalist).map(\.message) }
        #expect(messages.count == 6)
        #expect(messages.last?.hasSuffix("(From now on this is told once an hour at most.)") == true)
        // Another wire has its own say.
        #expect(try entries([.fault(Fault(alarm, .lost))], journalist: &journalist).count == 1)
        // And so has each button.
        for name in ["play", "stop"] {
            let entry = JournalEntry(.fault, "lost").with(.button, name)
            let told = (0..<9).compactMap { _ in journalist.limit(entry, at: .seconds(101)) }
            #expect(told.count == 6)
        }
    }

    @Test func aSecondCallOfAnEpisodeIsInTheHistoryOfItsSignal() throws {
        var journalist = Journalist()
        let both = [Happening.edge(Edge(phone, asserted: true)), .edge(Edge("cover-closed", asserted: true))]
        let entry = try entry(both, &journalist)
        #expect(entry.event == .signal && entry[.signal] == ["cover-closed"])
    }

    @Test func duckingHasItsLevel() throws {
        var journalist = Journalist()
        let entry = try entry([.edge(Edge(alarm, asserted: true))], &journalist)
        #expect(entry.event == .duckBegan && entry[.level] == ["-14"] && entry[.effect] == ["duck"])
    }

    @Test func underrunsAreToldOnceAnHour() throws {
        var journalist = Journalist()
        let gap = Happening.noticed(.underrun(queue: .milliseconds(22)))
        let first = try entries([gap], journalist: &journalist)
        #expect(first.first?.event == .underrun)
        let second = try entries([gap], journalist: &journalist)
        #expect(second.isEmpty)
        let scene = Scene(
            session: AudioSession(policy: configuration.session), configuration: configuration, track: nil,
            position: nil)
        let later = journalist.entries(for: Report(time: .seconds(4000), happening: gap), in: scene)
        #expect(later.first?.message.contains("(2 since") == true)
    }

    @Test func volumeAndSeekAreNobodysBusiness() throws {
        var journalist = Journalist()
        let turned = try entries([.command(.volume(.mute))], journalist: &journalist)
        #expect(turned.isEmpty)
        let pause = try entry([.command(.pause)], &journalist)
        #expect(pause[.command] == ["pause"] && pause[.answer] == ["success"])
    }

    @Test func theDeviceLossHasALSAsWords() throws {
        var journalist = Journalist()
        let reset = try entry([.deviceLost, .deviceReset], &journalist)
        #expect(reset.event == .mediaServicesReset && reset.message.contains("plays ‘One.flac’"))
    }

    @Test func aFaultIsToldBesideWhatItLeadsTo() throws {
        var journalist = Journalist()
        let chatter = try entries([.fault(Fault(phone, .chatter))], journalist: &journalist)
        #expect(chatter.map(\.event) == [.fault, .interruptionBegan])
        #expect(chatter.first?[.fault] == ["chatter"])
    }

    @Test func everyMessageIDIsThereOnce() {
        let ids = JournalEvent.allCases.map(\.messageID)
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { $0.count == 32 && UInt64($0.prefix(16), radix: 16) != nil })
    }
}

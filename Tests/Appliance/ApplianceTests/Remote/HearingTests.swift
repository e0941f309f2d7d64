import AudioSession
import Testing

@testable import Appliance
@testable import Supervisor

/// Since when it sounds as it does.
@Suite struct HearingTests {
    @Test func theSoundChangesWithTheVolumeAndTheStorageToo() {
        var session = Session(policy: Policy(signals: []))
        var hearing = Hearing()
        func since(_ happening: Happening, _ event: Event?, at second: Int) -> Duration? {
            if let event { session.handle(event, at: .seconds(second)) }
            hearing.note(Report(time: .seconds(second), happening: happening), session)
            return hearing.since
        }
        #expect(since(.boot, .boot(Boot(saved: nil, trackCount: 1)), at: 1) == .seconds(1))
        #expect(since(.command(.seek(to: .zero)), nil, at: 2) == .seconds(1))
        #expect(since(.command(.volume(.mute)), .command(.volume(.mute)), at: 3) == .seconds(3))
        #expect(since(.command(.volume(.full)), .command(.volume(.full)), at: 4) == .seconds(4))
        #expect(since(.noticed(.storageStarved), nil, at: 5) == .seconds(5) && hearing.stall == .storage)
        #expect(since(.noticed(.storageRecovered), nil, at: 6) == .seconds(6) && hearing.stall == nil)
        #expect(since(.command(.pause), .command(.pause), at: 7) == .seconds(7))
        #expect(hearing.isQuiet)
    }

    private func booted(_ hearing: inout Hearing, at second: Int) -> Session {
        var session = Session(policy: Policy(signals: []))
        session.handle(.boot(Boot(saved: nil, trackCount: 1)), at: .seconds(second))
        hearing.note(Report(time: .seconds(second), happening: .boot), session)
        return session
    }

    /// A thread that hangs reports nothing: its frames tell.
    @Test func framesThatDoNotAdvanceAreSilence() {
        var hearing = Hearing()
        var session = booted(&hearing, at: 0)
        func look(_ isAdvancing: Bool, isLoading: Bool = false, at second: Int) -> Bool {
            hearing.look(isAdvancing: isAdvancing, isLoading: isLoading, session, at: .seconds(second))
        }
        // A device may take its time to open.
        #expect(!look(false, at: 1) && !look(false, at: 2) && hearing.stall == nil)
        #expect(!look(true, at: 3) && !look(true, at: 10))
        #expect(!look(false, at: 11) && look(false, at: 13))
        // Since the frames stood still, and not since that was noticed.
        #expect(hearing.stall == .device && hearing.isQuiet && hearing.since == .seconds(10))
        #expect(look(false, isLoading: true, at: 14) && hearing.stall == .storage)
        #expect(look(true, at: 15) && hearing.stall == nil && !hearing.isQuiet)
        #expect(!look(false, at: 16) && look(false, at: 18))
        // What is not to play need not advance.
        session.handle(.command(.pause), at: .seconds(19))
        hearing.note(Report(time: .seconds(19), happening: .command(.pause)), session)
        #expect(hearing.stall == nil && hearing.since == .seconds(19))
        #expect(!look(false, at: 30) && hearing.stall == nil)
    }

    /// A restart of the service is no reason to be quiet.
    @Test func silenceGoesOnAcrossAStart() {
        var hearing = Hearing()
        var session = booted(&hearing, at: 100)
        hearing.wasQuiet(since: .seconds(40))
        #expect(hearing.since == .seconds(100))
        session.handle(.command(.pause), at: .seconds(100))
        hearing.note(Report(time: .seconds(100), happening: .boot), session)
        hearing.wasQuiet(since: .seconds(40))
        #expect(hearing.since == .seconds(40))
    }
}

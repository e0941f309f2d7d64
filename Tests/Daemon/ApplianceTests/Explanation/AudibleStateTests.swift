import AudioSession
import Testing

@testable import Appliance
@testable import Supervisor

/// The time at which the current sound or silence began.
@Suite struct AudibleStateTests {
    @Test func volumeAndStorageChangeAudibility() {
        var session = Session(policy: Policy(signals: []))
        var audible = AudibleState()
        func since(_ cause: Cause, at second: Int) -> Duration? {
            if let event = cause.event { session.handle(event, at: .seconds(second)) }
            audible.note(Report(time: .seconds(second), cause: cause), session)
            return audible.since
        }
        #expect(since(.event(.boot(Boot(saved: nil, trackCount: 1))), at: 1) == .seconds(1))
        #expect(since(.event(.command(.seek(to: .zero))), at: 2) == .seconds(1))
        #expect(since(.event(.command(.volume(.mute))), at: 3) == .seconds(3))
        #expect(since(.event(.command(.volume(.full))), at: 4) == .seconds(4))
        #expect(since(.note(.playback(.storageStarved)), at: 5) == .seconds(5) && audible.stall == .storage)
        #expect(since(.note(.playback(.storageRecovered)), at: 6) == .seconds(6) && audible.stall == nil)
        #expect(since(.event(.command(.pause)), at: 7) == .seconds(7))
        #expect(audible.isQuiet)
    }

    private func booted(_ audible: inout AudibleState, at second: Int) -> Session {
        var session = Session(policy: Policy(signals: []))
        let boot = Event.boot(Boot(saved: nil, trackCount: 1))
        session.handle(boot, at: .seconds(second))
        audible.note(Report(time: .seconds(second), cause: .event(boot)), session)
        return session
    }

    /// A hung thread does not report anything, so stalled frames reveal it.
    @Test func stalledFramesCountAsSilence() {
        var audible = AudibleState()
        var session = booted(&audible, at: 0)
        func look(_ isAdvancing: Bool, isLoading: Bool = false, at second: Int) -> Bool {
            audible.look(
                advancesUntil: isAdvancing ? .seconds(second + 1) : .zero, isLoading: isLoading, session,
                at: .seconds(second))
        }
        // A device may take long to open.
        #expect(!look(false, at: 1) && !look(false, at: 2) && audible.stall == nil)
        #expect(!look(true, at: 3) && !look(true, at: 10))
        #expect(!look(false, at: 11) && look(false, at: 13))
        // The silence begins when the frames stalled, not when this was noticed.
        #expect(audible.stall == .device && audible.isQuiet && audible.since == .seconds(10))
        #expect(look(false, isLoading: true, at: 14) && audible.stall == .storage)
        #expect(look(true, at: 15) && audible.stall == nil && !audible.isQuiet)
        #expect(!look(false, at: 16) && look(false, at: 18))
        // Frames need not advance while nothing should play.
        session.handle(.command(.pause), at: .seconds(19))
        audible.note(Report(time: .seconds(19), cause: .event(.command(.pause))), session)
        #expect(audible.stall == nil && audible.since == .seconds(19))
        #expect(!look(false, at: 30) && audible.stall == nil)
    }

    /// A restart of the service is not a reason for silence.
    @Test func silenceContinuesAcrossARestart() {
        var audible = AudibleState()
        var session = booted(&audible, at: 100)
        audible.wasQuiet(since: .seconds(40))
        #expect(audible.since == .seconds(100))
        session.handle(.command(.pause), at: .seconds(100))
        audible.note(Report(time: .seconds(100), cause: .event(.boot(Boot(saved: nil, trackCount: 1)))), session)
        audible.wasQuiet(since: .seconds(40))
        #expect(audible.since == .seconds(40))
    }
}

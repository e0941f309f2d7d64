import AudioSession
import Testing

@testable import Appliance
@testable import Supervisor

/// The time since which the sound has been as it is.
@Suite struct AudibilityTests {
    @Test func volumeAndStorageChangeAudibility() {
        var session = Session(policy: Policy(signals: []))
        var audibility = Audibility()
        func since(_ cause: Cause, at second: Int) -> Duration? {
            if let event = cause.event { session.handle(event, at: .seconds(second)) }
            audibility.note(Report(time: .seconds(second), cause: cause), session)
            return audibility.since
        }
        #expect(since(.event(.boot(Boot(saved: nil, trackCount: 1))), at: 1) == .seconds(1))
        #expect(since(.event(.command(.seek(to: .zero))), at: 2) == .seconds(1))
        #expect(since(.event(.command(.volume(.mute))), at: 3) == .seconds(3))
        #expect(since(.event(.command(.volume(.full))), at: 4) == .seconds(4))
        #expect(since(.note(.playback(.storageStarved)), at: 5) == .seconds(5) && audibility.stall == .storage)
        #expect(since(.note(.playback(.storageRecovered)), at: 6) == .seconds(6) && audibility.stall == nil)
        #expect(since(.event(.command(.pause)), at: 7) == .seconds(7))
        #expect(audibility.isQuiet)
    }

    private func booted(_ audibility: inout Audibility, at second: Int) -> Session {
        var session = Session(policy: Policy(signals: []))
        let boot = Event.boot(Boot(saved: nil, trackCount: 1))
        session.handle(boot, at: .seconds(second))
        audibility.note(Report(time: .seconds(second), cause: .event(boot)), session)
        return session
    }

    /// A hung thread does not report anything, so stalled frames reveal it.
    @Test func stalledFramesCountAsSilence() {
        var audibility = Audibility()
        var session = booted(&audibility, at: 0)
        func look(_ isAdvancing: Bool, isLoading: Bool = false, at second: Int) -> Bool {
            audibility.look(isAdvancing: isAdvancing, isLoading: isLoading, session, at: .seconds(second))
        }
        // A device may take long to open.
        #expect(!look(false, at: 1) && !look(false, at: 2) && audibility.stall == nil)
        #expect(!look(true, at: 3) && !look(true, at: 10))
        #expect(!look(false, at: 11) && look(false, at: 13))
        // The silence begins when the frames stalled, not when this was noticed.
        #expect(audibility.stall == .device && audibility.isQuiet && audibility.since == .seconds(10))
        #expect(look(false, isLoading: true, at: 14) && audibility.stall == .storage)
        #expect(look(true, at: 15) && audibility.stall == nil && !audibility.isQuiet)
        #expect(!look(false, at: 16) && look(false, at: 18))
        // Frames need not advance while nothing should play.
        session.handle(.command(.pause), at: .seconds(19))
        audibility.note(Report(time: .seconds(19), cause: .event(.command(.pause))), session)
        #expect(audibility.stall == nil && audibility.since == .seconds(19))
        #expect(!look(false, at: 30) && audibility.stall == nil)
    }

    /// A restart of the service is not a reason for silence.
    @Test func silenceContinuesAcrossARestart() {
        var audibility = Audibility()
        var session = booted(&audibility, at: 100)
        audibility.wasQuiet(since: .seconds(40))
        #expect(audibility.since == .seconds(100))
        session.handle(.command(.pause), at: .seconds(100))
        audibility.note(Report(time: .seconds(100), cause: .event(.boot(Boot(saved: nil, trackCount: 1)))), session)
        audibility.wasQuiet(since: .seconds(40))
        #expect(audibility.since == .seconds(40))
    }
}

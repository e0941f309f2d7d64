import AudioSession
import Testing

@testable import Appliance
@testable import Supervisor

/// Since when it sounds as it does.
@Suite struct HearingTests {
    @Test func theSoundChangesWithTheVolumeAndTheStorageToo() {
        var session = AudioSession(policy: Policy(signals: []))
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
        #expect(since(.noticed(.storageStarved), nil, at: 5) == .seconds(5) && hearing.isStarved)
        #expect(since(.noticed(.storageRecovered), nil, at: 6) == .seconds(6) && !hearing.isStarved)
        #expect(since(.command(.pause), .command(.pause), at: 7) == .seconds(7))
    }
}

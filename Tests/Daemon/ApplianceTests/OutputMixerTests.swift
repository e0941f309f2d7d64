import ALSA
import Glibc
import Synchronization
import Systemd
import Testing

@testable import Appliance

@Suite struct OutputMixerTests {
    private let card = FakeJacks()
    private let loop: EventLoop

    init() throws { loop = try EventLoop() }

    private static let mute = DeviceAudibility.muted(.mixer(card: 2, control: "Master"))

    /// A mixer that can be muted and that counts how often it is read.
    private final class FakeMixer: Sendable {
        private let state = Mutex((isMuted: false, reads: 0))

        var reads: Int { state.withLock { $0.reads } }
        func mute(_ isMuted: Bool) { state.withLock { $0.isMuted = isMuted } }

        func read(_ card: Int) -> DeviceAudibility {
            state.withLock { state in
                state.reads += 1
                return state.isMuted ? OutputMixerTests.mute : .audible
            }
        }
    }

    @Test func mixerIsReadWhenTheCardIsOpenedAndAfterEachChange() throws {
        let fake = FakeMixer()
        let mixer = try OutputMixer(card, read: { fake.read($0) }, in: loop)
        var changes: [DeviceAudibility] = []
        mixer.onChange = { changes.append($0) }
        fake.mute(true)
        mixer.follow(card: 2)
        try loop.turn(until: changes == [Self.mute], or: "the mute")
        fake.mute(false)
        card.plug(false)
        try loop.turn(until: changes == [Self.mute, .audible], or: "the end of the mute")
        // The same card may have been reset while it was closed.
        mixer.follow(card: 2)
        try loop.turn(until: changes.count == 3, or: "another reading")
    }

    @Test func mixerOfAClosedDeviceIsNotReported() throws {
        let fake = FakeMixer()
        let mixer = try OutputMixer(card, read: { fake.read($0) }, in: loop)
        var changes: [DeviceAudibility] = []
        mixer.onChange = { changes.append($0) }
        fake.mute(true)
        mixer.follow(card: nil)
        mixer.follow(card: 2)
        mixer.follow(card: nil)
        // The loop is not turned meanwhile, so the outcome is handled afterwards.
        while fake.reads == 0 { sched_yield() }
        try loop.turn(within: .seconds(5))
        #expect(changes.isEmpty)
        mixer.follow(card: 2)
        try loop.turn(until: changes == [Self.mute], or: "the mute")
    }

    @Test func removedCardIsForgotten() throws {
        let fake = FakeMixer()
        let mixer = try OutputMixer(card, read: { fake.read($0) }, in: loop)
        var count = 0
        mixer.onChange = { _ in count += 1 }
        mixer.follow(card: 2)
        try loop.turn(until: count == 1, or: "the first reading")
        card.remove()
        try loop.turn(until: card.reads == 1, or: "the removal")
        // The descriptor stays readable, so a source that was kept would be called again and again.
        for _ in 0..<10 { try loop.turn(within: .zero) }
        #expect(card.reads == 1 && fake.reads == 1)
    }
}

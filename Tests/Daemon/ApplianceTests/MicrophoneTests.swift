import ALSA
import Dispatch
import Glibc
import Synchronization
import Testing

@testable import Appliance

/// Mixers that record the states to which they were set.
private final class Mixers: Sendable {
    let calls = Mutex<[String]>([])
    let answers = DispatchSemaphore(value: 0)
    let begun = DispatchSemaphore(value: 0)

    func turn(_ address: PCMAddress, _ isMuted: Bool) -> Microphone.Outcome {
        calls.withLock { $0.append("\(address.name) \(isMuted ? "muted" : "on")") }
        begun.signal()
        answers.wait()
        return .turned(isMuted: isMuted)
    }
}

@Suite struct MicrophoneTests {
    private func wait(for microphone: Microphone) -> Microphone.Outcome? {
        var entry = pollfd(fd: microphone.descriptor, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, -1)
        return microphone.takeOutcome()
    }

    @Test func blockedMixerIsSetOnlyToTheNewestState() {
        let mixers = Mixers()
        let microphone = Microphone(PCMAddress("default")) { mixers.turn($0, $1) }
        microphone.set(isMuted: true)
        mixers.begun.wait()
        for isMuted in [false, true, false] { microphone.set(isMuted: isMuted) }
        mixers.answers.signal()
        mixers.begun.wait()
        mixers.answers.signal()
        while wait(for: microphone) != .turned(isMuted: false) {}
        #expect(mixers.calls.withLock { $0 } == ["default muted", "default on"])
    }

    @Test func newCardGetsTheStateOfTheFormerOne() {
        let mixers = Mixers()
        for _ in 0..<4 { mixers.answers.signal() }
        let microphone = Microphone(PCMAddress("default")) { mixers.turn($0, $1) }
        // Nothing is set before the first request.
        microphone.use(card: 1)
        microphone.set(isMuted: true)
        #expect(wait(for: microphone) == .turned(isMuted: true))
        microphone.use(card: 2)
        #expect(wait(for: microphone) == .turned(isMuted: true))
        // If the device is not a card, the same mixer is set again.
        microphone.use(card: nil)
        #expect(wait(for: microphone) == .turned(isMuted: true))
        #expect(mixers.calls.withLock { $0 } == ["hw:1 muted", "hw:2 muted", "hw:2 muted"])
    }

    @Test func missingMixerIsReportedWithItsReason() throws {
        let microphone = Microphone(PCMAddress("hw:31"))
        microphone.set(isMuted: true)
        let trouble = try #require(wait(for: microphone)?.trouble)
        #expect(trouble.hasPrefix("The microphone cannot be muted or turned on: ") && trouble.contains("hw:31"))
    }
}

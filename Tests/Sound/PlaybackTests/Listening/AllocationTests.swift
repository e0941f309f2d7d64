import ALSA
import Foundation
import Saboteur
import SoundLab
import Testing

@testable import Playback

/// Allocations by the render thread, which must neither allocate nor free memory while a device is open.
@Suite(.serialized, .enabled(if: saboteur_counts() != 0, "a sanitizer has its own malloc")) struct AllocationTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Returns sounds that are loud enough for the limiter.
    private func sounds() throws -> [Sound] {
        let path = try folder.encode(sine(frames: 9600, frequency: 440), to: "sound.wav", .wav24)
        return [Sound(file: Track(path: path), gain: 1)]
    }

    /// Plays, fades, ducks, reverses fades, jumps and plays sounds, and counts the allocations of the render thread.
    private func exercise(_ lab: EngineLab) throws {
        try lab.play()
        let thread = try #require(Process.threads(named: "sound-render").first)
        saboteur_watch(thread)
        defer { saboteur_watch(0) }
        let engine = lab.engine
        for round in 0..<3 {
            engine.play(gain: 0.2, over: .milliseconds(50))
            _ = try lab.waitForEffect()
            engine.play(gain: 1, over: .milliseconds(50))
            _ = try lab.waitForEffect()
            engine.silence(over: .milliseconds(30))
            _ = try lab.waitForEffect()
            engine.play(gain: 1, over: .milliseconds(20))
            _ = try lab.waitForEffect()
            engine.silence(over: .milliseconds(10))
            try lab.wait(for: .faded)
            engine.load(track: 0, at: .seconds(3))
            try lab.wait(for: .loaded(track: 0))
            engine.play(gain: 1, over: .milliseconds(20), after: .milliseconds(60))
            _ = try lab.waitForEffect()
            for order in 1...3 {
                engine.playSound(0, order: 3 * round + order, isCue: true, repeats: order == 2, after: .zero)
                try lab.wait("sound") { if case .soundHeard = $0 { () } else { nil } }
                engine.setSoundLevel(0.5, over: .milliseconds(20))
            }
            engine.stopSound()
        }
        let turns = lab.engine.exchange.readStatus().signs.turns
        try lab.pass("some passes") { _ in lab.engine.exchange.readStatus().signs.turns > turns + 50 }
    }

    @Test func playingOnAPlainPCMAllocatesNothing() throws {
        let lab = try EngineLab(sounds: sounds()) {
            $0.address = PCMAddress("silent", definedBy: "pcm.silent { type null }")
        }
        try exercise(lab)
        #expect(saboteur_allocations() == 0)
    }

    @Test func onASoundServerOnlyLibasoundAllocates() throws {
        let lab = try EngineLab(sounds: sounds(), output: .plugIn)
        try exercise(lab)
        #expect(saboteur_own_allocations() == 0)
    }

    @Test func allocationCounterCountsAllocations() {
        saboteur_watch(saboteur_thread())
        defer { saboteur_watch(0) }
        let object = Burden()
        withExtendedLifetime(object) {}
        let (own, all) = (saboteur_own_allocations(), saboteur_allocations())
        #expect(own > 0 && all >= own)
    }

    /// An object that has to be allocated.
    private final class Burden {
        let numbers = [Int](repeating: Int(saboteur_thread()), count: 1000)
    }
}

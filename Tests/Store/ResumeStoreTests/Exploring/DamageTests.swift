import Glibc
import Testing

@testable import ResumeStore

/// Damage to every write of a session at every byte, and to every bit of both slots. Reading the file must yield the
/// old or the new state, and nothing else.
///
/// A thousand checkpoints take minutes (`make proof`). In an ordinary test run, every twenty-fifth is enough to find a
/// fault.
@Suite struct DamageTests {
    private static let step = getenv("TACET_PROOF") == nil ? 25 : 1

    /// Returns the states of a plausible session with tracks, calls and a user's commands.
    private static func session(_ count: Int) -> [[UInt8]] {
        var state = SavedStateTests.state
        return (0..<count).map { number in
            state.savedAt += .seconds(5)
            state.position = .milliseconds(5000 * (number % 37) + number)
            state.track = "/srv/music/\(number / 37) Sångerna.flac"
            state.intent = number % 11 < 9 ? "playing" : "paused"
            state.held = number % 7 < 3 ? Array(SavedStateTests.state.held.prefix(number % 7)) : []
            state.episode = state.held.isEmpty ? nil : SavedStateTests.state.episode
            return state.facts
        }
    }

    /// A check of files in which the state with this number has been written over an older one.
    private struct Judge {
        let old: [UInt8]
        let new: [UInt8]
        let sequence: Int
        var counts = Counts()

        mutating func read(_ file: UnsafeRawBufferPointer) {
            let slots = (0..<StateSlot.count).map {
                UnsafeRawBufferPointer(rebasing: file[$0 * StateSlot.size..<($0 + 1) * StateSlot.size])
            }
            let contents = slots.map(StateSlot.read)
            let newest = contents[0].sequence ?? 0 > contents[1].sequence ?? 0 ? 0 : 1
            guard case .whole(let sequence, let payload) = contents[newest] else {
                counts.other += 1
                return
            }
            let facts = slots[newest][payload]
            if sequence == self.sequence, facts.elementsEqual(new) {
                counts.new += 1
            } else if sequence == self.sequence - 1, facts.elementsEqual(old) {
                counts.old += 1
            } else {
                counts.other += 1
            }
        }
    }

    private struct Counts {
        var prefixes = 0, flips = 0, old = 0, new = 0, other = 0
    }

    @Test func damagedWritesYieldTheOldOrTheNewState() throws {
        let session = Self.session(1000)
        var file = [UInt8](repeating: 0, count: StateImage.longest)
        var counts = Counts()
        for (number, facts) in session.enumerated() {
            let record = try #require(StateSlot.record(facts, sequence: number + 1))
            let start = number % StateSlot.count * StateSlot.size
            guard number > 0, number % Self.step == 0 else {
                file.replaceSubrange(start..<start + record.count, with: record)
                continue
            }
            var judge = Judge(old: session[number - 1], new: facts, sequence: number + 1, counts: counts)
            file.withUnsafeMutableBytes { file in
                judge.read(UnsafeRawBufferPointer(file))
                for (index, byte) in record.enumerated() {
                    file[start + index] = byte
                    judge.read(UnsafeRawBufferPointer(file))
                }
                judge.counts.prefixes += record.count + 1
                for slot in 0..<StateSlot.count {
                    for index in slot * StateSlot.size..<slot * StateSlot.size + StateSlot.page {
                        for bit in 0..<8 {
                            file[index] ^= 1 << bit
                            judge.read(UnsafeRawBufferPointer(file))
                            file[index] ^= 1 << bit
                        }
                        judge.counts.flips += 8
                    }
                }
            }
            counts = judge.counts
        }
        print(
            "Damaged writes: \(counts.prefixes) prefixes and \(counts.flips) flipped bits yielded the old state"
                + " \(counts.old) times, the new one \(counts.new) times, anything else \(counts.other) times")
        #expect(counts.other == 0 && counts.old > 0 && counts.new > 0)
    }
}

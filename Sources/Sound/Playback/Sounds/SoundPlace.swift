import ALSA
import Threads

/// The position at which a sound was cut, so that a later order can continue there.
///
/// The owner passes the same place with every order of one request for a sound. An engine writes it when the sound
/// stops, and reads it when the sound is ordered again. The place outlives the engine.
// The conformance is unchecked because this class holds a pointer. This is safe because the value behind it is atomic.
public final class SoundPlace: @unchecked Sendable {
    private let cell: UnsafeMutablePointer<Int>

    /// Creates a place at the start of a sound.
    public init() {
        cell = .allocate(capacity: 1)
        cell.initialize(to: 0)
    }

    deinit {
        cell.deallocate()
    }

    /// The time since the first frame of the sound, of which the next frame has not been played. It grows beyond the
    /// length of a sound that repeats.
    public var position: Duration { .nanoseconds(mark.nanoseconds) }

    /// The place as the render thread sees it.
    var mark: SoundMark { SoundMark(address: Int(bitPattern: cell)) }
}

extension SoundPlace: Hashable {
    public static func == (one: SoundPlace, other: SoundPlace) -> Bool { one === other }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The place of a sound as the render thread sees it. It consists of a word, without references.
struct SoundMark: Sendable {
    /// The address of the position in nanoseconds, or 0 if the position is not kept.
    private let address: Int

    @_noLocks @_noAllocation
    init(address: Int = 0) {
        self.address = address
    }

    fileprivate var nanoseconds: Int {
        UnsafeMutablePointer<Int>(bitPattern: address).map { SharedCounter($0).value } ?? 0
    }

    /// The frame nearest to the position.
    func frame(atRate rate: Int) -> Int { Duration.nanoseconds(nanoseconds).frames(atRate: rate) }

    /// Writes the position of a frame, rounded to a nanosecond, from which `frame` returns the same frame.
    @_noLocks @_noAllocation
    func write(frame: Int, rate: Int) {
        guard let cell = UnsafeMutablePointer<Int>(bitPattern: address) else { return }
        SharedCounter(cell).value = frame / rate * 1_000_000_000 + (frame % rate * 1_000_000_000 + rate / 2) / rate
    }
}

import Synchronization
import Threads

/// The decoded audio of a station, which one thread fills and another one empties. It is thread-safe.
///
/// A thread that fills it waits while it is full, so that the network waits as well.
public final class JitterBuffer: Sendable {
    /// The format of the audio, which is that of the pipe.
    public static let rate = 48_000
    public static let channels = 2
    /// The frames for which there is room, which is 5 seconds.
    public static let capacity = 5 * rate

    private struct State {
        var samples = [Int16](repeating: 0, count: JitterBuffer.capacity * JitterBuffer.channels)
        /// The index of the oldest frame, and the number of frames.
        var first = 0
        var count = 0
        /// The number of frames that have ever been taken.
        var taken = 0
        /// The thread that may fill the buffer.
        var writer = 0
        /// The descriptions that apply from a frame on, the oldest first.
        var marks: [(frame: Int, description: StreamDescription)] = []
        var isWaiting = false
    }

    private let state = Mutex(State())
    private let room = WakeUp()

    /// The most descriptions that are kept.
    private static let mostMarks = 32

    public init() {}

    /// The time for which the buffer lasts.
    public var buffered: Duration { Self.time(of: state.withLock(\.count)) }

    static func time(of frames: Int) -> Duration { .nanoseconds(frames * 1_000_000_000 / rate) }

    // MARK: Filling

    /// Makes another thread the one that may fill the buffer.
    /// - Returns: its number.
    public func beginWriter() -> Int {
        defer { room.ring() }
        return state.withLock { state in
            state.writer += 1
            return state.writer
        }
    }

    /// Appends frames, and waits until there is room for all of them.
    /// - Parameter description: what plays from the first of these frames on, or nil if it has not changed.
    /// - Returns: false if another thread fills the buffer now.
    func append(_ samples: [Int16], _ description: StreamDescription?, by writer: Int) -> Bool {
        var position = 0
        var description = description
        while true {
            let isDone: Bool? = state.withLock { state in
                guard state.writer == writer else { return nil }
                if let new = description {
                    if state.marks.count == Self.mostMarks { state.marks.removeFirst() }
                    state.marks.append((state.taken + state.count, new))
                    description = nil
                }
                position += Self.copy(samples, from: position, &state)
                state.isWaiting = position < samples.count
                return !state.isWaiting
            }
            guard let isDone else { return false }
            if isDone { return true }
            room.wait(.milliseconds(500))
        }
    }

    /// - Returns: the number of samples for which there was room.
    private static func copy(_ samples: [Int16], from position: Int, _ state: inout State) -> Int {
        let frames = min((samples.count - position) / channels, capacity - state.count)
        for index in 0..<frames * channels {
            let place = (state.first + state.count) * channels + index
            state.samples[place % (capacity * channels)] = samples[position + index]
        }
        state.count += frames
        return frames * channels
    }

    // MARK: Emptying

    /// Removes frames.
    /// - Returns: the samples, which may be fewer, and the newest description that applies to them, or nil if it has not
    ///   changed.
    public func take(_ frames: Int) -> (samples: [Int16], description: StreamDescription?) {
        let (result, wasWaiting) = state.withLock { state in
            let frames = min(max(frames, 0), state.count)
            let start = state.first * Self.channels
            let samples = (0..<frames * Self.channels).map { state.samples[(start + $0) % state.samples.count] }
            state.first = (state.first + frames) % Self.capacity
            state.count -= frames
            state.taken += frames
            var description: StreamDescription?
            while let mark = state.marks.first, mark.frame < state.taken {
                description = mark.description
                state.marks.removeFirst()
            }
            defer { state.isWaiting = false }
            return ((samples, description), state.isWaiting && frames > 0)
        }
        if wasWaiting { room.ring() }
        return result
    }
}

/// What plays on a station. Each text may be empty.
public struct StreamDescription: Hashable, Sendable {
    public var title: String
    /// The artist, or the name of the station.
    public var artist: String

    public init(title: String = "", artist: String = "") {
        (self.title, self.artist) = (title, artist)
    }
}

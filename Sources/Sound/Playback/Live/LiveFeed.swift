import ALSA
import Time

/// Delivers audio to a `LiveInput`. It converts the audio to the device's format, starts each stream at the right time,
/// and follows the sender's clock. This type does not wait or read a clock itself. Use it from one thread at a time.
///
/// When a stream starts, its frames are kept until it has to be written, because only its first arrivals show in which
/// chunks the sender sends. The first frame is then played so late that the mean delay of all frames is the latency.
package final class LiveFeed {
    /// The frames of a stream that has not been written yet.
    private struct Beginning {
        /// The converted frames, interleaved.
        var samples: [Float] = []
        let firstArrival: Int
        var arrivals = ArrivalMean()
    }

    private enum Phase {
        case waiting
        case beginning(Beginning)
        case running
    }

    package let input: LiveInput
    package let format: LiveFormat
    private var phase = Phase.waiting
    private var buffer: LiveBuffer
    private var chain: LiveConversion?
    private var follower: ClockFollower
    /// The value of `LiveClock.starvations` when the stream began.
    private var starvations = 0
    /// The delay after the last arrival, including what the sender has sent but nobody has read.
    private var lastBacklog = 0
    private var isPaced = false
    package private(set) var statistics = LiveStatistics()

    /// The time before which a frame must be written to be played in time, in addition to the device's delay. A render
    /// thread takes a few periods at once after a stall.
    private static let lead = Duration.milliseconds(20)

    package init(_ input: LiveInput, format: LiveFormat) {
        self.input = input
        self.format = format
        buffer = input.buffer
        follower = ClockFollower(rate: buffer.format.rate, target: buffer.latency)
    }

    private var rate: Int { buffer.format.rate }

    /// The delay to keep, in frames. It is longer than the latency if the device's delay is.
    private func target(_ clock: LiveClock) -> Int {
        max(buffer.latency, clock.delay + 2 * Self.lead.frames(atRate: rate))
    }

    /// The time in frames until the newest frame is heard.
    package func delay(at now: Int) -> Int { delay(buffer.clock, at: now) }

    private func delay(_ clock: LiveClock, at now: Int) -> Int {
        let pending = Int(chain?.resampler.pending ?? 0)
        return switch phase {
        case .waiting: 0
        case .beginning(let beginning):
            beginning.samples.count / buffer.format.channels + pending
                + max(0, Duration.nanoseconds(playTime(of: beginning, clock) - now).frames(atRate: rate))
        case .running: max(0, buffer.writeIndex + pending - clock.heard(at: now, rate: rate))
        }
    }

    /// The number of frames of the input that may be accepted now. It is limited so that a sender that is faster than
    /// real time has to wait.
    package func room(at now: Int) -> Int {
        useNewBuffer()
        let clock = buffer.clock
        restartIfDry(clock, at: now)
        // A millisecond is kept free for the rounding of the conversion.
        let limit = min(buffer.room, target(clock) + LiveBuffer.margin.frames(atRate: rate)) - rate / 1000
        let frames = max(0, limit - delay(clock, at: now))
        return frames * format.stream.rate / rate
    }

    /// The time at which the feed has to be advanced, in nanoseconds, or nil if it need not be advanced.
    package var deadline: Int? {
        guard case .beginning(let beginning) = phase else { return nil }
        let clock = buffer.clock
        return playTime(of: beginning, clock) - nanoseconds(clock.delay + Self.lead.frames(atRate: rate))
    }

    /// Writes a stream that is about to be heard.
    package func advance(to now: Int) {
        useNewBuffer()
        guard case .beginning(let beginning) = phase, let deadline, now >= deadline else { return }
        begin(beginning, at: now)
    }

    /// Accepts frames.
    /// - Parameters:
    ///   - bytes: the frames in the input's format.
    ///   - frames: their number, which is at most the result of `room`.
    ///   - now: the time of their arrival in nanoseconds of CLOCK_MONOTONIC.
    ///   - backlog: the number of frames that have been sent but not been read yet.
    ///   - isPaced: true if the sender sends as fast as its frames are read.
    ///   - isContinuous: true if the frames have arrived one by one until now, as those of a device do.
    /// - Throws: `ResamplerError` if the frames cannot be converted.
    package func accept(
        _ bytes: UnsafeRawPointer, frames: Int, at now: Int, backlog: Int = 0, isPaced: Bool = false,
        isContinuous: Bool = false
    ) throws(ResamplerError) {
        useNewBuffer()
        let clock = buffer.clock
        restartIfDry(clock, at: now)
        let backlog = backlog * rate / format.stream.rate
        if case .waiting = phase {
            try prepare()
            if statistics.frames > 0, now - statistics.lastArrival < 1_000_000_000 { statistics.underruns += 1 }
            phase = .beginning(Beginning(firstArrival: now))
        }
        guard let chain else { return }
        statistics.frames += frames
        statistics.lastArrival = now
        self.isPaced = isPaced
        follower.target = target(clock)
        let before = delay(clock, at: now) + lastBacklog
        try chain.resampler.change(to: follower.speed, over: rate / 100)
        switch phase {
        case .waiting: break
        case .beginning(var beginning):
            phase = .waiting
            try chain.convert(bytes, frames: frames) { samples, count in
                beginning.samples.append(contentsOf: UnsafeBufferPointer(start: samples, count: count * chain.channels))
            }
            let age = isContinuous ? Duration(frames: frames, rate: format.stream.rate).wholeNanoseconds / 2 : 0
            beginning.arrivals.add(frames * rate / format.stream.rate, at: now - age)
            phase = .beginning(beginning)
            advance(to: now)
        case .running:
            let heard = clock.heard(at: now, rate: rate)
            try chain.convert(bytes, frames: frames) { samples, count in
                // There is room for all frames that `room` allows.
                _ = buffer.append(samples, count: count, heard: heard)
            }
            let after = delay(clock, at: now) + backlog
            // Frames that arrive one by one do not change the delay at once.
            follower.observe(before: isContinuous ? after : before, after: after, at: now, isPaced: isPaced)
        }
        input.meter.note(chain.takePeak(), at: now)
        lastBacklog = backlog
        statistics.speed = follower.speed
        statistics.discarded = clock.discarded
        statistics.delay = Duration(frames: max(0, Int(follower.delay ?? Double(follower.target))), rate: rate)
    }

    /// True if frames of a stream have been accepted that have not been heard yet.
    func isRunning(at now: Int) -> Bool {
        useNewBuffer()
        restartIfDry(buffer.clock, at: now)
        if case .waiting = phase { return false }
        return true
    }

    /// Ends the stream. The next frames begin another one, and what has not been heard of this one is discarded then.
    func endStream() {
        phase = .waiting
        statistics.lastArrival = 0
    }

    /// Changes to the buffer of another device.
    private func useNewBuffer() {
        let newest = input.buffer
        guard newest !== buffer else { return }
        buffer = newest
        follower = ClockFollower(rate: rate, target: buffer.latency)
        phase = .waiting
        lastBacklog = 0
    }

    /// Starts a new stream with the next frames if the last one has been heard completely.
    private func restartIfDry(_ clock: LiveClock, at now: Int) {
        guard case .running = phase else { return }
        let next = clock.heard(at: now, rate: rate) + clock.delay
        if clock.starvations != starvations || next >= buffer.writeIndex { phase = .waiting }
    }

    private func prepare() throws(ResamplerError) {
        // A new resampler does not contain the rest of an earlier stream.
        chain = try LiveConversion(from: format, to: buffer.format)
        follower.restart()
        lastBacklog = 0
    }

    /// The time at which the first frame of a stream is to be heard.
    private func playTime(of beginning: Beginning, _ clock: LiveClock) -> Int {
        let latency = nanoseconds(target(clock))
        // A sender that sends as fast as it can does not have a clock that a delay could be measured with.
        if isPaced { return beginning.firstArrival + latency }
        return beginning.arrivals.mean(rate: rate) + latency
    }

    private func begin(_ beginning: Beginning, at now: Int) {
        let clock = buffer.clock
        let heard = clock.heard(at: now, rate: rate)
        let soonest = heard + clock.delay + Self.lead.frames(atRate: rate)
        let wanted = clock.heard(at: playTime(of: beginning, clock), rate: rate)
        buffer.begin(at: max(soonest, wanted, buffer.writeIndex))
        starvations = clock.starvations
        let channels = buffer.format.channels
        beginning.samples.withUnsafeBufferPointer { samples in
            guard let start = samples.baseAddress else { return }
            let count = samples.count / channels
            let written = buffer.append(start, count: count, heard: heard)
            // There may not be room for all frames of a sender that has sent too much at once.
            statistics.discardedAtStart += count - written
        }
        phase = .running
    }

    private func nanoseconds(_ frames: Int) -> Int { Duration(frames: frames, rate: rate).wholeNanoseconds }
}

/// The state of a live input, for diagnosis.
public struct LiveStatistics: Sendable, Hashable {
    /// The number of frames that have arrived, at the input's own rate.
    public var frames = 0
    /// The time of the last arrival in nanoseconds of CLOCK_MONOTONIC.
    public var lastArrival = 0
    /// The number of times that a sender was too late, so that its audio was interrupted.
    public var underruns = 0
    /// The number of frames that passed unheard because something else was played, at the device's rate.
    public var discarded = 0
    /// The number of frames at the start of streams for which there was no room.
    public var discardedAtStart = 0
    /// The mean delay between the arrival of a frame and its playback.
    public var delay = Duration.zero
    /// The speed of playback, as a difference from 1. It compensates for the difference of the clocks.
    public var speed = 0.0

    public init() {}
}

/// The mean time at which the first frame of a stream would have arrived, if every frame were the first one.
struct ArrivalMean: Sendable {
    private var base = 0
    private var count = 0
    /// The sum of the arrival times of all frames, relative to the base, in nanoseconds.
    private var sum = 0.0

    mutating func add(_ frames: Int, at now: Int) {
        if count == 0 { base = now }
        sum += Double(frames) * Double(now - base)
        count += frames
    }

    /// The mean in nanoseconds.
    func mean(rate: Int) -> Int {
        guard count > 0 else { return base }
        let numbers = Double(count - 1) / 2 / Double(rate) * 1e9
        return base + Int(sum / Double(count) - numbers)
    }
}

/// Converts raw frames of an input to the device's format.
final class LiveConversion {
    let resampler: AdaptiveResampler
    /// The number of channels of the output.
    let channels: Int
    private let format: LiveFormat
    private let map: ChannelMap
    private let decoded: SampleBlock
    private let mapped: SampleBlock
    private let output: SampleBlock
    /// The greatest magnitude of the samples since the last `takePeak`.
    private var peak: Float = 0

    private static let blockFrames = 1024

    init(from format: LiveFormat, to stream: StreamFormat) throws(ResamplerError) {
        self.format = format
        channels = stream.channels
        resampler = try AdaptiveResampler(from: format.stream.rate, to: stream.rate, channels: stream.channels)
        map = ChannelMap(from: format.stream.channels, to: stream.channels)
        decoded = SampleBlock(capacity: Self.blockFrames * format.stream.channels)
        mapped = SampleBlock(capacity: Self.blockFrames * stream.channels)
        output = SampleBlock(capacity: Self.blockFrames * stream.channels)
    }

    /// Returns the greatest magnitude of the samples that were converted since the last call.
    func takePeak() -> Float {
        defer { peak = 0 }
        return peak
    }

    /// Converts frames, and passes the results on in blocks.
    func convert(
        _ bytes: UnsafeRawPointer, frames: Int, _ deliver: (UnsafePointer<Float>, Int) -> Void
    ) throws(ResamplerError) {
        var done = 0
        while done < frames {
            let count = min(frames - done, Self.blockFrames)
            format.samples.decode(
                bytes + done * format.bytesPerFrame, to: decoded.samples, count: count * format.stream.channels)
            for index in 0..<count * format.stream.channels { peak = max(peak, abs(decoded.samples[index])) }
            map.map(decoded.samples, into: mapped.samples, frames: count)
            try resample(count, deliver)
            done += count
        }
    }

    private func resample(_ count: Int, _ deliver: (UnsafePointer<Float>, Int) -> Void) throws(ResamplerError) {
        var position = 0
        while true {
            let progress = try resampler.process(
                mapped.samples + position * channels, frames: count - position, into: output.samples,
                frames: Self.blockFrames)
            position += progress.consumed
            if progress.produced > 0 { deliver(output.samples, progress.produced) }
            // Output that did not fit is returned by the next call.
            if position == count, progress.produced < Self.blockFrames { return }
            if progress.consumed == 0, progress.produced == 0 { return }
        }
    }
}

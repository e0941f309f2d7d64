import ALSA

/// A live input of an `OfflineEngine`.
public struct OfflineInput: Sendable {
    /// The file whose audio arrives, again and again, or nil for silence.
    public var file: Track?
    /// The delay between the arrival of audio and its playback.
    public var latency: Duration

    public init(file: Track? = nil, latency: Duration = .milliseconds(150)) {
        self.file = file
        self.latency = latency
    }
}

/// The live inputs of an `OfflineEngine`. Audio arrives on the virtual clock, which counts rendered frames.
final class OfflineInputs {
    /// What arrives at an input, in one format.
    private final class Arrival {
        let buffer: LiveBuffer
        let stream: SoundStream?

        init(_ buffer: LiveBuffer, _ stream: SoundStream?) {
            self.buffer = buffer
            self.stream = stream
        }
    }

    private let inputs: [OfflineInput]
    private var arrivals: [Arrival] = []
    private var isArriving: [Bool]
    /// The number of frames that have arrived at each input, at the current rate.
    private var arrived: [Int]
    private(set) var format: StreamFormat
    /// The virtual time, in frames at the current rate.
    private(set) var time = 0
    private var silence: [Float] = []

    init(_ inputs: [OfflineInput], format: StreamFormat) {
        self.inputs = inputs
        self.format = format
        isArriving = inputs.map { _ in false }
        arrived = inputs.map { _ in 0 }
        arrivals = inputs.indices.map(open)
    }

    var isEmpty: Bool { inputs.isEmpty }

    /// The virtual time in nanoseconds, for a `LiveClock`. It is rounded up, so that it becomes the same frame again.
    var nanoseconds: Int {
        let (seconds, rest) = time.quotientAndRemainder(dividingBy: format.rate)
        return seconds * 1_000_000_000 + (rest * 1_000_000_000 + format.rate - 1) / format.rate
    }

    func buffer(_ input: Int) -> LiveBuffer { arrivals[input].buffer }

    /// Starts or ends the arrival of audio.
    func set(_ input: Int, arrives: Bool) { isArriving[input] = arrives }

    /// Changes to another format. What has arrived but has not been heard is discarded.
    func use(_ format: StreamFormat) {
        guard format != self.format else { return }
        let factor = Double(format.rate) / Double(self.format.rate)
        arrived = arrived.map { Int((Double($0) * factor).rounded()) }
        time = Int((Double(time) * factor).rounded())
        self.format = format
        arrivals = inputs.indices.map(open)
    }

    /// Lets audio arrive for as long as the next frames take. It is written before these frames are rendered, which makes
    /// no difference because it is heard later. If the frames were not rendered, this can be called again.
    func deliver(during frames: Int) {
        for input in inputs.indices where isArriving[input] {
            let buffer = arrivals[input].buffer
            let play = time + buffer.latency
            if buffer.writeIndex < play {
                // If the last stream is still being heard, it is followed by silence.
                if buffer.writeIndex > time {
                    writeSilence(play - buffer.writeIndex, to: buffer)
                } else {
                    buffer.begin(at: play)
                }
            }
            deliver(play + frames - buffer.writeIndex, to: input)
        }
    }

    /// Advances the virtual time.
    func pass(_ frames: Int) { time += frames }

    private func open(_ input: Int) -> Arrival {
        let buffer = LiveBuffer(format: format, latency: inputs[input].latency, at: 0)
        guard let file = inputs[input].file else { return Arrival(buffer, nil) }
        let stream = SoundStream(file, format: format, repeats: true, fileSize: 0)
        do throws(DecoderError) { try stream.open(at: 0, after: arrived[input]) } catch { return Arrival(buffer, nil) }
        return Arrival(buffer, stream)
    }

    private func deliver(_ frames: Int, to input: Int) {
        let arrival = arrivals[input]
        var left = frames
        while left > 0 {
            let count: Int
            if let stream = arrival.stream {
                stream.fill()
                let ring = stream.rest.pointee.ring
                let segment = ring.readSegment(limit: left)
                if segment.frames == 0 { break }
                write(segment.start, segment.frames, to: arrival.buffer)
                ring.consume(segment.frames)
                count = segment.frames
            } else {
                count = left
                writeSilence(count, to: arrival.buffer)
            }
            arrived[input] += count
            left -= count
        }
    }

    private func writeSilence(_ frames: Int, to buffer: LiveBuffer) {
        if silence.count < frames * format.channels {
            silence = [Float](repeating: 0, count: frames * format.channels)
        }
        silence.withUnsafeBufferPointer { samples in
            if let start = samples.baseAddress { write(start, frames, to: buffer) }
        }
    }

    private func write(_ samples: UnsafePointer<Float>, _ frames: Int, to buffer: LiveBuffer) {
        _ = buffer.append(samples, count: frames, heard: time)
    }
}

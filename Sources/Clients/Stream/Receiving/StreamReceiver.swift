import Playback
import Synchronization
import Threads

/// Receives a station and decodes it into a buffer, on a separate thread. It tries once.
final class StreamReceiver: Sendable {
    private struct State {
        var hasDecoded = false
        var failure: String?
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let cancellation = Cancellation()
    private let buffer: JitterBuffer
    private let writer: Int
    private let bell: WakeUp

    /// Starts the thread.
    /// - Parameter bell: rings when `take` returns something new.
    init(_ address: String, _ options: HTTPOptions, into buffer: JitterBuffer, bell: WakeUp) {
        self.buffer = buffer
        self.bell = bell
        writer = buffer.beginWriter()
        let thread = NativeThread("tacet-stream-in") { [self] in run(address, options) }
        if thread == nil {
            state.withLock { $0 = State(failure: "the system cannot start another thread", hasEnded: true) }
            bell.ring()
        }
    }

    /// Ends the thread soon, and returns at once.
    func cancel() {
        cancellation.cancel()
        // The thread may wait for room in the buffer.
        _ = buffer.beginWriter()
    }

    /// True if the thread has ended.
    var hasEnded: Bool { state.withLock(\.hasEnded) }

    /// Returns what has happened since the last call.
    func take() -> (hasDecoded: Bool, failure: String?) {
        state.withLock { state in
            defer { (state.hasDecoded, state.failure) = (false, nil) }
            return (state.hasDecoded, state.failure)
        }
    }

    private func run(_ address: String, _ options: HTTPOptions) {
        do throws(StreamError) {
            try receive(address, options)
        } catch {
            state.withLock { $0.failure = error.description }
        }
        state.withLock { $0.hasEnded = true }
        bell.ring()
    }

    private func receive(_ address: String, _ options: HTTPOptions) throws(StreamError) {
        let source = try HTTPSource(address, options, cancellation)
        let kind = try source.open()
        let input = DecoderInput(source)
        let decoder = try decoder(for: kind, input, options)
        var format = PipeFormat()
        var description: StreamDescription? = StreamDescription(artist: source.stationName)
        while let audio = try decoder.next() {
            if cancellation.isCancelled { return }
            if audio.frames > 0 { input.noteAudio() }
            if let new = Self.description(audio, kind, source) { description = new }
            let samples = try format.convert(audio)
            guard buffer.append(samples, description, by: writer) else { return }
            description = nil
            if !samples.isEmpty { note() }
        }
        throw StreamError("the server has ended the stream")
    }

    private func note() {
        let isNews = state.withLock { state in
            defer { state.hasDecoded = true }
            return !state.hasDecoded
        }
        if isNews { bell.ring() }
    }

    /// Returns the new description, or nil if it has not changed.
    private static func description(
        _ audio: DecodedAudio, _ kind: StreamKind, _ source: HTTPSource
    ) -> StreamDescription? {
        // ffmpeg's thread uses the source.
        if kind == .aac { return nil }
        if let title = source.takeTitle() { return StreamDescription(title: title, artist: source.stationName) }
        return audio.description.map { comments in
            var description = comments
            if description.artist.isEmpty { description.artist = source.stationName }
            return description
        }
    }

    private func decoder(
        for kind: StreamKind, _ input: DecoderInput, _ options: HTTPOptions
    ) throws(StreamError) -> any StreamDecoder {
        switch kind {
        case .mp3: try MP3StreamDecoder(input)
        case .vorbis: try VorbisStreamDecoder(input)
        case .opus: try OpusStreamDecoder(input)
        case .flac: try FLACStreamDecoder(input, isOgg: false)
        case .oggFLAC: try FLACStreamDecoder(input, isOgg: true)
        case .aac: try AACStreamDecoder(input, program: options.ffmpeg, cancellation)
        case .playlist, .other: throw StreamError("the server sends no audio")
        }
    }
}

import ALSA

/// An open audio file that is read with the library for its format.
///
/// Use it from one thread at a time. Reading and seeking block on the storage.
protocol AudioFileReader: AnyObject {
    var format: StreamFormat { get }
    var channelOrder: ChannelOrder { get }
    /// The number of frames in the file, or nil if the header does not contain it or is not reliable.
    var frameCount: Int? { get }
    /// The best available number of frames in the file, or nil if it is unknown.
    var likelyFrameCount: Int? { get }
    /// The tags of the file, without its length.
    var tags: TrackTags { get }
    /// The number of the frame that `read` returns next.
    var position: Int { get }
    /// Called from time to time while a seek has to decode everything before its target, which can take minutes.
    var onProgress: () -> Void { get set }

    /// Returns the first part of the stream that could not be decoded although the following part could, or nil if
    /// there has been none since the last call.
    func takeGap() -> DecoderError?

    /// Decodes up to `frames` frames and returns their number, or 0 at the end.
    func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(DecoderError) -> Int

    /// Moves to a frame at or before the end, so that `read` returns the same samples as when decoding from the start.
    /// - Returns: the frame reached, which is less than `frame` if the file ends earlier.
    func seek(toFrame frame: Int) throws(DecoderError) -> Int
}

extension AudioFileReader {
    func takeGap() -> DecoderError? { nil }

    /// Decodes and discards everything before a frame.
    /// - Returns: the frame reached.
    func skip(upTo frame: Int) throws(DecoderError) -> Int {
        guard position < frame else { return position }
        let block = 4096
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: block * format.channels)
        defer { samples.deallocate() }
        while position < frame {
            guard try read(into: samples, frames: min(block, frame - position)) > 0 else { break }
            onProgress()
        }
        return position
    }
}

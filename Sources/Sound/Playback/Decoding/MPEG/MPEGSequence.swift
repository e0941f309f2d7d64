/// Decides which of the frames of MPEG that libmpg123 finds are part of the sound, and how many silent frames of sound
/// replace the missing ones. This type is pure.
///
/// Bytes that are not frames are treated as a gap, and so are frames of another rate if the file then continues at its
/// own rate. Positions are offsets from the start of the first frame.
struct MPEGSequence {
    enum Verdict: Equatable {
        /// The frame is played after this many silent frames of sound. `words` contains the reason for the silence, or
        /// nil if nothing is missing.
        case play(after: Int, words: String?)
        case leaveOut
    }

    private(set) var gaps: MPEGGaps
    /// True if the frames that libmpg123 delivers have a rate other than that of the file.
    private(set) var isForeign = false
    private let outline: MPEGOutline
    /// The size of the file in bytes.
    private let size: Int
    /// The position at which the next frame begins unless there are other bytes before it, or nil after a seek.
    private var expected: Int?
    /// The number of frames of another rate before `expected`, and the number of their bytes.
    private var strays = (count: 0, length: 0)
    /// The position from which the file's own rate is known to continue after frames of another rate.
    private var resumption = 0

    /// The maximum number of bytes of frames of another rate that are replaced with silence.
    private static let longestSplice = 1 << 20
    /// The minimum length of a gap, in bytes. Fewer bytes between two frames are a fault of an encoder and are
    /// inaudible.
    private static let shortestGap = 64

    init(_ outline: MPEGOutline, size: Int) {
        (self.outline, self.size) = (outline, size)
        gaps = MPEGGaps(samples: outline.header.samples)
    }

    /// Continues at any position after a seek.
    mutating func move() { (expected, strays) = (nil, (0, 0)) }

    /// Records the rate of the frame at a position.
    ///
    /// After damage, libmpg123 continues with anything that looks like the header of a frame. In a few kilobytes of any
    /// data, such a header occurs by chance.
    /// - Returns: true if the sound ends at this position because the rest of the file has another rate.
    mutating func noteRate(isForeign: Bool, at place: Int, in source: some ByteSource) -> Bool {
        self.isForeign = isForeign
        let start = outline.start + place
        guard isForeign, place >= resumption, MPEGRow(source, at: start, size: size) != nil else { return false }
        let rest = source.bytes(at: start, count: Self.longestSplice)
        guard let length = MPEGRow.continuation(of: outline.header, in: rest) else { return true }
        resumption = place + length
        return false
    }

    /// Processes the bytes of the frame that libmpg123 has found.
    mutating func take(_ range: Range<Int>, in source: some ByteSource) -> Verdict {
        let place = range.lowerBound
        if expected == nil, !gaps.has(place) { expected = gaps.end }
        if isForeign || isChance(place, source) {
            if isForeign, place < resumption { strays = (strays.count + 1, strays.length + range.count) }
            if !gaps.has(place) { gaps.append(foreign: range) }
            return .leaveOut
        }
        let (silence, words) = gap(before: place, source)
        if !gaps.has(place) { gaps.append(range, silence: silence) }
        (expected, strays) = (range.upperBound, (0, 0))
        return .play(after: silence, words: words)
    }

    /// Returns true if a frame that follows other bytes is not followed by another frame. In this case, it is only a
    /// sequence of bytes that looks like a frame.
    private func isChance(_ place: Int, _ source: some ByteSource) -> Bool {
        guard let expected, place - expected >= Self.shortestGap else { return false }
        return !MPEGRow.leads(in: source, from: outline.start + place, size: size)
    }

    /// Examines bytes in the middle of the file that are not a frame. Returns the number of silent frames that replace
    /// them, and the reason for the gap.
    private func gap(before place: Int, _ source: some ByteSource) -> (silence: Int, words: String?) {
        guard let expected, place - expected >= Self.shortestGap else { return (0, nil) }
        let range = outline.start + expected..<outline.start + place
        guard strays.count > 0 || !MPEGTags.fill(range, of: source) else { return (0, nil) }
        let silence = gaps.has(place) ? gaps.silence(before: place) : measure(range, source)
        return (silence, words(range.count, silence: silence))
    }

    private func measure(_ gap: Range<Int>, _ source: some ByteSource) -> Int {
        guard gaps.hasRoom else { return 0 }
        // A program that edits files replaces whole frames, but damage to a file system replaces blocks of bytes.
        let areWhole = strays.length == gap.count
        let frames = areWhole ? strays.count : MPEGGaps.frames(in: source, missing: gap, after: outline.start)
        return frames * outline.header.samples
    }

    /// Describes the bytes at the end of the file that have replaced frames, according to the number in the first
    /// frame. Returns nil if there are no such bytes.
    /// - Parameter length: the number of frames of sound that have been decoded.
    func gapAtEnd(length: Int, in source: some ByteSource) -> String? {
        guard let expected, let counted = outline.info?.frames else { return nil }
        let (start, missing) = (outline.start + expected, counted - length / outline.header.samples)
        guard missing > 0, size - start >= Self.shortestGap else { return nil }
        let room = MPEGGaps.frames(in: source, missing: start..<size, after: outline.start)
        // Any data may follow the last frame, and the number in the first frame may be wrong.
        guard (room - missing).magnitude <= max(2, missing / 8) else { return nil }
        return words(size - start, silence: 0)
    }

    /// Returns the number of bytes that the file has lost at its end according to its first frame. The number is 0 if
    /// nothing is missing, or if all frames are there although the number of bytes is wrong.
    /// - Parameter length: the number of frames of sound that have been decoded.
    func bytesMissingAtEnd(length: Int) -> Int {
        guard let expected, let end = outline.announcedEnd else { return 0 }
        let hasFrames = outline.info?.frames.map { $0 <= length / outline.header.samples + 1 } ?? false
        let missing = end - outline.start - expected
        return hasFrames || missing <= Self.longestFrame ? 0 : missing
    }

    /// The length of the longest frame except in the free format, in bytes.
    private static let longestFrame = 1441

    private func words(_ bytes: Int, silence: Int) -> String {
        if strays.count > 0 { return "\(strays.count) MPEG frames of another rate are silent" }
        return "\(bytes) bytes are not MPEG frames" + (silence > 0 ? ": \(silence) frames are silent" : "")
    }
}

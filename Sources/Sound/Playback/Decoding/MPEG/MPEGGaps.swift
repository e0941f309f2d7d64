/// The positions of an MP3's frames in the sound, if other frames are missing before them. This type is pure.
///
/// libmpg123 counts only the frames that it finds. This type also counts the silence that replaces the missing ones.
/// Each frame is appended once, in the order of the file.
struct MPEGGaps {
    struct Gap: Equatable {
        /// The first frame of the silence, and the first frame after it, in frames of sound.
        let start: Int
        let end: Int
        /// The number that libmpg123 uses for the frame of sound at `end`.
        let found: Int
        /// The offset of the frame of MPEG that follows.
        let offset: Int
    }

    /// The number of frames of sound in each frame of MPEG.
    let samples: Int
    private(set) var gaps: [Gap] = []
    /// The number of frames of MPEG that libmpg123 has found.
    private(set) var frames = 0
    /// The number of the last one of these frames that is part of the sound, and the offset after this frame.
    private(set) var last = 0
    private(set) var end = 0
    /// The number of frames of sound, including the silence.
    private(set) var length = 0
    /// The offset of the first byte after the last frame.
    private(set) var offset = 0

    /// The maximum number of gaps that are replaced with silence. It is limited because each gap takes time and memory,
    /// and a hostile file may have millions.
    private static let most = 4096

    init(samples: Int) { self.samples = samples }

    /// Returns true if the frame at an offset has been appended.
    func has(_ offset: Int) -> Bool { offset < self.offset }

    /// Returns the silence before a frame that has been appended.
    func silence(before offset: Int) -> Int {
        let gap = gaps.last { $0.offset == offset }
        return gap.map { $0.end - $0.start } ?? 0
    }

    /// - Parameters:
    ///   - range: the bytes of the frame.
    ///   - silence: the number of frames of sound that are missing before the frame.
    mutating func append(_ range: Range<Int>, silence: Int) {
        let found = frames * samples
        if length + silence - found != shift, gaps.count < Self.most {
            gaps.append(Gap(start: length, end: length + silence, found: found, offset: range.lowerBound))
        }
        length = found + shift + samples
        (last, end) = (frames, range.upperBound)
        (frames, offset) = (frames + 1, range.upperBound)
    }

    /// Records a frame that libmpg123 counts but that is not part of the sound.
    mutating func append(foreign range: Range<Int>) { (frames, offset) = (frames + 1, range.upperBound) }

    /// True if the next gap can be replaced with silence.
    var hasRoom: Bool { gaps.count < Self.most }

    private var shift: Int { gaps.last.map { $0.end - $0.found } ?? 0 }

    /// Returns the position at which libmpg123 finds a frame of sound, and the number of silent frames that precede it.
    func place(of frame: Int) -> (found: Int, silence: Int) {
        guard let gap = gaps.last(where: { $0.start <= frame }) else { return (frame, 0) }
        return frame < gap.end ? (gap.found, gap.end - frame) : (gap.found + frame - gap.end, 0)
    }

    /// Returns the number of frames of MPEG that other bytes have replaced, according to the lengths of the frames
    /// around them.
    static func frames(in source: some ByteSource, missing range: Range<Int>, after start: Int) -> Int {
        let window = 16_384
        let rest = source.bytes(at: range.upperBound, count: window)
        let first = max(start, range.lowerBound - window)
        let before = source.bytes(at: first, count: range.lowerBound - first)
        let found = MPEGRow.first(in: before, isEnd: false)?.start
        let rows = [
            MPEGRow(in: rest, at: 0, longest: .max), found.flatMap { MPEGRow(in: before, at: $0, longest: .max) },
        ]
        let (frames, length) = rows.compactMap { $0 }.reduce((0, 0)) { ($0.0 + $1.frames, $0.1 + $1.length) }
        return length > 0 ? Int((Double(range.count) * Double(frames) / Double(length)).rounded()) : 0
    }
}

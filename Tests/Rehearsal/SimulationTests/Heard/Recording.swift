import Foundation

/// The contents of a recording of a `HeardScenario`, read from the samples alone.
struct Recording {
    /// 20 ms of the recording.
    struct Cell {
        /// The music's gain in each frame, and the number of its first frame, or nil if it is silent or too quiet for
        /// the number to be determined.
        var gains: [Double] = []
        var playback: Int?
        /// The sound that plays at its full level, and its first frame in this cell.
        var sound: Heard?
        /// The sound that fades out, and the first frame of the fade-out.
        var tail: Heard?

        var isSilent: Bool { gains.allSatisfy { $0 == 0 } }
    }

    struct Heard: Equatable {
        /// An index into `HeardScenario.files`.
        let file: Int
        let frame: Int
    }

    struct Contradiction: Error, CustomStringConvertible {
        let description: String
        init(_ cell: Int, _ words: String) { description = "\(cell * 20) ms: \(words)" }
    }

    let cells: [Cell]

    /// - Parameter channels: the samples of each of the four channels.
    /// - Throws: a `Contradiction` if the frames within a cell do not follow each other.
    init(_ channels: [[Int32]]) throws {
        guard channels.count == 4 else {
            // If there was never a device, the recording has the default format.
            guard channels.allSatisfy({ $0.allSatisfy { $0 == 0 } }) else {
                throw Contradiction(0, "something is heard")
            }
            cells = Array(repeating: Cell(), count: (channels.first?.count ?? 0) / 960)
            return
        }
        let count = (channels.first?.count ?? 0) / HeardScenario.cellFrames
        cells = try (0..<count).map { index in
            let range = index * HeardScenario.cellFrames..<(index + 1) * HeardScenario.cellFrames
            let slices = channels.map { channel in channel[range].map { Double($0) / 2_147_483_648 } }
            var cell = Cell()
            try Self.readPlayback(slices[0], slices[1], index, &cell)
            try Self.readSounds(slices[2], slices[3], index, &cell)
            return cell
        }
    }

    private static func readPlayback(_ level: [Double], _ number: [Double], _ index: Int, _ cell: inout Cell) throws {
        cell.gains = level.map { $0 / 0.5 }
        for frame in level.indices {
            // Below this level, a number is no longer exact.
            guard cell.gains[frame] > 0.005 else { continue }
            let first = Int((number[frame] / level[frame] * 262_144).rounded()) - frame
            guard cell.playback.map({ $0 == first }) ?? true else {
                throw Contradiction(index, "frame \(first + frame) of the music is in the wrong place")
            }
            cell.playback = first
        }
    }

    /// Reads the sounds. A fade-out ends with the cell, so the last frame shows the sound beneath it.
    private static func readSounds(_ level: [Double], _ number: [Double], _ index: Int, _ cell: inout Cell) throws {
        let last = HeardScenario.cellFrames - 1
        var base = 0.0
        if level[last] > 0.001 {
            guard abs(level[last] - 0.25) < 1e-6 else { throw Contradiction(index, "a sound at \(level[last])") }
            base = 0.25
            cell.sound = heard(Int((number[last] / level[last] * 65_536).rounded()) - last)
        }
        let first = cell.sound.map { $0.file << 12 + $0.frame } ?? 0
        if level[0] - base > 1e-6 {
            let rest = number[0] - base * Double(first) / 65_536
            cell.tail = heard(Int((rest / (level[0] - base) * 65_536).rounded()))
        }
        let tail = cell.tail.map { $0.file << 12 + $0.frame } ?? 0
        var before = 0.25
        for frame in level.indices {
            let gain = level[frame] - base
            let expected = (base * Double(first + frame) + gain * Double(tail + frame)) / 65_536
            guard gain < before + 1e-6, gain > -1e-6, abs(number[frame] - expected) < 1e-6 else {
                throw Contradiction(index, "the sounds' frames do not follow each other at frame \(frame)")
            }
            before = gain
            if cell.tail == nil, gain > 1e-6 { throw Contradiction(index, "a sound rises") }
        }
    }

    private static func heard(_ number: Int) -> Heard { Heard(file: number >> 12, frame: number & 4_095) }

    var description: String {
        cells.enumerated().map { index, cell in
            let gain = { (gain: Double?) in gain.map { String(format: "%.2f", $0) } ?? "" }
            let name = { (heard: Heard) in "\(HeardScenario.files[heard.file]) \(heard.frame)" }
            return "\(index * 20) ms \(gain(cell.gains.first))–\(gain(cell.gains.last)) frame \(cell.playback ?? -1)"
                + " \(cell.sound.map(name) ?? "") \(cell.tail.map { "(\(name($0)))" } ?? "")"
        }.joined(separator: "\n")
    }
}

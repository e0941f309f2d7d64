/// A section of a recording that contains consecutive frames of a numbered track, unchanged.
public struct NumberedRun: Hashable, Sendable {
    /// The index of its first frame in the recording.
    public var start: Int
    /// The number that its first frame carries.
    public var number: Int
    public var count: Int

    public var end: Int { start + count }
    /// The number that follows the number of its last frame.
    public var next: Int { number + count }

    /// Returns all sections of at least `shortest` frames in order. Faded frames are not included.
    public static func all(in samples: [Int32], shortest: Int = 24) -> [NumberedRun] {
        var runs: [NumberedRun] = []
        var run: NumberedRun?
        for (index, sample) in samples.enumerated() {
            let number = Int(sample >> 8)
            let isNumber = sample & 0xff == 0 && number > 0
            if let current = run, isNumber, number == current.next {
                run?.count += 1
            } else {
                if let run, run.count >= shortest { runs.append(run) }
                run = isNumber ? NumberedRun(start: index, number: number, count: 1) : nil
            }
        }
        if let run, run.count >= shortest { runs.append(run) }
        return runs
    }
}

/// A stretch of a recording in which the frames of a numbered track follow each other unchanged.
public struct NumberedRun: Hashable, Sendable {
    /// Where it begins in the recording, and the number of its first frame.
    public var start: Int
    public var number: Int
    public var count: Int

    public var end: Int { start + count }
    /// The number after its last.
    public var next: Int { number + count }

    /// All such stretches of `shortest` frames or more, in order. A track that has been faded is none.
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

import ALSA

/// Where rendered frames go.
public protocol PCMOutput: AnyObject {
    /// Rate and channels the output runs at.
    var format: StreamFormat { get }

    /// Writes `frames` interleaved frames, all of them, waiting as long as the output takes.
    func write(_ samples: UnsafePointer<Int32>, frames: Int) throws(PCMError)
}

import ALSA
import Playback

/// Reads the files of announcements.
struct ClipLoader {
    typealias Load = @Sendable (_ path: String, _ format: StreamFormat) -> Result<SoundClip, DecoderError>

    private let load: Load
    private let files: FileLoader<Result<SoundClip, DecoderError>>

    init(_ load: @escaping Load = ClipLoader.load, places: FilePlaces = .ofProcess) {
        self.load = load
        files = FileLoader(thread: "tacet-clip", places: places)
    }

    /// A descriptor that is readable when outcomes are available.
    var descriptor: Int32 { files.descriptor }

    /// Begins to read a file.
    /// - Parameter format: The device's format.
    /// - Returns: A number that identifies the outcome, or nil if too many files are being read or if no thread can be
    ///   created.
    func load(_ path: String, format: StreamFormat) -> Int? { files.begin { [load] in load(path, format) } }

    /// Returns the outcomes since the last call.
    func takeOutcomes() -> [(number: Int, outcome: Result<SoundClip, DecoderError>)] { files.takeOutcomes() }

    static let load: Load = { path, format in
        do throws(DecoderError) { return .success(try SoundClip.load(path, format: format)) } catch {
            return .failure(error)
        }
    }
}

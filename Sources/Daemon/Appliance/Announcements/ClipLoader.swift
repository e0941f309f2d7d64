import ALSA
import Playback
import Synchronization
import Threads

/// Reads the files of announcements. Each file has its own thread, so a disk that never answers does not delay other
/// files.
///
/// Use it on the control thread only. No caller waits for the threads. The only effect of a thread that hangs is that
/// it occupies one of a limited number of places.
final class ClipLoader {
    typealias Load = @Sendable (_ path: String, _ format: StreamFormat) -> Result<SoundClip, DecoderError>

    /// A limit on the number of files that are read at once by all loaders that share this object.
    final class Places: Sendable {
        static let ofProcess = Places(16)

        private let free: Mutex<Int>

        init(_ count: Int) { free = Mutex(count) }

        fileprivate func take() -> Bool {
            free.withLock { free in
                guard free > 0 else { return false }
                free -= 1
                return true
            }
        }

        fileprivate func giveBack() { free.withLock { $0 += 1 } }
    }

    /// The clips that the threads have loaded. The threads retain this object instead of the loader.
    private final class Outbox: Sendable {
        let bell = WakeUp()
        let outcomes = Mutex<[(number: Int, clip: Result<SoundClip, DecoderError>)]>([])

        func post(_ number: Int, _ clip: Result<SoundClip, DecoderError>) {
            outcomes.withLock { $0.append((number, clip)) }
            bell.ring()
        }
    }

    private let load: Load
    private let places: Places
    private let outbox = Outbox()
    private var count = 0

    init(_ load: @escaping Load = ClipLoader.load, places: Places = .ofProcess) {
        self.load = load
        self.places = places
    }

    /// A descriptor that is readable when outcomes are available.
    var descriptor: Int32 { outbox.bell.descriptor }

    /// Begins to read a file.
    /// - Parameter format: The device's format.
    /// - Returns: A number that identifies the outcome, or nil if too many files are being read or if no thread can be
    ///   created.
    func load(_ path: String, format: StreamFormat) -> Int? {
        guard places.take() else { return nil }
        count += 1
        let (number, load, outbox, places) = (count, load, outbox, places)
        let thread = NativeThread("tacet-clip") {
            let clip = load(path, format)
            places.giveBack()
            outbox.post(number, clip)
        }
        guard thread != nil else {
            places.giveBack()
            return nil
        }
        return number
    }

    /// Returns the outcomes since the last call.
    func takeOutcomes() -> [(number: Int, clip: Result<SoundClip, DecoderError>)] {
        outbox.bell.wait(.zero)
        return outbox.outcomes.withLock { outcomes in
            defer { outcomes = [] }
            return outcomes
        }
    }

    static let load: Load = { path, format in
        do throws(DecoderError) { return .success(try SoundClip.load(path, format: format)) } catch {
            return .failure(error)
        }
    }
}

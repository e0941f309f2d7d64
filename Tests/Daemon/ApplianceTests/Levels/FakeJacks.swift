import ALSA
import Clocks
import Foundation

/// One sound card with a jack. Its control is the end of a pipe that is readable after each change.
final class FakeJacks: JackSystem, HeldCard {
    private let pipe = Pipe()
    private let name: String
    private var isPlugged = true
    private var hasChanged = false
    /// The number of times that events have been read.
    private(set) var reads = 0
    /// True if the card is present.
    private var isThere = true

    init(_ name: String = "Headphone Jack") { self.name = name }

    var now: Duration { SystemClock.monotonic.now }
    func cards() -> [SoundCard] { isThere ? [SoundCard(number: 0, id: "Headphones")] : [] }
    func open(_ card: SoundCard) throws(PCMError) -> any HeldCard { self }

    var descriptors: [Int32] { [pipe.fileHandleForReading.fileDescriptor] }
    func jacks() throws(PCMError) -> [JackInfo] { [JackInfo(name: name, number: 7, isPlugged: isPlugged)] }

    func readEvents() throws(PCMError) -> Bool {
        reads += 1
        guard isThere else { throw .system(ENODEV, operation: "read the jacks of", device: "hw:0") }
        guard hasChanged else { return false }
        hasChanged = false
        _ = pipe.fileHandleForReading.availableData
        return true
    }

    /// Inserts or pulls the plug.
    func plug(_ isPlugged: Bool) {
        self.isPlugged = isPlugged
        hasChanged = true
        pipe.fileHandleForWriting.write(Data([0]))
    }

    /// Removes the card.
    func remove() {
        isThere = false
        pipe.fileHandleForWriting.write(Data([0]))
    }
}

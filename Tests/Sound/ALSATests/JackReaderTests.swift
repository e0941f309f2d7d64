import Glibc
import Signals
import Testing

@testable import ALSA

@Suite struct JackReaderTests {
    private let machine = FakeCards()

    @Test func initialStateAndChangesAreRead() {
        let card = machine.plug(0, "PCH", ["Headphone Jack": true, "Mic Jack": false])
        let reader = JackReader([("phones", JackSelector(control: "Headphone Jack"))], system: machine)
        #expect(reader.isIncomplete && reader.acquire().map(\.state) == [.found(true)])
        #expect(reader.place(of: "phones") == "card 0, PCH")
        // Without an event, no jack is read.
        let reads = card.reads
        #expect(reader.readChanges().isEmpty && card.reads == reads)
        card.turn("Mic Jack", true)
        #expect(reader.readChanges().isEmpty)
        card.turn("Headphone Jack", false)
        machine.now = .seconds(5)
        #expect(reader.readChanges() == [LevelChange("phones", .turned(false), at: .seconds(5))])
        #expect(reader.level(of: "phones") == false)
    }

    @Test func cardThatDisappearsIsLostAndFoundAgain() {
        let card = machine.plug(1, "USB", ["Headphone Jack": true])
        let reader = JackReader([("phones", JackSelector(control: "Headphone Jack", card: "USB"))], system: machine)
        _ = reader.acquire()
        machine.cardsByNumber = [:]
        card.isGone = true
        #expect(reader.readChanges().map(\.id) == ["phones"] && reader.level(of: "phones") == nil)
        #expect(reader.acquire().isEmpty)
        #expect(reader.problems["phones"]?.message == "there is no such sound card")
        machine.plug(4, "USB", ["Headphone Jack": false])
        #expect(reader.acquire().map(\.state) == [.found(false)] && reader.problems.isEmpty)
    }

    @Test func controlThatTheDriverRemovesIsLost() {
        let card = machine.plug(0, "PCH", ["Headphone Jack": true])
        let reader = JackReader([("phones", JackSelector(control: "Headphone Jack"))], system: machine)
        _ = reader.acquire()
        card.remove("Headphone Jack")
        #expect(reader.readChanges().map(\.id) == ["phones"] && reader.isIncomplete)
        #expect(reader.problems["phones"]?.message == "the sound card has removed the jack")
        card.turn("Headphone Jack", true)
        #expect(reader.acquire().map(\.state) == [.found(true)])
    }

    /// The card's other jacks remain, whichever jack disappears.
    @Test(arguments: [["A Jack"], ["B Jack"], ["C Jack"], ["A Jack", "C Jack"], ["A Jack", "B Jack", "C Jack"]])
    func someOfSeveralControlsAreLost(removed: [String]) {
        let names = ["A Jack", "B Jack", "C Jack"]
        let card = machine.plug(0, "PCH", Dictionary(uniqueKeysWithValues: names.map { ($0, false) }))
        let reader = JackReader(names.map { ($0, JackSelector(control: $0)) }, system: machine)
        #expect(reader.acquire().count == 3)
        for name in removed { card.remove(name) }
        let rest = names.filter { !removed.contains($0) }
        for name in rest { card.turn(name, true) }
        #expect(reader.readChanges(readsLevels: true).map(\.id) == rest + removed)
        #expect(rest.allSatisfy { reader.level(of: $0) == true } && removed.allSatisfy { reader.level(of: $0) == nil })
        #expect(reader.isIncomplete)
    }

    @Test func twoCardsWithTheJackNeedACard() {
        machine.plug(0, "PCH", ["Headphone Jack": true])
        machine.plug(1, "USB", ["Headphone Jack": false])
        let reader = JackReader(
            [
                ("any", JackSelector(control: "Headphone Jack")),
                ("id", JackSelector(control: "Headphone Jack", card: "USB")),
                ("number", JackSelector(control: "Headphone Jack", card: "0")),
                ("none", JackSelector(control: "Line Out Jack")),
            ], system: machine)
        #expect(reader.acquire().map(\.id) == ["id", "number"])
        #expect(reader.level(of: "id") == false && reader.level(of: "number") == true)
        #expect(reader.problems["any"]?.advice == "specify one of the cards: PCH, USB")
        #expect(reader.problems["none"]?.message == "no sound card has a jack of this name")
    }

    @Test func cardWithoutPermissionIsExplained() {
        machine.plug(0, "PCH", ["Headphone Jack": true]).isForbidden = true
        let reader = JackReader([("phones", JackSelector(control: "Headphone Jack"))], system: machine)
        #expect(reader.acquire().isEmpty)
        #expect(reader.problems["phones"]?.advice == "is this user a member of the group audio?")
    }
}

/// A machine whose sound cards come and go.
final class FakeCards: JackSystem {
    var cardsByNumber: [Int: FakeCard] = [:]
    var now = Duration.zero

    @discardableResult
    func plug(_ number: Int, _ id: String, _ jacks: [String: Bool]) -> FakeCard {
        let card = FakeCard(id, jacks)
        cardsByNumber[number] = card
        return card
    }

    func cards() -> [SoundCard] {
        cardsByNumber.sorted { $0.key < $1.key }.map { SoundCard(number: $0.key, id: $0.value.id) }
    }

    func open(_ card: SoundCard) throws(PCMError) -> any HeldCard {
        guard let found = cardsByNumber[card.number], !found.isForbidden else {
            throw .system(EACCES, operation: "open the jacks of", device: card.id)
        }
        return found
    }
}

final class FakeCard: HeldCard {
    let id: String
    private var states: [(name: String, number: UInt32, isPlugged: Bool)]
    private var next: UInt32
    private var hasEvent = false
    var isGone = false
    var isForbidden = false
    private(set) var reads = 0

    init(_ id: String, _ jacks: [String: Bool]) {
        self.id = id
        states = jacks.sorted { $0.key < $1.key }.enumerated().map { ($1.key, UInt32($0 + 1), $1.value) }
        next = UInt32(states.count + 1)
    }

    func turn(_ name: String, _ isPlugged: Bool) {
        hasEvent = true
        if let index = states.firstIndex(where: { $0.name == name }) {
            states[index].isPlugged = isPlugged
        } else {
            states.append((name, next, isPlugged))
            next += 1
        }
    }

    func remove(_ name: String) {
        hasEvent = true
        states.removeAll { $0.name == name }
    }

    var descriptors: [Int32] { [7] }

    func jacks() throws(PCMError) -> [JackInfo] {
        reads += 1
        if isGone { throw .system(ENODEV, operation: "list the jacks of", device: id) }
        return states.map { JackInfo(name: $0.name, number: $0.number, isPlugged: $0.isPlugged) }
    }

    func readEvents() throws(PCMError) -> Bool {
        if isGone { throw .system(ENODEV, operation: "read the jacks of", device: id) }
        defer { hasEvent = false }
        return hasEvent
    }
}

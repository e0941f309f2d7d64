import Clocks
import Glibc
import Signals
import Spelling

/// A jack of a sound card, specified by its ALSA control.
public struct JackSelector: Hashable, Sendable, CustomStringConvertible {
    /// The control's name, such as `Headphone Jack`.
    public var control: String
    /// The card's number or ID. If it is nil, exactly one card must have such a control.
    public var card: String?

    public init(control: String, card: String? = nil) {
        self.control = control
        self.card = card
    }

    public var description: String { control + (card.map { " of card \($0)" } ?? "") }
}

/// The reason why a jack cannot be read, and what a technician can do about it.
public struct JackError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        /// No card has such a jack, or the card has been removed.
        case notFound
        /// Several cards have such a jack. The value contains their IDs.
        case ambiguous([String])
        /// The card cannot be opened.
        case permission
    }

    public let reason: Reason
    public let subject: String
    public let message: String
    public let advice: String

    /// - Parameter advice: advice in terms of the program's own settings. If it is nil, the error gives general advice.
    init(_ reason: Reason, _ subject: String, _ message: String, advice: String?) {
        self.reason = reason
        self.subject = subject
        self.message = message
        self.advice =
            advice
            ?? {
                switch reason {
                case .notFound: "is the card plugged in?"
                case .ambiguous(let cards): "specify one of the cards: \(cards.joined(separator: ", "))"
                case .permission: "is this user a member of the group audio?"
                }
            }()
    }

    public var description: String {
        "cannot read \(subject): \(message). \(advice.sentenceCased)"
    }
}

/// The system functions that a reader needs. Tests replace them.
public protocol JackSystem {
    var now: Duration { get }
    func cards() -> [SoundCard]
    func open(_ card: SoundCard) throws(PCMError) -> any HeldCard
}

/// The running kernel.
public struct JackKernel: JackSystem {
    public init() {}

    public var now: Duration { SystemClock.monotonic.now }
    public func cards() -> [SoundCard] { SoundCard.all }
    public func open(_ card: SoundCard) throws(PCMError) -> any HeldCard { try CardControl(card) }
}

/// Reads the jacks of any number of cards. It first reports their states and then each change that the kernel reports.
/// A lost card can be found again when it returns.
///
/// Cards appear in `/dev/snd`. ALSA's events do not contain a time, so the time of a change is the time at which it is
/// read.
public final class JackReader<ID: Hashable & Sendable>: LevelReader {
    public typealias Wanted = (id: ID, selector: JackSelector)

    private struct Held {
        let wanted: Wanted
        let number: UInt32
        var level: Bool
    }

    private final class Card {
        let card: SoundCard
        let control: any HeldCard
        var held: [Held] = []

        init(_ card: SoundCard, _ control: any HeldCard) {
            self.card = card
            self.control = control
        }
    }

    private let wanted: [Wanted]
    private let system: any JackSystem
    private let advice: (JackError.Reason) -> String?
    private var cards: [Card] = []
    /// The reasons why jacks are missing, by the ID of the jack.
    public private(set) var problems: [ID: JackError] = [:]

    /// Creates a reader without opening any cards. Call `acquire` to open them.
    /// - Parameter advice: returns advice in terms of the program's own settings, or nil for general advice.
    public init(
        _ wanted: [Wanted], system: any JackSystem = JackKernel(),
        advice: @escaping (JackError.Reason) -> String? = { _ in nil }
    ) {
        self.wanted = wanted
        self.system = system
        self.advice = advice
    }

    public var descriptors: [Int32] { cards.flatMap(\.control.descriptors) }
    public var isIncomplete: Bool { wanted.contains { level(of: $0.id) == nil } }
    /// True if something is plugged in, according to the last report, or nil while the card is missing.
    public func level(of id: ID) -> Bool? { held(id)?.held.level }
    /// The card of a jack, such as `card 0, PCH`.
    public func place(of id: ID) -> String? { held(id).map { "card \($0.card.card.number), \($0.card.card.id)" } }
    public func problem(of id: ID) -> String? { problems[id]?.description }

    private func held(_ id: ID) -> (card: Card, held: Held)? {
        for card in cards {
            if let held = card.held.first(where: { $0.wanted.id == id }) { return (card, held) }
        }
        return nil
    }

    /// Closes all cards.
    public func release() { cards = [] }

    /// Looks for all missing jacks.
    public func acquire() -> [LevelChange<ID>] {
        let missing = wanted.filter { level(of: $0.id) == nil }
        guard !missing.isEmpty else { return [] }
        problems = [:]
        var open: [(card: Card, jacks: [JackInfo])] = []
        var failures: [(card: SoundCard, error: PCMError)] = []
        for card in system.cards() {
            do throws(PCMError) {
                let known = cards.first { $0.card == card }
                let held = if let known { known } else { Card(card, try system.open(card)) }
                open.append((held, try held.control.jacks()))
            } catch { failures.append((card, error)) }
        }
        return missing.compactMap { wanted in
            do throws(JackError) {
                return LevelChange(wanted.id, .found(try acquire(wanted, among: open, failures)))
            } catch {
                problems[wanted.id] = error
                return nil
            }
        }
    }

    private func acquire(
        _ wanted: Wanted, among open: [(card: Card, jacks: [JackInfo])],
        _ failures: [(card: SoundCard, error: PCMError)]
    ) throws(JackError) -> Bool {
        let cards = open.filter { $0.card.card.matches(wanted.selector.card) }
        let candidates = cards.compactMap { card, jacks in
            jacks.first { $0.name == wanted.selector.control }.map { (card: card, jack: $0) }
        }
        guard candidates.count < 2 else {
            throw problem(
                .ambiguous(candidates.map(\.card.card.id)), wanted,
                "\(candidates.count) cards have a jack of this name")
        }
        guard let (card, jack) = candidates.first else {
            if let failure = failures.first(where: { $0.card.matches(wanted.selector.card) }) {
                throw problem(.permission, wanted, failure.error.message)
            }
            throw problem(
                .notFound, wanted,
                cards.isEmpty ? "there is no such sound card" : "no sound card has a jack of this name")
        }
        card.held.append(Held(wanted: wanted, number: jack.number, level: jack.isPlugged))
        if !self.cards.contains(where: { $0 === card }) { self.cards.append(card) }
        return jack.isPlugged
    }

    /// Returns the changes and losses since the last call, without waiting for more.
    public func readChanges(readsLevels: Bool) -> [LevelChange<ID>] {
        var edges: [LevelChange<ID>] = []
        var losses: [LevelChange<ID>] = []
        let now = system.now
        for card in cards {
            do throws(PCMError) {
                guard try card.control.readEvents() || readsLevels else { continue }
                let jacks = try card.control.jacks()
                var kept: [Held] = []
                for var held in card.held {
                    // A driver may remove a control, for example while it re-probes a codec.
                    guard
                        let jack = jacks.first(where: {
                            $0.number == held.number && $0.name == held.wanted.selector.control
                        })
                    else {
                        losses.append(lose(held, "the sound card has removed the jack"))
                        continue
                    }
                    if jack.isPlugged != held.level {
                        held.level = jack.isPlugged
                        edges.append(LevelChange(held.wanted.id, .turned(jack.isPlugged), at: now))
                    }
                    kept.append(held)
                }
                card.held = kept
            } catch {
                cards.removeAll { $0 === card }
                losses += card.held.map { lose($0, error.message) }
            }
        }
        return edges + losses
    }

    private func problem(_ reason: JackError.Reason, _ wanted: Wanted, _ message: String) -> JackError {
        JackError(reason, "\(wanted.selector)", message, advice: advice(reason))
    }

    private func lose(_ held: Held, _ message: String) -> LevelChange<ID> {
        let error = problem(.notFound, held.wanted, message)
        problems[held.wanted.id] = error
        return LevelChange(held.wanted.id, .missing(error.description))
    }
}

extension SoundCard {
    /// Returns true if this is the card with the given name, which is a number or an ID. Nil matches any card.
    public func matches(_ name: String?) -> Bool {
        guard let name else { return true }
        return Int(name).map { $0 == number } ?? (name == id)
    }
}

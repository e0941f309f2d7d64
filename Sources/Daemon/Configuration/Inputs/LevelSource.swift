import ALSA
import Evdev

/// Where the level of a signal or a button comes from.
public struct LevelSource: Hashable, Sendable, CustomStringConvertible {
    let place: any SourceKind

    init(_ place: any SourceKind) { self.place = place }

    /// In the order in which they are listed for people. The line is the first, because every section has its keys.
    static let kinds: [any SourceKind.Type] = [
        Wiring.self, InputSelector.self, JackSelector.self, CallState.self, ProgramLease.self,
    ]

    /// The keys of all kinds that specify a place.
    static var locationKeys: [String] { kinds.flatMap { $0.location } }

    /// The source, if it is of this kind: `source.as(Wiring.self)`.
    public func `as`<Kind>(_: Kind.Type) -> Kind? { place as? Kind }

    /// `PHONE_CALL on gpiochip0`, `SW_LID of Lid Switch`, `Headphone Jack of card 1`, `active calls`, `the bus`.
    public var description: String { place.description }

    /// What to check when the level of a button is lost.
    public var lossAdvice: String { place.lossAdvice }

    /// The same for a signal.
    public var signalLossAdvice: String { place.signalLossAdvice }

    public static func == (one: LevelSource, other: LevelSource) -> Bool {
        AnyHashable(one.place) == AnyHashable(other.place)
    }

    public func hash(into hasher: inout Hasher) { place.hash(into: &hasher) }
}

/// A kind of source. Each is declared in a file of this folder, with all that distinguishes it from the others; the list
/// `LevelSource.kinds` has its type.
protocol SourceKind: Hashable, Sendable, CustomStringConvertible {
    /// The values of its keys, as far as a section has them.
    associatedtype Keys: WrittenKeys
    /// As in `Source=`.
    static var name: String { get }
    /// For the documentation of `Source=`: `a GPIO line, Line=`.
    static var summary: String { get }
    static var keys: [Key<Keys>] { get }
    /// The keys that specify a place: a section that has one of them has a source of this kind.
    static var location: [String] { get }

    /// Reads the keys of a section, and reports what is missing.
    /// - Returns: nil if they are incomplete.
    static func read<Settings: WiredSettings>(
        _ section: SectionDraft<Settings>, _ title: String, _ draft: inout Draft
    ) -> Self?

    /// Whether both are the same level, which would then have two uses.
    func collides(with other: Self) -> Bool
    /// What can have only one use: `line`, `key`.
    var noun: String { get }
    /// - Parameter level: `active low` or `active high`.
    func details(_ level: String) -> String
    var lossAdvice: String { get }
    var signalLossAdvice: String { get }
    /// Whether programs set the level, so that it ends with them.
    var isProgram: Bool { get }
    /// Whether the level needs to be debounced.
    var bounces: Bool { get }
    /// Whether its signals are system alerts, unless `Alert=` says otherwise.
    var isAlert: Bool { get }
}

extension SourceKind {
    func collides(with other: Self) -> Bool { false }
    var noun: String { "source" }
    func details(_ level: String) -> String { level }
    var signalLossAdvice: String { lossAdvice }
    var isProgram: Bool { false }
    var bounces: Bool { !isProgram }
    var isAlert: Bool { false }

    func collides(withAny other: any SourceKind) -> Bool { (other as? Self).map(collides) ?? false }

    /// The keys, for a section that can have such a source.
    static func sectionKeys<Settings: WiredSettings>() -> [Key<Settings>] { keys.map { Key($0, of: Self.self) } }
}

/// The values of keys; at first the defaults.
protocol WrittenKeys: Sendable { init() }

/// The keys of a section that specify its source, as written.
struct WrittenSource: Sendable {
    /// `Source=`
    var kind: (any SourceKind.Type)?
    private var keys: [String: any WrittenKeys] = [:]

    subscript<Kind: SourceKind>(_: Kind.Type) -> Kind.Keys {
        get { keys[Kind.name] as? Kind.Keys ?? Kind.Keys() }
        set { keys[Kind.name] = newValue }
    }
}

/// The settings of a section that has a line or another source.
protocol WiredSettings: Sendable {
    var source: WrittenSource { get set }
    /// Whether the low level means asserted.
    var isActiveLow: Bool { get set }
    /// Whether this board has it; if not, the section is ignored.
    var isEnabled: Bool { get set }
}

extension Key where Settings: WiredSettings {
    /// A key of a kind of source.
    fileprivate init<Kind: SourceKind>(_ key: Key<Kind.Keys>, of _: Kind.Type) {
        name = key.name
        isFreeText = key.isFreeText
        assign = { (text, settings) throws(BadValue) in try key.assign(text, &settings.source[Kind.self]) }
        reset = { settings, builtIn in key.reset(&settings.source[Kind.self], builtIn.source[Kind.self]) }
        documentation = { builtIn in key.documentation(builtIn.source[Kind.self]) }
    }
}

extension KeyTable {
    /// The keys that say where the level of a signal comes from, other than from a GPIO line.
    static let sources: [Key<SignalSettings>] =
        [
            Key(
                "Source", optional: \.source.kind, .choice(LevelSource.kinds, named: { $0.name }),
                withoutValue: "the one whose keys are set, or else line", since: "0.9.0",
                """
                Where the signal's level comes from. \(kinds) The keys of other sources are ignored. With bus and call, \
                the defaults are Debounce=0s and WhenLost=release; with a key, Debounce=0s.
                """)
        ] + LevelSource.kinds.dropFirst().flatMap { $0.sectionKeys() }

    private static let kinds = LevelSource.kinds.map { "\($0.name): \($0.summary)." }.joined(separator: " ")
}

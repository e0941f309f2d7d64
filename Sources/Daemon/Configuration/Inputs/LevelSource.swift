import ALSA
import Evdev

/// The source of the level of a signal or a button.
public struct LevelSource: Hashable, Sendable, CustomStringConvertible {
    let place: any SourceKind

    init(_ place: any SourceKind) { self.place = place }

    /// The kinds in the order in which they are listed for people. The line is the first because every section has its
    /// keys.
    static let kinds: [any SourceKind.Type] = [
        Wiring.self, InputSelector.self, JackSelector.self, CallState.self, ProgramLease.self, PageSource.self,
    ]

    /// The keys of all kinds that specify a place.
    static var locationKeys: [String] { kinds.flatMap { $0.location } }

    /// Returns the source if it is of this kind, as in `source.as(Wiring.self)`.
    public func `as`<Kind>(_: Kind.Type) -> Kind? { place as? Kind }

    /// The name for people, such as `PHONE_CALL on gpiochip0`, `SW_LID of Lid Switch`, `Headphone Jack of card 1`,
    /// `active calls` or `the bus`.
    public var description: String { place.description }

    /// Advice on what to check when the level of a button is lost.
    public var lossAdvice: String { place.lossAdvice }

    /// The same advice for a signal.
    public var signalLossAdvice: String { place.signalLossAdvice }

    /// Advice on what to check when a signal has been asserted for too long.
    public var stuckAdvice: String { place.stuckAdvice }

    /// Advice on what to check when a signal chatters.
    public var chatterAdvice: String { place.chatterAdvice }

    public static func == (one: LevelSource, other: LevelSource) -> Bool {
        AnyHashable(one.place) == AnyHashable(other.place)
    }

    public func hash(into hasher: inout Hasher) { place.hash(into: &hasher) }
}

/// A kind of source. Each is declared in a file of this folder with everything that distinguishes it from the others,
/// and its type is listed in `LevelSource.kinds`.
protocol SourceKind: Hashable, Sendable, CustomStringConvertible {
    /// The values of its keys that a section sets, or else their defaults.
    associatedtype Keys: WrittenKeys
    /// The name as in `Source=`.
    static var name: String { get }
    /// The summary for the documentation of `Source=`, such as `a GPIO line, Line=`.
    static var summary: String { get }
    static var keys: [Key<Keys>] { get }
    /// The keys that specify a place. A section that has one of them has a source of this kind.
    static var location: [String] { get }
    /// The keys of other kinds that it also reads.
    static var borrowed: [String] { get }
    /// True if a button can have such a source.
    static var servesButtons: Bool { get }

    /// Reads the keys of a section and reports missing ones.
    /// - Returns: The source, or nil if the keys are incomplete.
    static func read<Settings: WiredSettings>(
        _ section: SectionDraft<Settings>, _ title: String, _ draft: inout Draft
    ) -> Self?

    /// Returns true if both are the same level, which would then have two uses.
    func collides(with other: Self) -> Bool
    /// The word for the thing that can have only one use, such as `line` or `key`.
    var noun: String { get }
    /// - Parameter level: The word `active low` or `active high`.
    func details(_ level: String) -> String
    var lossAdvice: String { get }
    var signalLossAdvice: String { get }
    var stuckAdvice: String { get }
    var chatterAdvice: String { get }
    /// True if programs set the level, so that it ends with them.
    var isProgram: Bool { get }
    /// The keys of every section that mean nothing for this source.
    var ignored: [String] { get }
    /// True if the level needs to be debounced.
    var bounces: Bool { get }
    /// True if its signals are system alerts unless `Alert=` is set.
    var isAlert: Bool { get }
}

extension SourceKind {
    static var borrowed: [String] { [] }
    static var servesButtons: Bool { false }

    func collides(with other: Self) -> Bool { false }
    var noun: String { "source" }
    func details(_ level: String) -> String { level }
    var signalLossAdvice: String { lossAdvice }
    var chatterAdvice: String { isProgram ? "check the program that sets it" : "check for a loose contact" }
    var isProgram: Bool { false }
    var ignored: [String] { ["Bias", "Complement", "Poll"] + (isProgram ? ["ActiveLow", "Debounce"] : []) }
    var bounces: Bool { !isProgram }
    var isAlert: Bool { false }

    func collides(withAny other: any SourceKind) -> Bool { (other as? Self).map(collides) ?? false }

    /// Returns the keys for a section that can have such a source.
    static func sectionKeys<Settings: WiredSettings>() -> [Key<Settings>] { keys.map { Key($0, of: Self.self) } }
}

/// The values of keys, which are initially the defaults.
protocol WrittenKeys: Sendable { init() }

/// The keys of a section that specify its source, as they are written.
struct WrittenSource: Sendable {
    /// The value of `Source=`.
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
    /// True if the low level means asserted.
    var isActiveLow: Bool { get set }
    /// True if this board uses the section. Otherwise, the section is ignored.
    var isEnabled: Bool { get set }
}

extension Key where Settings: WiredSettings {
    /// Creates a key of a kind of source.
    fileprivate init<Kind: SourceKind>(_ key: Key<Kind.Keys>, of _: Kind.Type) {
        name = key.name
        isFreeText = key.isFreeText
        assign = { (text, settings) throws(BadValue) in try key.assign(text, &settings.source[Kind.self]) }
        reset = { settings, builtIn in key.reset(&settings.source[Kind.self], builtIn.source[Kind.self]) }
        documentation = { builtIn in key.documentation(builtIn.source[Kind.self]) }
    }
}

extension KeyTable {
    /// The keys that specify the source of a signal's level other than a GPIO line.
    static let sources: [Key<SignalSettings>] =
        [
            Key(
                "Source", optional: \.source.kind, .choice(LevelSource.kinds, named: { $0.name }),
                withoutValue: .described("the source whose keys are set, or else to line"),
                """
                Specifies what sets the level of the signal. \(kinds) The keys of other sources are ignored.
                """)
        ] + LevelSource.kinds.dropFirst().flatMap { $0.sectionKeys() }

    /// The keys that specify the source of a button's level other than a GPIO line.
    static let buttonSources: [Key<ButtonSettings>] =
        LevelSource.kinds.dropFirst().filter { $0.servesButtons }.flatMap { $0.sectionKeys() }

    private static let kinds = LevelSource.kinds.map { "With \($0.name), it is \($0.summary)." }.joined(separator: " ")
}

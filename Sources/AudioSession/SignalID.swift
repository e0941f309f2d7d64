/// The name of a signal, as the configuration's `[Signal NAME]` gives it: `phone-call`.
public struct SignalID: RawRepresentable, Hashable, Comparable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ name: String) { rawValue = name }
    public init(stringLiteral name: String) { rawValue = name }

    public var description: String { rawValue }
    public static func < (a: SignalID, b: SignalID) -> Bool { a.rawValue < b.rawValue }
}

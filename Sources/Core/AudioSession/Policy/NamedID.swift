/// The name of something in a policy, which is the NAME of a section in the configuration, such as `phone-call` in
/// `[Signal phone-call]`. Each kind of section has its own type.
public protocol NamedID: RawRepresentable, Hashable, Comparable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible
where RawValue == String {
    init(rawValue: String)
}

extension NamedID {
    public init(_ name: String) { self.init(rawValue: name) }
    public init(stringLiteral name: String) { self.init(rawValue: name) }

    public var description: String { rawValue }
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

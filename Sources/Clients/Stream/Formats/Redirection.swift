/// Decides whether an address that a server names may be opened. This type is pure.
public struct Redirection: Sendable {
    public static let most = 5

    private var count = 0
    private var isSecure: Bool
    /// The part of the network in which the last server is, or nil before the first one has answered.
    private var scope: NetworkScope?

    /// - Parameter url: the configured address.
    public init(from url: String) { isSecure = Self.scheme(of: url) == "https" }

    /// Follows a redirection or an entry of a playlist.
    /// - Throws: the reason why it is not followed.
    public mutating func follow(to url: String) throws(StreamError) {
        count += 1
        guard count <= Self.most else { throw StreamError("the server redirects more than \(Self.most) times") }
        switch Self.scheme(of: url) {
        case "https": isSecure = true
        case "http":
            guard !isSecure else {
                throw StreamError("the server refers to an address without encryption (http), which is not followed")
            }
        default: throw StreamError("the server refers to an address that is neither http nor https")
        }
    }

    /// Records in which part of the network the server is that has answered.
    public mutating func handleAnswer(from scope: NetworkScope) { self.scope = scope }

    /// Returns true if a server in this part of the network may be connected to. Only the configuration leads into a
    /// private part. From there, a server may refer to others in the same part, but from the internet, no name and no
    /// address leads back.
    public func permits(_ scope: NetworkScope) -> Bool { [nil, scope].contains(self.scope) || scope == .global }

    private static func scheme(of url: String) -> String { url.prefix { $0 != ":" }.lowercased() }
}

/// The reason why a stream cannot be received, for people. It contains no secrets.
public struct StreamError: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}

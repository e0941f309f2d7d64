/// The end of an MPRIS name, in which the character * stands for any text.
public struct PlayerPattern: Hashable, Sendable {
    public static let prefix = "org.mpris.MediaPlayer2."

    private let text: [UInt8]
    /// The names that never match, and neither do longer names that begin with one of them and a period.
    private let excluded: [String]

    public init(_ text: String, excluding excluded: [String]) {
        self.text = Array(text.utf8)
        self.excluded = excluded
    }

    public func matches(_ name: String) -> Bool {
        guard name.hasPrefix(Self.prefix) else { return false }
        let end = name.dropFirst(Self.prefix.utf8.count)
        guard !excluded.contains(where: { end == $0 || end.hasPrefix($0 + ".") }) else { return false }
        return Self.matches(text[...], Array(end.utf8)[...])
    }

    /// Compares without recursion, so that a long name takes only quadratic time.
    private static func matches(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
        var (pattern, name) = (pattern, name)
        /// The rest of the pattern after the last star, and the rest of the name at which it was tried last.
        var retry: (pattern: ArraySlice<UInt8>, name: ArraySlice<UInt8>)?
        while true {
            if pattern.first == UInt8(ascii: "*") {
                pattern.removeFirst()
                retry = (pattern, name)
            } else if let byte = name.first, byte == pattern.first {
                (pattern, name) = (pattern.dropFirst(), name.dropFirst())
            } else if pattern.isEmpty, name.isEmpty {
                return true
            } else {
                guard let last = retry, !last.name.isEmpty else { return false }
                retry = (last.pattern, last.name.dropFirst())
                (pattern, name) = (last.pattern, last.name.dropFirst())
            }
        }
    }
}

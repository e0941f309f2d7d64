import CCrypto

/// A sound file that an announcement contains, or refers to by its hash.
public struct CarriedAudio: Hashable, Sendable {
    /// The size of the largest file, in bytes.
    public static let longest = 2 << 20

    /// The SHA-256 of the file, as 64 hexadecimal digits.
    public let hash: String
    /// The contents, or nil if the board has received the file before.
    public let bytes: [UInt8]?

    /// - Parameters:
    ///   - base64: the file, or nil if the announcement only refers to it.
    ///   - hash: the hash, or nil if the announcement only contains the file.
    ///   - key: the payload's key for the file, for error messages.
    /// - Returns: nil if there is neither a file nor a hash.
    init?(base64: String?, hash: String?, called key: String = "audio") throws(BadPayload) {
        let named = hash?.lowercased()
        if let named, !CarriedAudio.isHash(named) {
            throw BadPayload(description: "“audio_sha256” is not 64 hexadecimal digits")
        }
        guard let base64 else {
            guard let named else { return nil }
            (self.hash, bytes) = (named, nil)
            return
        }
        let bytes = try CarriedAudio.decode(base64, key)
        let computed = CarriedAudio.hash(of: bytes)
        if let named, named != computed {
            throw BadPayload(description: "“audio_sha256” is not that of “audio”, which is \(computed)")
        }
        (self.hash, self.bytes) = (computed, bytes)
    }

    /// Creates the audio from a downloaded file.
    init(_ bytes: [UInt8]) {
        hash = CarriedAudio.hash(of: bytes)
        self.bytes = bytes
    }

    private static func decode(_ base64: String, _ key: String) throws(BadPayload) -> [UInt8] {
        let text = Array(base64.utf8)
        guard text.count <= (longest + 2) / 3 * 4 else {
            throw BadPayload(description: "“\(key)” has more than \(longest) bytes")
        }
        // OpenSSL would also accept blanks around the text.
        guard !text.isEmpty, text.allSatisfy({ $0 > 0x20 }) else {
            throw BadPayload(description: "“\(key)” is not base64")
        }
        var bytes = [UInt8](repeating: 0, count: text.count / 4 * 3 + 3)
        let count = Int(EVP_DecodeBlock(&bytes, text, Int32(text.count)))
        guard count >= 0 else { throw BadPayload(description: "“\(key)” is not base64") }
        // The decoder also counts the padding.
        let padding = text.suffix(2).count { $0 == UInt8(ascii: "=") }
        bytes.removeSubrange((count - padding)...)
        guard bytes.count <= longest else { throw BadPayload(description: "“\(key)” has more than \(longest) bytes") }
        return bytes
    }

    /// Returns true if a text may be a `hash`.
    public static func isHash(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    static func hash(of bytes: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        _ = EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
        return digest.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
    }
}

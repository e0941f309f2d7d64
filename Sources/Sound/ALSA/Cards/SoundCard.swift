import Glibc

/// A sound card in the kernel's list. Unlike libasound's list, the kernel's list includes cards that this process
/// cannot open.
public struct SoundCard: Hashable, Sendable {
    /// The kernel's number, 0…31.
    public let number: Int
    /// The card's name in ALSA's addresses, such as `Headphones`.
    public let id: String
    /// The `errno` code with which opening the card's control device fails, or 0 if it succeeds.
    public let accessError: Int32

    public init(number: Int, id: String, accessError: Int32 = 0) {
        self.number = number
        self.id = id
        self.accessError = accessError
    }

    /// The cards of this system, in order of their numbers. Accessing this property reads a few files in `/sys` and
    /// allocates.
    public static var all: [SoundCard] {
        (0..<32).compactMap { number in
            guard let id = id(of: number) else { return nil }
            let error = access("/dev/snd/controlC\(number)", R_OK | W_OK) == 0 ? 0 : errno
            return SoundCard(number: number, id: id, accessError: error)
        }
    }

    private static func id(of number: Int) -> String? {
        let file = open("/sys/class/sound/card\(number)/id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(file, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 0x0a }, as: UTF8.self)
    }
}

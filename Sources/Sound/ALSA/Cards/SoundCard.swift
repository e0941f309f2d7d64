import Glibc

/// A sound card, as the kernel lists it to everybody, whether or not this process may open it. (For libasound, a card
/// that may not be opened does not exist.)
public struct SoundCard: Hashable, Sendable {
    public let number: Int
    /// The name that ALSA's addresses use, `Headphones`.
    public let id: String
    /// Why its control device cannot be opened, an `errno` code; 0 if it can.
    public let refusal: Int32

    public init(number: Int, id: String, refusal: Int32 = 0) {
        self.number = number
        self.id = id
        self.refusal = refusal
    }

    /// The cards of this system, by their numbers. Allocates, and reads a few files of the kernel's.
    public static var all: [SoundCard] {
        (0..<32).compactMap { number in
            guard let id = id(of: number) else { return nil }
            let refusal = access("/dev/snd/controlC\(number)", R_OK | W_OK) == 0 ? 0 : errno
            return SoundCard(number: number, id: id, refusal: refusal)
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

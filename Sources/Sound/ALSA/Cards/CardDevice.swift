import Spelling

/// A PCM of a sound card, as the kernel lists it. Unlike libasound, the kernel also lists devices that other programs
/// hold and that this process cannot open.
public struct CardDevice: Hashable, Sendable {
    public let card: SoundCard
    /// The number of the device on its card, counted from 0.
    public let number: Int
    /// The driver's name of the device, such as `bcm2835 Headphones`, with at most 80 bytes. It may contain any
    /// characters.
    public let name: String
    public let plays: Bool
    public let captures: Bool

    public init(card: SoundCard, number: Int, name: String, plays: Bool, captures: Bool) {
        self.card = card
        self.number = number
        self.name = name
        self.plays = plays
        self.captures = captures
    }

    /// True for a digital output of a monitor, whose samples must be packed. ALSA's `sysdefault` does that.
    public var isHDMI: Bool { [card.id, name].contains { $0.lowercased().contains("hdmi") } }

    /// True for a card that exists only in software.
    public var isVirtual: Bool { ["Loopback", "Dummy"].contains { card.id.hasPrefix($0) } }

    /// ALSA's name of the device, with which it can be opened most directly, such as `hw:CARD=Headphones` or
    /// `sysdefault:CARD=vc4hdmi0`.
    public var address: String {
        if isHDMI, number == 0 { return "sysdefault:CARD=\(card.id)" }
        return "\(isHDMI ? "plughw" : "hw"):CARD=\(card.id)" + (number == 0 ? "" : ",DEV=\(number)")
    }

    /// The devices of this system, in the kernel's order. Accessing this property reads a few files and allocates.
    public static var all: [CardDevice] { all(in: KernelText.read("/proc/asound/pcm"), of: SoundCard.all) }

    /// Parses the kernel's list, in which each device has a line such as
    /// `00-00: bcm2835 Headphones : bcm2835 Headphones : playback 8 : capture 1`.
    static func all(in list: String, of cards: [SoundCard]) -> [CardDevice] {
        list.split(separator: "\n").prefix(256).compactMap { line in
            // The names of a device may contain colons, so the end of the line is parsed first.
            var parts = line.split(separator: ":", omittingEmptySubsequences: false).map(\.trimmed)
            guard parts.count > 1 else { return nil }
            let numbers = parts.removeFirst().split(separator: "-").compactMap { Int($0) }
            guard numbers.count == 2, let card = cards.first(where: { $0.number == numbers[0] }) else { return nil }
            var (plays, captures) = (false, false)
            while let last = parts.last, let stream = ["playback ", "capture "].first(where: { last.hasPrefix($0) }) {
                if stream == "playback " { plays = true } else { captures = true }
                parts.removeLast()
            }
            let name = String(decoding: (parts.last { !$0.isEmpty } ?? card.id[...]).utf8.prefix(80), as: UTF8.self)
            return CardDevice(card: card, number: numbers[1], name: name, plays: plays, captures: captures)
        }
    }
}

extension [CardDevice] {
    /// The devices that play, the likeliest first. Cards that exist only in software come last, and monitors before
    /// them, because a board with another output usually has it for its loudspeakers.
    public var forPlayback: [CardDevice] {
        let rank = { (device: CardDevice) in device.isVirtual ? 2 : device.isHDMI ? 1 : 0 }
        return enumerated().filter(\.element.plays).sorted {
            (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
        }.map(\.element)
    }

    /// The devices that capture. Cards that exist only in software come last.
    public var forCapture: [CardDevice] {
        let capturing = filter(\.captures)
        return capturing.filter { !$0.isVirtual } + capturing.filter(\.isVirtual)
    }
}

import CALSA

extension PCMError {
    /// Why a device will not open, with what to do: libasound says "No such device" of a card that is unplugged, whose
    /// name is misspelt, and that this user may not open.
    /// - Parameter cards: the system's; looked up only if they matter.
    static func opening(_ device: String, code: Int32, cards: @autoclosure () -> [SoundCard]) -> PCMError {
        let advice: String? =
            switch abs(code) {
            case ENODEV, ENXIO, ENOENT, EINVAL: PCMError.advice(for: device, cards: cards())
            default: nil
            }
        return .system(code, operation: "open", device: device, advice: advice)
    }

    private static func advice(for device: String, cards: [SoundCard]) -> String? {
        guard let name = cardName(of: device) else { return nil }
        guard let card = cards.first(where: { $0.id == name || String($0.number) == name }) else {
            let isNumber = Int(name) != nil
            let list = cards.map { "\($0.number) (\($0.id))" }.joined(separator: ", ")
            return cards.isEmpty
                ? "there is no sound card at all: check its plug, power and driver"
                : "there is no card ‘\(name)’, only \(list): \(isNumber ? "" : "is the name misspelt, or ")"
                    + "is \(isNumber ? "the" : "its") card unplugged?"
        }
        switch card.refusal {
        case 0: return "the card ‘\(card.id)’ is there, but not this device of it: `aplay -l` lists them"
        case EACCES, EPERM:
            return "the card ‘\(card.id)’ is there, but this user may not open it: put the user in the group \"audio\""
        default: return nil
        }
    }

    /// The card that an address names: `hw:1,0`, `plughw:CARD=Headphones,DEV=0`. nil for one that names none.
    private static func cardName(of device: String) -> String? {
        guard let colon = device.firstIndex(of: ":") else { return nil }
        let arguments = device[device.index(after: colon)...].split(separator: ",", omittingEmptySubsequences: false)
        if let named = arguments.first(where: { $0.hasPrefix("CARD=") }) { return String(named.dropFirst(5)) }
        guard let first = arguments.first, !first.isEmpty, !first.contains(where: { "={'\"/".contains($0) }) else {
            return nil
        }
        return String(first)
    }
}

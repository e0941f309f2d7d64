import CALSA

/// Why audio could not be written to a device or file.
public struct PCMError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was tried, e.g. "open".
    public let operation: String
    /// Name of the PCM, or path of the file.
    public let device: String
    /// `errno` code, positive.
    public let code: Int32
    /// The library's words for it.
    public let message: String
    /// What a person can do.
    public let advice: String

    public init(operation: String, device: String, code: Int32, message: String, advice: String) {
        self.operation = operation
        self.device = device
        self.code = code
        self.message = message
        self.advice = advice
    }

    /// A fault of a running stream, in words.
    public init(_ fault: PCMFault, device: String) {
        self = .system(fault.code, operation: fault.operation.description, device: device)
    }

    public var description: String {
        "cannot \(operation) \"\(device)\": \(message); \(advice)"
    }

    /// An error in ALSA's words.
    /// - Parameter code: an `errno` code; ALSA returns it negative, which does not matter here.
    public static func system(
        _ code: Int32, operation: String, device: String, advice: String? = nil
    ) -> PCMError {
        let code = abs(code)
        return PCMError(
            operation: operation, device: device, code: code,
            message: snd_strerror(-code).map { String(cString: $0) } ?? "error \(code)",
            advice: advice ?? Self.advice(for: code))
    }

    private static func advice(for code: Int32) -> String {
        switch code {
        case ENOENT: "check the name; `aplay -L` lists the devices there are"
        case ETIMEDOUT: "it does not answer: check its cable, or restart its sound server"
        case ECONNREFUSED, EHOSTDOWN, ECONNRESET: "its sound server does not run: start it"
        case ENODEV, ENXIO: "the device is gone: check its plug and power"
        case EBUSY: "another program holds the device: close it, or use a mixing device such as \"default\""
        case EACCES, EPERM: "check the permissions; for a sound device the user must be in the group \"audio\""
        case ENOSPC, EDQUOT: "make room on the disk, or write elsewhere"
        case EINVAL: "the device does not support this; try another format, or a \"plug:\" device"
        default: "see the system's log for what the device says"
        }
    }
}

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

/// A call that failed, in a form that a real-time thread can throw: no words, nothing to allocate. `PCMError` has the
/// words.
public struct PCMFault: Error, Sendable, Hashable {
    public let operation: PCMOperation
    /// `errno` code, positive.
    public let code: Int32

    @_noLocks @_noAllocation
    public init(_ operation: PCMOperation, code: Int32) {
        self.operation = operation
        self.code = code < 0 ? 0 &- code : code
    }
}

/// What was tried with a running PCM.
public enum PCMOperation: Int, Sendable, Hashable, CustomStringConvertible {
    case write, askRoom, askDelay, prepare, start, resume, rewind, drop, play, open

    public var description: String {
        switch self {
        case .write: "write to"
        case .askRoom: "ask for room in"
        case .askDelay: "ask for the delay of"
        case .prepare: "prepare"
        case .start: "start"
        case .resume: "resume"
        case .rewind: "take back from"
        case .drop: "stop"
        case .play: "play on"
        case .open: "open"
        }
    }
}

/// What brings a running PCM back after a call failed.
public enum PCMRemedy: Sendable, Hashable {
    /// The call was interrupted: try again at once.
    case tryAgain
    /// It takes nothing at the moment: try again later.
    case wait
    /// What was queued has been played or is lost: prepare, fill and start anew.
    case prepare
    /// The system slept: resume, and where the hardware cannot, prepare.
    case resume
    /// It is gone, or broken in a way that only opening it anew may mend.
    case reopen

    /// - Parameters:
    ///   - code: `errno` code, positive.
    ///   - state: the PCM's state after the call.
    @_noLocks @_noAllocation
    public init(for code: Int32, in state: PCMState) {
        switch (code, state) {
        case (_, .disconnected), (ENODEV, _): self = .reopen
        case (EINTR, _): self = .tryAgain
        case (EAGAIN, .running), (EAGAIN, .prepared): self = .wait
        case (ESTRPIPE, _), (_, .suspended): self = .resume
        // An underrun; or somebody stopped it behind our back (EBADFD: not in the right state).
        case (EPIPE, _), (_, .underrun), (EBADFD, .setup), (EBADFD, .draining), (EBADFD, .paused): self = .prepare
        case (EAGAIN, _): self = .wait
        default: self = .reopen
        }
    }
}

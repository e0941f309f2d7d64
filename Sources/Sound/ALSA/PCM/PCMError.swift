import CALSA
import Spelling

/// A failed operation on a PCM, a mixer or an audio file. The error describes what was attempted, why it failed, and
/// what a technician can do about it.
public struct PCMError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A verb, with a preposition if needed, such as "open" or "write to".
    public let operation: String
    /// The name of the PCM or mixer, or the path of the file.
    public let device: String
    /// The positive `errno` code.
    public let code: Int32
    /// The library's own message.
    public let message: String
    /// The advice to a technician.
    public let advice: String
    /// The program that holds the device, or nil if no program holds it or the program is unknown.
    public let holder: DeviceHolder?

    public init(
        operation: String, device: String, code: Int32, message: String, advice: String, holder: DeviceHolder? = nil
    ) {
        self.operation = operation
        self.device = device
        self.code = code
        self.message = message
        self.advice = advice
        self.holder = holder
    }

    /// Describes a fault of a running stream. It allocates, so a real-time thread must not call it.
    public init(_ fault: PCMFault, device: String) {
        self = .system(fault.code, operation: fault.operation.description, device: device)
    }

    public var description: String {
        "cannot \(operation) \"\(device)\": \(message). \(advice.sentenceCased)"
    }

    /// Creates an error for a failed call, with ALSA's message.
    /// - Parameters:
    ///   - code: the `errno` code, positive or negated.
    ///   - operation: the attempted operation, as in the property `operation`.
    ///   - device: the name of the PCM or mixer, or the path of the file.
    ///   - advice: the advice to a technician, or nil for the advice that follows from `code`.
    public static func system(
        _ code: Int32, operation: String, device: String, advice: String? = nil
    ) -> PCMError {
        let code = abs(code)
        return PCMError(
            operation: operation, device: device, code: code, message: message(of: code),
            advice: advice ?? Self.advice(for: code))
    }

    private static func message(of code: Int32) -> String {
        snd_strerror(-code).map { String(cString: $0) } ?? "error \(code)"
    }

    private static func advice(for code: Int32) -> String {
        switch code {
        case ENOENT: "check the name among the devices that `aplay -L` lists"
        case ETIMEDOUT: "check the device's cable, or restart its sound server"
        case ECONNREFUSED, EHOSTDOWN, ECONNRESET: "start its sound server"
        case ENODEV, ENXIO: "check its connection and power"
        case EBUSY: "close the program that uses the device, or use a mixing device such as \"default\""
        case EACCES, EPERM: "check the permissions (for a sound device, the user must be in the group \"audio\")"
        case ENOSPC, EDQUOT: "free some disk space, or write elsewhere"
        case EINVAL: "try another format, or a \"plug:\" device"
        default: "check the system's log for messages about the device"
        }
    }
}

extension PCMError {
    /// Creates an error for a device that cannot be opened, with specific advice. This is needed because libasound
    /// reports "No such device" if the card is unplugged, if its name is misspelt, and also if the user does not have
    /// permission.
    /// - Parameters:
    ///   - cards: the system's cards. The list is read only if it is needed.
    ///   - holder: the program that holds the device. It is looked up only if the device is busy.
    static func opening(
        _ device: String, code: Int32, cards: @autoclosure () -> [SoundCard],
        holder: @autoclosure () -> DeviceHolder? = nil
    ) -> PCMError {
        if abs(code) == EBUSY, let holder = holder() {
            return PCMError(
                operation: "open", device: device, code: EBUSY, message: "it is held by \(holder)",
                advice: "end that program, or use a mixing device such as \"default\"", holder: holder)
        }
        let advice: String? =
            switch abs(code) {
            case ENODEV, ENXIO, ENOENT, EINVAL: PCMError.advice(for: device, cards: cards())
            default: nil
            }
        return .system(code, operation: "open", device: device, advice: advice)
    }

    private static func advice(for device: String, cards: [SoundCard]) -> String? {
        guard let name = cardName(of: device) else { return nil }
        guard let card = cards.first(where: { $0.matches(name) }) else {
            let isNumber = Int(name) != nil
            let list = cards.map { "\($0.number) (\($0.id))" }.joined(separator: ", ")
            return cards.isEmpty
                ? "there is no sound card: check its connection, power and driver"
                : "there is no card ‘\(name)’, only \(list): \(isNumber ? "" : "is the name misspelt, or ")"
                    + "is the card unplugged?"
        }
        switch card.accessError {
        case 0: return "the card ‘\(card.id)’ does not have this device: `aplay -l` lists its devices"
        case EACCES, EPERM:
            return "this user does not have permission to use the card ‘\(card.id)’: add it to the group \"audio\""
        default: return nil
        }
    }

    /// The card in an address such as `hw:1,0` or `plughw:CARD=Headphones,DEV=0`, or nil if the address does not
    /// contain a card.
    static func cardName(of device: String) -> String? {
        guard let colon = device.firstIndex(of: ":") else { return nil }
        let arguments = device[device.index(after: colon)...].split(separator: ",", omittingEmptySubsequences: false)
        if let named = arguments.first(where: { $0.hasPrefix("CARD=") }) { return String(named.dropFirst(5)) }
        guard let first = arguments.first, !first.isEmpty, !first.contains(where: { "={'\"/".contains($0) }) else {
            return nil
        }
        return String(first)
    }
}

/// A failed call for a running stream, in a form that a real-time thread can throw without allocating.
/// `PCMError(_:device:)` describes it in words.
public struct PCMFault: Error, Sendable, Hashable {
    public let operation: PCMOperation
    /// The positive `errno` code.
    public let code: Int32

    @_noLocks @_noAllocation
    public init(_ operation: PCMOperation, code: Int32) {
        self.operation = operation
        self.code = code < 0 ? 0 &- code : code
    }
}

/// An operation on a running PCM.
public enum PCMOperation: Int, Sendable, Hashable, CustomStringConvertible {
    case write, queryFreeSpace, queryDelay, prepare, start, resume, rewind, drop, play, open, read, queryFrames, capture

    public var description: String {
        switch self {
        case .write: "write to"
        case .queryFreeSpace: "query free space on"
        case .queryDelay: "query the delay of"
        case .prepare: "prepare"
        case .start: "start"
        case .resume: "resume"
        case .rewind: "rewind"
        case .drop: "stop"
        case .play: "play on"
        case .open: "open"
        case .read: "read from"
        case .queryFrames: "query the captured frames of"
        case .capture: "capture from"
        }
    }
}

/// The action that recovers a running PCM after a failed call.
public enum PCMRemedy: Sendable, Hashable {
    /// The call was interrupted, so repeat it at once.
    case tryAgain
    /// The device has no room at the moment, so try again later.
    case wait
    /// The queued frames have been played or are lost. Prepare, fill and start the PCM again.
    case prepare
    /// The system was suspended. Resume the PCM, or prepare it if the hardware cannot resume.
    case resume
    /// The device has disappeared, or its state allows nothing but reopening it.
    case reopen

    /// - Parameters:
    ///   - code: the `errno` code, which is positive.
    ///   - state: the PCM's state after the call.
    @_noLocks @_noAllocation
    public init(for code: Int32, in state: PCMState) {
        switch (code, state) {
        case (_, .disconnected), (ENODEV, _): self = .reopen
        case (EINTR, _): self = .tryAgain
        case (EAGAIN, .running), (EAGAIN, .prepared): self = .wait
        case (ESTRPIPE, _), (_, .suspended): self = .resume
        // An underrun or another event has stopped the PCM. EBADFD means that the PCM is in the wrong state.
        case (EPIPE, _), (_, .underrun), (EBADFD, .setup), (EBADFD, .draining), (EBADFD, .paused): self = .prepare
        case (EAGAIN, _): self = .wait
        default: self = .reopen
        }
    }
}

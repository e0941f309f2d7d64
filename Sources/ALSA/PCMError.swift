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

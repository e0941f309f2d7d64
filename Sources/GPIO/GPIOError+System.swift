import Glibc

extension GPIOError {
    /// A call that failed, in the system's words.
    ///
    /// - Parameter consumer: who has the line, in case it is busy.
    static func system(
        _ code: Int32, _ operation: String, _ subject: String, consumer: String? = nil
    ) -> GPIOError {
        let words = strerror(code).map { String(cString: $0) } ?? "error \(code)"
        let reason: Reason
        var message = words
        let advice: String
        switch code {
        case EBUSY:
            reason = .busy(consumer: consumer)
            message += consumer.map { ": ‘\($0)’ has it" } ?? ": somebody else has it"
            advice = "stop that program, or the kernel's driver that took it, or use another line"
        case EACCES, EPERM:
            reason = .permission
            advice = "be root, or join the group that owns the chips (usually gpio; `ls -l /dev/gpiochip*` shows it)"
        case ENODEV, ENXIO, ENOENT:
            reason = .gone
            advice = "the chip is gone: check its plug and power, and what the kernel says (`dmesg`)"
        case ENOTTY:
            reason = .system
            advice = "this is no GPIO chip"
        case EINVAL:
            reason = .system
            advice = "the line cannot do this: see what the chip's driver supports, or use another line"
        case EMFILE, ENFILE:
            reason = .system
            advice = "too many files are open: close some, or raise the limit"
        default:
            reason = .system
            advice = "see what the kernel says (`dmesg`)"
        }
        return GPIOError(
            reason, operation: operation, subject: subject, code: code, message: message, advice: advice)
    }

    /// The same error, said of something else.
    func of(_ subject: String, consumer: String? = nil) -> GPIOError {
        guard let code else {
            return GPIOError(reason, operation: operation, subject: subject, message: message, advice: advice)
        }
        return .system(code, operation, subject, consumer: consumer)
    }
}

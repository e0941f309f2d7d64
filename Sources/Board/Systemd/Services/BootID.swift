import Glibc

/// Which boot of the kernel this is, as the journal names it: 32 hexadecimal digits.
public enum BootID {
    /// nil: unknown; a service with `ProcSubset=pid` cannot read it.
    public static var kernel: String? {
        let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(file, &bytes, bytes.count)
        return count > 0 ? parse(String(decoding: bytes[..<count], as: UTF8.self)) : nil
    }

    /// A UUID with or without hyphens; nil if it is none.
    public static func parse(_ text: String) -> String? {
        let digits = text.lowercased().filter { $0 != "-" && !$0.isNewline }
        return digits.count == 32 && digits.allSatisfy(\.isHexDigit) ? digits : nil
    }
}

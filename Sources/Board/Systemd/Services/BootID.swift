import Files

/// Which boot of the kernel this is, as the journal names it: 32 hexadecimal digits.
public enum BootID {
    /// nil: unknown; a service with `ProcSubset=pid` cannot read it.
    public static var kernel: String? {
        OpenFile.firstLine(of: "/proc/sys/kernel/random/boot_id").flatMap(parse)
    }

    /// A UUID with or without hyphens; nil if it is none.
    public static func parse(_ text: String) -> String? {
        let digits = text.lowercased().filter { $0 != "-" && !$0.isNewline }
        return digits.count == 32 && digits.allSatisfy(\.isHexDigit) ? digits : nil
    }
}

import Files

/// The ID of the present boot, as the journal writes it: 32 hexadecimal digits.
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

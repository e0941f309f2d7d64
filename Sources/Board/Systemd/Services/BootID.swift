import Files

/// The ID of the current boot in the format of the journal, which is 32 hexadecimal digits.
public enum BootID {
    /// The ID in the kernel, or nil if it is unknown. A service with `ProcSubset=pid` cannot read it.
    public static var kernel: String? {
        OpenFile.firstLine(of: "/proc/sys/kernel/random/boot_id").flatMap(parse)
    }

    /// Parses a UUID with or without hyphens, or nil for any other text.
    public static func parse(_ text: String) -> String? {
        let digits = text.lowercased().filter { $0 != "-" && !$0.isNewline }
        return digits.count == 32 && digits.allSatisfy(\.isHexDigit) ? digits : nil
    }
}

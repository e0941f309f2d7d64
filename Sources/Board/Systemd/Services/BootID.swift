import Files

/// The ID of the current boot in the format of the journal, which is 32 hexadecimal digits.
public enum BootID {
    /// The ID that the kernel reports, or nil if it cannot be read. A service with `ProcSubset=pid` cannot read it.
    public static var kernel: String? {
        OpenFile.firstLine(of: "/proc/sys/kernel/random/boot_id").flatMap(parse)
    }

    /// Converts a UUID with or without hyphens to this format, and returns nil for any other text.
    public static func parse(_ text: String) -> String? {
        let digits = text.lowercased().filter { $0 != "-" && !$0.isNewline }
        return digits.count == 32 && digits.allSatisfy(\.isHexDigit) ? digits : nil
    }
}

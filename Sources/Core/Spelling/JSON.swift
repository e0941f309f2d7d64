/// Writes the few kinds of JSON values that traces and listings need.
public enum JSON {
    public static func string(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            // DEL and C1 are escaped as well, because a terminal can interpret them like C0.
            case _ where scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value):
                result += "\\u" + String(scalar.value + 0x10000, radix: 16).dropFirst()
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// Returns a JSON object.
    /// - Parameter members: names, and values that are already JSON.
    public static func object(_ members: [(String, String)]) -> String {
        "{" + members.map { "\(string($0)):\($1)" }.joined(separator: ",") + "}"
    }

    /// Returns a JSON array.
    /// - Parameter values: texts that are already JSON.
    public static func list(_ values: [String]) -> String { "[" + values.joined(separator: ",") + "]" }

    public static func array(_ texts: [String]) -> String { "[" + texts.map(string).joined(separator: ",") + "]" }
}

/// The programs that are built beside the test bundle.
public enum BuiltProgram {
    struct NotFound: Error, CustomStringConvertible {
        let description = "the path of the test bundle is not among the arguments"
    }

    /// Returns the path of a program.
    public static func path(_ name: String) throws -> String {
        guard let bundle = CommandLine.arguments.first(where: { $0.contains(".xctest") }),
            let slash = bundle.lastIndex(of: "/")
        else { throw NotFound() }
        return bundle[..<slash] + "/" + name
    }
}

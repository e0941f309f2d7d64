/// One of `tacet`'s sub-commands.
protocol Subcommand {
    static var name: String { get }
    /// Its name and arguments.
    static var usage: String { get }
    static var summary: String { get }
    /// All about it.
    static var help: String { get }

    static func run(_ arguments: [String]) throws -> ExitCode
}

/// As sysexits.h and the documentation have them.
enum ExitCode: Int32 {
    case done = 0
    case failed = 1
    case usage = 64
}

/// The command line was not understood.
struct UsageError: Error {
    let message: String
    var subcommand: String?

    init(_ message: String, subcommand: String? = nil) {
        self.message = message
        self.subcommand = subcommand
    }
}

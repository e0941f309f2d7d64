/// One of `tacet`'s sub-commands.
protocol Subcommand {
    static var manual: Manual { get }

    /// - Parameter options: the options and operands. They contain only options that the manual allows.
    static func run(_ options: Options) throws -> ExitCode
}

/// An exit code from sysexits.h, or that of a command that was run.
struct ExitCode: Hashable {
    let rawValue: Int32

    static let done = ExitCode(rawValue: 0)
    static let failed = ExitCode(rawValue: 1)
    static let usage = ExitCode(rawValue: 64)
    /// EX_UNAVAILABLE.
    static let notRunning = ExitCode(rawValue: 69)
}

/// An error which means that the command line was not understood.
struct UsageError: Error {
    let message: String
    var subcommand: String?

    init(_ message: String, subcommand: String? = nil) {
        self.message = message
        self.subcommand = subcommand
    }
}

/// One of `tacet`'s sub-commands.
protocol Subcommand {
    static var manual: Manual { get }

    /// - Parameter options: only options that the manual allows.
    static func run(_ options: Options) throws -> ExitCode
}

/// From sysexits.h.
enum ExitCode: Int32 {
    case done = 0
    case failed = 1
    case usage = 64
    /// EX_UNAVAILABLE.
    case notRunning = 69
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

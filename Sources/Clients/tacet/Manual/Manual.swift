/// The single description of a sub-command, which the parser, `--help`, the manual page and the shells' completions
/// use.
struct Manual {
    /// The words with which the shells complete an argument.
    enum Completion: Hashable {
        case file, folder
        case words([String])
        case nothing
    }

    /// The value of an option.
    struct Value {
        let name: String
        let completion: Completion

        init(_ name: String, _ completion: Completion) {
            self.name = name
            self.completion = completion
        }
    }

    struct Option {
        /// The name with its dashes.
        let name: String
        /// The value, or nil if the option is a switch.
        let value: Value?
        let summary: String
        /// True if the option may be given several times.
        let repeats: Bool

        init(_ name: String, _ value: Value?, _ summary: String, repeats: Bool = false) {
            self.name = name
            self.value = value
            self.summary = summary
            self.repeats = repeats
        }

        /// The name and the value, such as `--config FILE`.
        var usage: String { name + (value.map { " \($0.name)" } ?? "") }
    }

    /// An argument that is not an option.
    struct Operand {
        /// The number of arguments: one, one that may contain spaces, or any number.
        enum Count { case one, phrase, any }

        let name: String
        /// The name in error messages.
        let noun: String
        let count: Count
        let completion: Completion

        init(_ name: String, _ noun: String, _ count: Count, _ completion: Completion) {
            self.name = name
            self.noun = noun
            self.count = count
            self.completion = completion
        }

        var usage: String { count == .any ? "[\(name)…]" : name }
    }

    /// Examples and lists, with their line breaks and spaces.
    struct Listing {
        let introduction: String
        let lines: String

        init(_ introduction: String, _ lines: String) {
            self.introduction = introduction
            self.lines = lines
        }
    }

    /// A command for the section EXAMPLES of the manual page.
    struct Example {
        /// A sentence that says what the command does.
        let purpose: String
        /// The command as somebody types it, with its line breaks.
        let command: String

        init(_ purpose: String, _ command: String) {
            self.purpose = purpose
            self.command = command
        }
    }

    let name: String
    /// The summary, without a capital letter or a full stop.
    let summary: String
    /// Other names of the sub-command.
    var aliases: [String] = []
    var operand: Operand?
    /// True if a command to run can follow after ‘--’.
    var takesCommand = false
    var options: [Option] = []
    /// The paragraphs, which empty lines separate.
    let text: String
    var listing: Listing?
    var examples: [Example] = []
    /// The meaning of exit code 1.
    var failure = "failed"
    /// True if it uses the running daemon.
    var asksDaemon = false

    /// The option that every sub-command has.
    static let help = Option("--help", nil, "print this help")

    /// The name and the aliases.
    var names: [String] { [name] + aliases }

    var paragraphs: [String] {
        var paragraphs: [String] = [""]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty { paragraphs.append("") } else { paragraphs[paragraphs.count - 1] += line }
        }
        guard !aliases.isEmpty else { return paragraphs }
        return paragraphs + ["‘tacet \(aliases.joined(separator: "’ and ‘tacet "))’ is the same command."]
    }

    var exitCodes: [(code: ExitCode, meaning: String)] {
        [(.done, "done"), (.failed, failure), (.usage, "the command line is wrong")]
            + (asksDaemon ? [(.notRunning, "the daemon is not running or cannot be reached")] : [])
    }
}

import Clocks
import Configuration
import Files
import Glibc
import ResumeStore

/// `tacet state`: explains a saved state, intact or damaged.
enum StateCommand: Subcommand {
    static let manual = Manual(
        name: "state", summary: "explain a saved state, intact or damaged",
        operand: .init("FILE", "file", .any, .file),
        options: [
            .init("--json", nil, "print one JSON object per file"),
            .init(
                "--config", .init("FILE", .file),
                "use this configuration file, which determines what a boot would do, instead of the installed one"),
        ],
        text: """
            Shows the contents of a saved state, its age and its damaged parts, and says what a boot from it would do. FILE \
            is a file such as state or state.damaged, or the folder of one. Without FILE, the program shows the state of the \
            configuration.

            The file has two slots that are written alternately, so one of them is always intact. The intact slot with the \
            higher number is used. A damaged slot beside it is not a fault, because the power may have failed during a \
            write.
            """,
        failure: "at least one of the files cannot be read")

    static func run(_ options: Options) throws -> ExitCode {
        let configuration = try configuration(options.values["--config"], isNeeded: options.operands.isEmpty)
        let paths = options.operands.isEmpty ? [configuration?.state.directory].compactMap { $0 } : options.operands
        var areRead = !paths.isEmpty
        for (number, path) in paths.enumerated() {
            if number > 0, !options.flags.contains("--json") { Terminal.say("") }
            if !show(path, configuration, options) { areRead = false }
        }
        return areRead ? .done : .failed
    }

    /// - Returns: true if the file contains a readable state.
    private static func show(_ path: String, _ configuration: Configuration?, _ options: Options) -> Bool {
        let file = isFolder(path) ? path + "/state" : path
        let image: StateImage
        do throws(FileError) {
            image = StateImage(try OpenFile.open(file, O_RDONLY | O_NONBLOCK).readAll(limit: StateImage.longest))
        } catch {
            Terminal.complain("tacet: \(error)")
            if error.code == ENOENT {
                Terminal.complain("tacet: without a saved state, Tacet starts as at its first boot")
            }
            return false
        }
        let listing = StateListing(file, image, configuration, now: SystemClock.wallClock)
        if options.flags.contains("--json") {
            Terminal.say(listing.json)
        } else {
            Terminal.say(listing.text)
        }
        return listing.reading != nil
    }

    /// Loads the configuration. A state can be shown without one, unless only the configuration names its location.
    private static func configuration(_ file: String?, isNeeded: Bool) throws -> Configuration? {
        do throws(ConfigurationError) {
            return try Configuration.load(file.map { .file($0) } ?? .system, checksLibrary: false).configuration
        } catch {
            if file != nil || isNeeded { throw error }
            Terminal.complain(
                "tacet: cannot determine what a boot would do, because the configuration is not valid; ‘tacet check’ lists its "
                    + "mistakes, and --config FILE selects another one")
            return nil
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

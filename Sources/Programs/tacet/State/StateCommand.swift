import Configuration
import Files
import Glibc
import ResumeStore

/// `tacet state`: a saved state, whole or damaged.
enum StateCommand: Subcommand {
    static let manual = Manual(
        name: "state", summary: "explain a saved state, whole or damaged",
        operand: .init("FILE", "file", .any, .file),
        options: [
            .init("--json", nil, "one JSON object a file"),
            .init(
                "--config", .init("FILE", .file),
                "the configuration, which says what a boot would do; without it, the installed one"),
        ],
        text: """
            Shows what a saved state holds, how old it is, what a boot from it would do, and what of it is damaged. \
            FILE is a state, a state.damaged, or the folder of one; without it, that of the configuration.

            The file has two slots, which are written in turn, so that one of them is always whole. Of the whole ones \
            the one with the higher number counts. That the other one is damaged is what a power cut in the midst of a \
            write leaves behind, and no fault.
            """,
        failure: "there is none that can be read, or not in each of the files")

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

    /// - Returns: whether there is a state in it that can be read.
    private static func show(_ path: String, _ configuration: Configuration?, _ options: Options) -> Bool {
        let file = isFolder(path) ? path + "/state" : path
        let image: StateImage
        do throws(FileError) {
            image = StateImage(try OpenFile.open(file, O_RDONLY | O_NONBLOCK).readAll(limit: StateImage.longest))
        } catch {
            Terminal.complain("tacet: \(error)")
            if error.code == ENOENT { Terminal.complain("tacet: without a saved state, a boot is a first one") }
            return false
        }
        let listing = StateListing(file, image, configuration, now: now())
        if options.flags.contains("--json") {
            Terminal.say(listing.json)
        } else {
            Terminal.say(listing.text)
        }
        return listing.reading != nil
    }

    /// A state can be looked at where there is no configuration, unless that has to say where it is.
    private static func configuration(_ file: String?, isNeeded: Bool) throws -> Configuration? {
        do throws(ConfigurationError) {
            return try Configuration.load(file.map { .file($0) } ?? .system, checksLibrary: false).configuration
        } catch {
            if file != nil || isNeeded { throw error }
            Terminal.complain(
                "tacet: what a boot would do is left out, as no configuration can be read: ‘tacet check’ says why, and "
                    + "--config FILE names another")
            return nil
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

import Configuration
import GPIO
import Glibc
import SessionClient
import Systemd
import Vocabulary

/// `tacet lines`: lists the board's GPIO chips and lines, for wiring it up.
enum LinesCommand: Subcommand {
    static let manual = Manual(
        name: "lines", summary: "list the board's GPIO lines, their users and levels",
        options: [
            .init("--all", nil, "include lines that have neither a name nor a user"),
            .init("--levels", nil, "read the level of every free input"),
            .init("--json", nil, "print one JSON object that contains every line"),
            .init("--config", .init("FILE", .file), "use this configuration file instead of the installed one"),
            DaemonConnection.option,
        ],
        text: """
            Lists the GPIO chips and their lines. For each line it shows the offset, name, direction, bias, electrical level \
            and user, and the signal, button or output on it. Lines that have neither a name nor a user and are not in the \
            configuration are left out. A line whose chip cannot report edges is polled, and the list says how often.

            The running service supplies the levels of the lines that it holds. Other levels can be read only from inputs \
            that no program uses. Without --levels, only lines that the configuration names are read, with the Bias= of \
            the configuration, so that you can try a contact before the service runs.

            Reading a line requests and releases it, and some chips then turn the pin into a plain input. A Raspberry Pi \
            does this even with a pin that serves a UART, I²C or sound, although such a pin looks like a free input. Use \
            --levels only where this does no harm.
            """)

    static func run(_ options: Options) throws -> ExitCode {
        let wires = try wires(options.values["--config"])
        let board = Board.scan()
        var listing = LineListing(board, wires: wires)
        listing.readLevels(all: options.flags.contains("--levels"), by: level)
        let session = try DaemonConnection.session(options, without: "the levels of the lines that the service holds")
        listing.take(LineListing.Held.all(session[.lines]))
        listing.take(polled: session[.polledLines])

        if options.flags.contains("--json") {
            Terminal.say(listing.json)
        } else {
            Terminal.say(listing.text(all: options.flags.contains("--all")))
        }
        if let absence = board.absence {
            Terminal.complain("tacet: \(absence)")
            return .failed
        }
        for problem in listing.problems { Terminal.complain("tacet: \(problem)") }
        return .done
    }

    /// Returns the configured wires. Lines can be listed without a valid configuration, unless `--config` selects one.
    private static func wires(_ file: String?) throws -> [Wire] {
        do throws(ConfigurationError) {
            let loaded = try Configuration.load(file.map { .file($0) } ?? .system)
            return Wire.all(of: loaded.configuration)
        } catch {
            if file != nil { throw error }
            Terminal.complain(
                "\(error)\ntacet: the list does not show what the lines are for, because there is no valid configuration"
            )
            return []
        }
    }

    private static func level(_ chip: ChipInfo, _ line: LineSetting) -> Bool? {
        let request = try? LineRequest(levelsOf: [line], of: chip.path, consumer: "tacet lines")
        // This is the settling time for the bias. A bias of 50 kΩ charges ten metres of cable (1 nF) in a quarter of
        // this time.
        usleep(1000)
        return (try? request?.levels())?.first
    }
}

import Configuration
import GPIO
import Glibc
import SessionClient

/// `tacet lines`: the board's GPIO chips and lines, for wiring it up.
enum LinesCommand: Subcommand {
    static let manual = Manual(
        name: "lines", summary: "list the board's GPIO lines, their users and levels",
        options: [
            .init("--all", nil, "lines without a name or a user as well"),
            .init("--levels", nil, "read the level of every free input"),
            .init("--json", nil, "one JSON object, with every line"),
            .init("--config", .init("FILE", .file), "the configuration; without it, the installed one"),
            DaemonConnection.option,
        ],
        text: """
            Lists the GPIO chips, and of their lines those that have a name, a user or a place in the configuration: \
            number, name, direction, bias, electrical level, who uses it, and which signal or button it is for.

            The levels of the lines that the running service holds come from the service. Of the others, a level can be \
            read only of an input that nobody uses, and without --levels is read only of lines that the configuration names, with the Bias= that it has there: a contact \
            can be tried before the service runs. To read it, a line is taken and let go of, \
            and some chips then make a plain input of its pin: a Raspberry Pi's does, also of a pin that serves as a \
            UART, as I²C or for sound, though it looks like a free input. Use --levels on a board where nothing can be \
            disturbed by that.
            """)

    static func run(_ options: Options) throws -> ExitCode {
        let wires = try wires(options.values["--config"])
        let board = Board.scan()
        var listing = LineListing(board, wires: wires)
        listing.readLevels(all: options.flags.contains("--levels"), by: level)
        listing.take(try heldLines(options))

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

    /// A board can be listed before its configuration is right: only one that was asked for has to be.
    private static func wires(_ file: String?) throws -> [Wire] {
        do throws(ConfigurationError) {
            let loaded = try Configuration.load(file.map { .file($0) } ?? .system)
            return Wire.all(of: loaded.configuration)
        } catch {
            if file != nil { throw error }
            Terminal.complain("\(error)\ntacet: without a configuration, the list does not say what the lines are for")
            return []
        }
    }

    /// Those of the running service. Without one, nobody holds a line for it.
    private static func heldLines(_ options: Options) throws -> [LineListing.Held] {
        do {
            let session = try DaemonConnection(options).properties(of: SessionAddress.session)
            return LineListing.Held.all(session["Lines"])
        } catch is DaemonConnection.Unreachable {
            return []
        } catch let error as DaemonConnection.Refusal {
            Terminal.complain("\(error)\ntacet: the list lacks the levels of the lines that the service holds")
            return []
        }
    }

    private static func level(_ chip: ChipInfo, _ line: LineSetting) -> Bool? {
        let request = try? LineRequest(levelsOf: [line], of: chip.path, consumer: "tacet lines")
        // A resistor of 50 kΩ pulls ten metres of cable (1 nF) within a quarter of that.
        usleep(1000)
        return (try? request?.levels())?.first
    }
}

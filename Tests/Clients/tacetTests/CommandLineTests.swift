import AudioSession
import Configuration
import Foundation
import Testing

@testable import tacet

@Suite struct CommandLineTests {
    @Test func missingOperandIsNamedWithItsArticle() throws {
        #expect(try Program.run("simulate").errors.contains("name a scenario"))
        #expect(try Program.run("record").errors.contains("name an action"))
    }

    /// Options that say where the daemon is do not say what to play.
    @Test func playOnAnotherBusNeedsNoName() throws {
        let nowhere = [
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
        ]
        for bus in ["--bus=user", "--bus=system"] {
            let result = try Program.run(["play", bus], environment: nowhere)
            #expect(result.code == 69, "\(result)")
        }
        #expect(try Program.run("play", "--bus=user", "--at", "1:30").code == 64)
    }

    @Test func everySubcommandPrintsHelp() throws {
        let names = CommandLineTool.subcommands.map { $0.manual.name }
        for arguments in [["--help"], ["check", "-h"]] + names.map({ [$0, "--help"] }) {
            let result = try Program.run(arguments)
            #expect(result.code == 0 && result.output.hasPrefix("Usage: tacet") && result.errors.isEmpty)
        }
    }

    @Test func versionIsPrinted() throws {
        let result = try Program.run("--version")
        #expect(result.code == 0 && result.errors.isEmpty)
        #expect(result.output.wholeMatch(of: /tacet [0-9]+\.[0-9]+\.[0-9]+\n/) != nil, "\(result.output)")
    }

    @Test(arguments: [
        ([], "name a sub-command"),
        (["simulat"], "there is no sub-command ‘simulat’: did you mean ‘simulate’?"),
        (["simulate"], "name a scenario"),
        (["simulate", "a", "b"], "name one scenario only"),
        (["simulate", "a", "--wave", "x"], "there is no option ‘--wave’: did you mean ‘--wav’?"),
        (["simulate", "a", "--wav"], "--wav needs a value: --wav OUT.wav"),
        (["simulate", "a", "--config"], "--config needs a value: --config FILE"),
        (["simulate", "a", "--config", "--wav", "x"], "--config needs a value: --config FILE"),
        (["state", "a", "--config="], "--config needs a value: --config FILE"),
        (["simulate", "a", "--wav", "x", "--wav", "y"], "--wav is given twice"),
        (["simulate", "a", "--wav", "x", "--trace", "x"], "two outputs have the same name"),
        (["simulate", "a", "--notifications"], "--notifications is for the picture: add --timeline OUT.svg"),
        (["check", "--fast"], "there is no option ‘--fast’"),
        (["lines", "--lvels"], "there is no option ‘--lvels’: did you mean ‘--levels’?"),
        (["lines", "--all=yes"], "--all takes no value"),
        (["seek"], "name a position"),
        (
            ["seek", "banana"],
            "‘banana’ is not a position: write 1:30, 1:02:03, 90s or 1min 30s, or a step such as +10s"
        ),
        (["seek", "1:75"], "‘1:75’ is not a position: write 1:30"),
        (["seek", "5s", "banana"], "‘5s banana’ is not a position"),
        (["volume", "loud"], "‘loud’ is not a level: write a level from -120dB to 0dB, such as -6dB"),
        (["volume", "6dB"], "‘6dB’ is out of range: write a level from -120dB to 0dB"),
        (["volume", "120%"], "‘120%’ is out of range: write a percentage from 0% to 100%"),
        (["volume", "+90dB"], "‘+90dB’ is out of range: write a step of at most 60dB, such as +3dB"),
        (["record", "pause"], "write ‘tacet record start’ or ‘tacet record stop’"),
        (["lines", "PHONE_CALL"], "unexpected argument ‘PHONE_CALL’"),
    ]) func rejectsInvalidArguments(arguments: [String], complaint: String) throws {
        let result = try Program.run(arguments)
        #expect(result.code == 64 && result.output.isEmpty)
        #expect(result.errors.hasPrefix("tacet: \(complaint)"), "\(result.errors)")
    }

    /// Every notation of a position becomes the same command.
    @Test(arguments: [
        (["1:30"], 90), (["1:02:03"], 3723), (["90s"], 90), (["1min 30s"], 90), (["1min", "30s"], 90),
        (["1min30s", "--json"], 90),
    ]) func seekAcceptsEveryNotationOfAPosition(arguments: [String], seconds: Int) throws {
        let command = try SeekCommand.command(Options(arguments, of: SeekCommand.manual))
        #expect(command == .command(.seek(to: .seconds(seconds))))
    }

    /// A sign makes a position relative, and is not taken for an option.
    @Test(arguments: [(["+10s"], 10), (["-10s"], -10), (["-1:30"], -90), (["-1min", "30s", "--json"], -90)])
    func seekAcceptsSteps(arguments: [String], seconds: Int) throws {
        let command = try SeekCommand.command(Options(arguments, of: SeekCommand.manual))
        #expect(command == .seek(by: .seconds(seconds)))
    }

    @Test(arguments: [
        (["-6dB"], Level(decibels: -6)), (["-6 dB"], Level(decibels: -6)), (["-6", "dB"], Level(decibels: -6)),
        (["mute"], .mute), (["50%"], Level(amplitude: 0.5)),
    ])
    func volumeAcceptsEveryNotationOfALevel(arguments: [String], level: Level?) throws {
        let level = try #require(level)
        #expect(try VolumeCommand.command(Options(arguments, of: VolumeCommand.manual)) == .command(.volume(level)))
    }

    @Test(arguments: [
        (["+3dB"], WrittenCommand.changeVolume(decibels: 3)), (["+3", "dB"], .changeVolume(decibels: 3)),
        (["-10%"], .changeAmplitude(percent: -10)),
    ]) func volumeAcceptsSteps(arguments: [String], command: WrittenCommand) throws {
        #expect(try VolumeCommand.command(Options(arguments, of: VolumeCommand.manual)) == command)
    }

    @Test func aliasIsTheSameSubcommand() throws {
        let help = try Program.run("cancel", "--help")
        #expect(try help.code == 0 && help.output == Program.run("hush", "--help").output)
        #expect(help.output.contains("‘tacet cancel’ is the same command."))
        #expect(try Program.run("cancle").errors.contains("did you mean ‘cancel’?"))
        #expect(try Program.run("--help").output.contains("  hush, cancel "))
    }

    @Test func everyPlainCommandIsSentUnderItsOwnName() throws {
        let commands: [(any ControlCommand.Type, Command)] = [
            (PlayCommand.self, .play), (PauseCommand.self, .pause), (ToggleCommand.self, .playPause),
            (StopCommand.self, .stop), (NextCommand.self, .next), (PreviousCommand.self, .previous),
        ]
        for (subcommand, command) in commands {
            #expect(try subcommand.command(Options([], of: subcommand.manual)) == .command(command))
        }
    }

    @Test func checkSummarizesAValidConfiguration() throws {
        let folder = try Folder(["good.conf": "[Playback]\nFadeOut=80ms\n"])
        let result = try Program.run("check", "good.conf", in: folder.url)
        #expect(result.code == 0 && result.output.hasPrefix("good.conf: no mistakes\n"))
        #expect(result.output.contains("phone-call"))
    }

    @Test func checkReportsEveryMistake() throws {
        let folder = try Folder(["bad.conf": "[Playback]\nFadeOut=soon\n[Signal phone-call]\nDebunce=30ms\n"])
        let result = try Program.run("check", "bad.conf", in: folder.url)
        #expect(result.code == 1 && result.output.isEmpty)
        #expect(result.errors.contains("bad.conf:2: error:") && result.errors.contains("bad.conf:4: error:"))
        #expect(result.errors.contains("Debounce"))
    }

    @Test func simulateFailsIfTheConfigurationIsMissing() throws {
        let folder = try Folder(["s": "1s end\n"])
        let result = try Program.run("simulate", "s", "--config", "nowhere.conf", in: folder.url)
        #expect(result.code == 1 && result.errors.contains("nowhere.conf") && result.errors.contains("No such file"))
    }

    @Test func standardOutputHasOnlyTheTraceIfItGoesThere() throws {
        let folder = try Folder(["c.conf": "[Session]\n"])
        let result = try Program.run(
            "simulate", "-", "--config", "c.conf", "--trace", "-", in: folder.url, input: "1s assert alarm\n2s end\n")
        #expect(result.code == 0)
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 3 && lines.allSatisfy { $0.hasPrefix("{\"t\":") })
        #expect(result.errors.contains("no Library="))
    }

    @Test func invalidScenarioLeavesNoFilesBehind() throws {
        let folder = try Folder(["c.conf": "[Session]\n", "s": "1s asert alarm\n"])
        let result = try Program.run(
            "simulate", "s", "--config", "c.conf", "--trace", "t.jsonl", "--wav", "h.wav", in: folder.url)
        #expect(result.code == 1 && result.errors.contains("s:1: there is no event ‘asert’"))
        #expect(try folder.contents == ["c.conf", "s"])
    }

    @Test(arguments: ["/dev/full", "-"]) func fullDiskLeavesNoFilesBehind(output: String) throws {
        let folder = try Folder(["c.conf": "[Session]\n", "s": "1s end\n"])
        let result = try Program.run(
            ["simulate", "s", "--config", "c.conf", "--wav", output], in: folder.url, output: "/dev/full",
            temporary: folder.url.path)
        #expect(result.code == 1 && result.errors.contains("No space left on device"))
        #expect(try folder.contents == ["c.conf", "s"])
    }

    /// Pressing Ctrl-C therefore leaves nothing behind.
    @Test func simulateWithoutOutputsWritesNoFiles() throws {
        let folder = try Folder(["c.conf": "[Session]\n", "s": "1s power-cut\n2s boot\n3s end\n"])
        let result = try Program.run(
            ["simulate", "s", "--config", "c.conf"], in: folder.url, temporary: "/nonexistent")
        #expect(result.code == 0, "\(result.errors)")
    }

    @Test(.disabled(if: FileManager.default.fileExists(atPath: "/dev/gpiochip0")))
    func linesFailsOnAMachineWithoutGPIO() throws {
        let folder = try Folder(["c.conf": "[Session]\n"])
        let result = try Program.run("lines", "--config", "c.conf", in: folder.url)
        #expect(result.code == 1 && result.output.isEmpty)
        #expect(result.errors.hasPrefix("tacet: cannot find a GPIO chip: the system has none. Check that"))
        let json = try Program.run("lines", "--json", "--config", "c.conf", in: folder.url)
        #expect(json.code == 1 && json.output == "{\"chips\":[],\"problems\":[]}\n")
        let wrong = try Program.run("lines", "--config", "nowhere.conf", in: folder.url)
        #expect(wrong.code == 1 && wrong.errors.contains("nowhere.conf") && !wrong.errors.contains("GPIO"))
    }

    @Test func simulateFailsIfTheLibraryIsEmpty() throws {
        let folder = try Folder(["c.conf": "[Playback]\nLibrary=.\n", "s": "1s end\n"])
        let result = try Program.run("simulate", "s", "--config", "c.conf", in: folder.url)
        #expect(result.code == 1 && result.errors.contains("no track can be played"))
    }
}

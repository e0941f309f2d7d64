import ALSA
import Configuration
import Foundation
import GPIO
import Playback
import SoundLab
import Testing

@testable import tacet

@Suite struct InspectionTests {
    private let folder: Folder
    /// A board with one chip, whose only line is PHONE_CALL.
    private let board = Board(chips: [
        ChipInfo(
            path: "/dev/gpiochip0", name: "gpiochip0", label: "soc",
            lines: [
                LineInfo(
                    offset: 0, name: "PHONE_CALL", direction: .input, bias: .asIs, isUsed: false, consumer: nil,
                    isActiveLow: false)
            ])
    ])

    init() throws { folder = try Folder() }

    private func inspect(
        _ text: String, account: Account? = nil, device: PCMError? = nil, board: Board? = nil,
        holder: DeviceHolder? = nil, busNames: [String]? = []
    ) throws -> Inspection {
        let file = folder.url.appendingPathComponent("c.conf")
        try text.write(to: file, atomically: true, encoding: .utf8)
        return Inspection(
            try Configuration.load(.file(file.path)), account: account, board: board ?? self.board,
            deviceProblem: { _ in device }, deviceHolder: { _ in holder }, keptLevels: { [] },
            busNames: { busNames })
    }

    /// Returns the warnings as `LINE: MESSAGE`.
    private func warnings(of inspection: Inspection) -> [String] {
        inspection.warnings.map { "\($0.line): \($0.message)" }
    }

    private func write(_ name: String, _ text: String = "") throws {
        let url = folder.url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: url, atomically: true, encoding: .utf8)
    }

    private let stranger = Account(name: "stranger", user: 54_321, groups: [54_321])

    @Test func noWarningsIfTheConfigurationFitsTheBoard() throws {
        try write("music/a.flac")
        let inspection = try inspect(
            "[Playback]\nLibrary=music\n[Signal phone-call]\nLine=PHONE_CALL\n", account: stranger)
        #expect(inspection.warnings == [] && inspection.notes == [])
    }

    @Test func pipesThatCannotWorkAreWarnings() throws {
        try write("music/a.flac")
        try write("file")
        let folder = folder.url.path
        // Temporary folders are private to the service, so another one is needed here that every user may write.
        let place = "/dev/shm/tacet-check-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: place) }
        try "".write(toFile: place + "/file", atomically: true, encoding: .utf8)
        #expect(mkfifo(place + "/closed", 0o600) == 0 && mkfifo(place + "/open", 0o644) == 0)
        let only = "the service can write only to /run/tacet/inputs"
        for (path, problem) in [
            ("/run/tacet/inputs/a", nil), ("\(place)/open", nil),
            ("\(place)/a", "Tacet cannot create it, because \(only)"),
            ("\(place)/none/a", "there is no folder \(place)/none"),
            ("\(place)/file", "it is not a named pipe"),
            ("\(place)/closed", "its user stranger cannot read \(place)/closed"),
            ("\(folder)/a", "the service has its own /tmp, into which no other program can write"),
        ] {
            let inspection = try inspect("[Playback]\nLibrary=music\n[Input a]\nFrom=pipe:\(path)\n", account: stranger)
            let expected = problem.map { ["4: From=pipe:\(path): \($0)"] } ?? []
            #expect(warnings(of: inspection) == expected && inspection.notes == [])
        }
    }

    @Test func playersThatAreNotRunningAreWarnings() throws {
        try write("music/a.flac")
        let text = "[Playback]\nLibrary=music\n[Player a]\nBus=vlc*\n[Player b]\nMPD=/nowhere/socket\n"
        let socket = "6: MPD=/nowhere/socket: there is no such socket at present"
        let present = "org.mpris.MediaPlayer2.vlc.instance7"
        #expect(try warnings(of: inspect(text, busNames: [present])) == [socket])
        let others = ["org.mpris.MediaPlayer2.mpv", "org.mpris.MediaPlayer2.playerctld", "org.freedesktop.DBus"]
        let absent = try inspect(text, busNames: others)
        #expect(
            warnings(of: absent) == [
                "4: Bus=vlc*: no player of this name is on the system bus at present", socket,
            ])
        #expect(absent.warnings.first?.advice?.hasSuffix("; the players there are mpv") == true)
        let unknown = try inspect(text, busNames: nil)
        #expect(warnings(of: unknown) == [socket] && unknown.notes.count == 1)
    }

    /// Such sounds could not be heard.
    @Test func soundsThatAreSilentOrTooShortAreWarnings() throws {
        try write("music/a.flac")
        for (frames, words) in [(100, "hardly any audio"), (48_000, "it is silent")] {
            let path = folder.url.appendingPathComponent("siren.wav").path
            let writer = try AudioFileWriter.create(path, format: StreamFormat(rate: 48_000, channels: 1))
            try [Int32](repeating: 0, count: frames).withUnsafeBufferPointer { samples in
                try writer.write(try #require(samples.baseAddress), frames: frames)
            }
            try writer.finish()
            let found = warnings(
                of: try inspect(
                    "[Playback]\nLibrary=music\n[Signal phone-call]\nLine=PHONE_CALL\nCue=siren\n[Sound siren]\nFile=siren.wav\n"
                ))
            #expect(found.count == 1 && found.first?.contains(words) == true, "\(found)")
        }
    }

    @Test func folderThatTheServiceMakesNeedNotExistYet() throws {
        try write("music/a.flac")
        func found(_ directory: String, service: String) throws -> [String] {
            let file = folder.url.appendingPathComponent("c.conf")
            try """
            [Session]
            Category=playAndRecord
            [Playback]
            Library=music
            [Recording]
            Directory=\(directory)

            """.write(to: file, atomically: true, encoding: .utf8)
            let inspection = Inspection(
                try Configuration.load(.file(file.path)), account: nil, board: board, deviceProblem: { _ in nil },
                deviceHolder: { _ in nil }, serviceFolder: service)
            return warnings(of: inspection) + inspection.notes
        }
        let service = folder.url.path + "/lib"
        #expect(try found("\(service)/recordings", service: service) == [])
        #expect(try found("\(service)/a/recordings", service: service).count == 1)
        #expect(try found("\(service)/recordings", service: "/elsewhere").count == 1)
    }

    /// Without the fleet's broker, the siren of an evacuation would end.
    @Test func warnsAboutACueThatEndsWithItsProgram() throws {
        try write("music/a.flac")
        func warnings(_ keys: String) throws -> [String] {
            let text = "[Playback]\nLibrary=music\n[Signal evacuation]\nEffect=pause\n\(keys)\n"
            return self.warnings(of: try inspect(text)).filter { $0.contains("WhenLost") }
        }
        let words =
            "WhenLost=release: siren, the cue of evacuation, ends if the program that asserts evacuation or the "
            + "fleet's broker fails, although nobody has released evacuation"
        let cue = "Cue=siren\n[Sound siren]\nFile=siren.wav"
        try write("siren.wav")
        #expect(try warnings("Source=bus\n" + cue) == ["6: \(words)"])
        #expect(try warnings("Source=bus\nWhenLost=release\n" + cue) == ["6: \(words)"])
        for quiet in ["Source=bus", "Source=bus\nWhenLost=hold\n" + cue, "Line=PHONE_CALL\nWhenLost=release\n" + cue] {
            #expect(try warnings(quiet) == [], "\(quiet)")
        }
    }

    @Test func warnsAboutACueThatIsHeardLate() throws {
        try write("music/a.flac")
        try TestMusic.writeNumbers(to: folder.url.path + "/siren.wav", frames: 8_000, rate: 8000)
        // Line 8 is the amplifier's Lead=, line 10 DuckAttack=, and line 11 Debounce=.
        func found(lead: String = "50ms", attack: String = "120ms", debounce: String = "30ms") throws -> [String] {
            warnings(
                of: try inspect(
                    """
                    [Playback]
                    Library=music
                    [Sound siren]
                    File=siren.wav
                    [Output amplifier]
                    Line=PHONE_CALL
                    Means=amplifier
                    Lead=\(lead)
                    [Playback]
                    DuckAttack=\(attack)
                    [Signal alarm]
                    Debounce=\(debounce)
                    Cue=siren

                    """
                )
            ).filter { $0.contains("the cue of") }
        }
        #expect(try found() == [])
        #expect(try found(lead: "909ms") == [] && found(lead: "911ms").count == 1)
        #expect(
            try found(lead: "5s") == [
                "8: Lead=5s: siren, the cue of alarm, begins up to 5s 90ms after alarm is asserted, because sounds wait for the "
                    + "amplifier"
            ])
        #expect(
            try found(attack: "2s") == [
                "10: DuckAttack=2s: siren, the cue of alarm, begins up to 2s 90ms after alarm is asserted, because sounds wait until "
                    + "the music is low"
            ])
        #expect(
            try found(debounce: "1s") == [
                "12: Debounce=1s: siren, the cue of alarm, begins up to 1s 180ms after alarm is asserted"
            ])
    }

    @Test func warnsAboutMissingLinesWithTheLineInTheFile() throws {
        try write("music/a.flac")
        let inspection = try inspect(
            "[Playback]\nLibrary=music\n[Signal alarm]\nLine=PHONE_CAL\n[Button b]\nChip=soc\nOffset=9\nCommand=play\n"
        )
        #expect(
            warnings(of: inspection) == [
                "4: line PHONE_CAL: no chip has a line of that name",
                "7: line 9 of soc: there is no such line: gpiochip0 (soc) has 0 to 0",
            ])
        #expect(inspection.warnings.first?.advice?.contains("did you mean ‘PHONE_CALL’") == true)
        #expect(inspection.warnings.first?.advice?.contains("Enabled=no") == true)
    }

    /// The header of a Raspberry Pi 5 was gpiochip4, and became gpiochip0 with an update of the kernel.
    @Test func chipsThatAreSpecifiedByTheirNumbersAreWarnings() throws {
        try write("music/a.flac")
        func found(_ chip: String, on board: Board? = nil) throws -> [Diagnostic] {
            let text = "[Playback]\nLibrary=music\n[Signal alarm]\nChip=\(chip)\nOffset=0\n"
            return try inspect(text + "[Button b]\nChip=\(chip)\nOffset=1\nCommand=play\n", board: board).warnings
                .filter { $0.message.hasPrefix("Chip=") }
        }
        for chip in ["gpiochip0", "/dev/gpiochip0"] {
            let warnings = try found(chip)
            #expect(
                warnings.map { "\($0.line): \($0.message)" } == [
                    "4: Chip=\(chip): an update of the kernel may give this number to another chip"
                ])
            #expect(warnings.first?.advice == "write Chip=soc, or only Line= if the line has a name")
        }
        #expect(try found("soc") == [] && found("/dev/gpiochip-relays") == [])
        let unknown = try found("gpiochip4", on: Board(chips: []))
        #expect(
            unknown.map(\.advice) == [
                "write its label, which ‘tacet lines’ lists, or only Line= if the line has a name"
            ])
        // Only the numbers of two equal expanders differ.
        let twins = (0...1).map {
            ChipInfo(path: "/dev/gpiochip\($0)", name: "gpiochip\($0)", label: "pcf8574", lines: [])
        }
        #expect(try found("gpiochip1", on: Board(chips: twins)) == [])
    }

    @Test func warnsOnceIfTheMachineHasNoChip() throws {
        try write("music/a.flac")
        let text = "[Playback]\nLibrary=music\n[Signal alarm]\nLine=A\n[Signal phone-call]\nLine=B\n"
        let inspection = try inspect(text, board: Board(chips: []))
        #expect(
            warnings(of: inspection) == [
                "6: this machine has no GPIO chip, so no signal, button or output has a line here"
            ])
    }

    @Test func warnsAboutAMissingDevice() throws {
        try write("music/a.flac")
        let inspection = try inspect(
            "[Playback]\nLibrary=music\nDevice=hw:CARD=Headphnes\n",
            device: .system(ENODEV, operation: "find", device: "hw:CARD=Headphnes"))
        #expect(
            warnings(of: inspection) == [
                "3: Device=hw:CARD=Headphnes: this machine has no such device: No such device"
            ])
    }

    @Test func warnsAboutEachMissingFallback() throws {
        try write("music/a.flac")
        let inspection = try inspect(
            "[Playback]\nLibrary=music\nDevice=hw:0\nFallbackDevices=hw:1,0  hw:CARD=B,DEV=0\n",
            device: .system(ENODEV, operation: "find", device: ""))
        #expect(
            warnings(of: inspection) == [
                "3: Device=hw:0: this machine has no such device: No such device",
                "4: FallbackDevices=hw:1,0: this machine has no such device: No such device",
                "4: FallbackDevices=hw:CARD=B,DEV=0: this machine has no such device: No such device",
            ])
    }

    @Test func namesTheProgramThatHoldsADevice() throws {
        try write("music/a.flac")
        let text = "[Playback]\nLibrary=music\nDevice=hw:0\n"
        let held = try inspect(text, holder: DeviceHolder(process: 812, program: "mpd"))
        #expect(
            warnings(of: held) == [
                "3: Device=hw:0: mpd (pid 812) uses the device exclusively, so the service cannot play on it"
            ])
        #expect(held.warnings.first?.advice == "end that program, or use a mixing device such as default")
        // A sound server releases the device if it is asked.
        let server = try inspect(text, holder: DeviceHolder(process: 812, program: "wireplumber")).warnings.first
        #expect(server?.advice?.hasPrefix("run the service in the session of that program") == true)
        #expect(try inspect(text, holder: DeviceHolder(process: 9, program: "tacetd")).warnings == [])
        // A mixing device accepts another program.
        let mixed = "[Playback]\nLibrary=music\nDevice=default\n"
        #expect(try inspect(mixed, holder: DeviceHolder(process: 812, program: "pipewire")).warnings == [])
    }

    @Test func warnsIfThereIsNothingToPlay() throws {
        #expect(
            warnings(of: try inspect("[Session]\n")) == ["0: no Library= is configured, so there is nothing to play"])
        try write("empty/readme.txt")
        try write("list.m3u", "# nothing\n")
        for library in ["empty", "list.m3u"] {
            let found = warnings(of: try inspect("[Playback]\nLibrary=\(library)\n"))
            #expect(found == ["2: Library=: \(folder.url.path)/\(library): it has no tracks"])
        }
    }

    @Test(arguments: [
        ("Repeat=none\n", "until someone starts it"),
        ("Repeat=none\n[Session]\nPlaybackInterface=no\n", "for good"),
        ("Repeat=none\n[Button next]\nChip=soc\nOffset=0\nCommand=next\n", "until someone starts it"),
        ("Repeat=none\n[Button play]\nChip=soc\nOffset=0\nCommand=playPause\n", nil), ("", nil),
    ]) func warnsIfThePlaylistEndsInSilence(text: String, words: String?) throws {
        try write("music/a.flac")
        let found = warnings(of: try inspect("[Playback]\nLibrary=music\n" + text))
        #expect(found.count == (words == nil ? 0 : 1))
        if words != nil { #expect(found.first?.hasPrefix("3: Repeat=none: after the last track") == true, "\(found)") }
        if let words { #expect(found.first?.contains("the board is silent \(words)") == true, "\(found)") }
    }

    @Test func warnsAboutFilesThatTheServiceCannotRead() throws {
        try write("music/a.flac")
        try write("home/music/a.flac")
        try write("c.conf.d/50.conf", "[Playback]\nLibrary=../music\n")
        let home = folder.url.appendingPathComponent("home").path
        let dropIn = folder.url.appendingPathComponent("c.conf.d/50.conf").path
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: home)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: dropIn)
        let file = try inspect("[Session]\n", account: stranger)
        #expect(
            warnings(of: file) == ["0: the service cannot read this file: its user stranger cannot read \(dropIn)"])
        #expect(file.warnings.first?.file == dropIn)

        try FileManager.default.removeItem(atPath: dropIn)
        let library = try inspect("[Playback]\nLibrary=home/music\n", account: stranger)
        #expect(
            warnings(of: library) == [
                "2: Library=: \(home)/music: the service cannot read it: its user stranger cannot enter \(home)"
            ])
        // Without the account of the service, nothing can be checked.
        #expect(try inspect("[Playback]\nLibrary=home/music\n").warnings.isEmpty)
    }

    @Test func countsTracksThatTheServiceCannotRead() throws {
        for name in ["a", "b", "c"] { try write("music/\(name).flac") }
        for name in ["b", "c"] {
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: folder.url.appendingPathComponent("music/\(name).flac").path)
        }
        let found = warnings(of: try inspect("[Playback]\nLibrary=music\n", account: stranger))
        #expect(found.count == 1 && found.first?.hasSuffix("b.flac (and 1 more of its 3 tracks)") == true, "\(found)")
    }

    /// The daemon does not find the tracks, although it could open some of them. With 0o000, even the user who runs the
    /// test cannot list the folder, unless that user is root.
    @Test(arguments: [0o711, 0o700, 0o000])
    func warnsOnceAboutAFolderThatTheServiceCannotList(mode: Int) throws {
        for name in ["open/a", "closed/b", "closed/c"] { try write("music/sub/\(name).flac") }
        let music = folder.url.appendingPathComponent("music").path
        let closed = music + "/sub/closed"
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: closed)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: closed) }
        let inspection = try inspect("[Playback]\nLibrary=music\n", account: stranger)
        let problem = "the service cannot find all of it: its user stranger cannot list \(closed)"
        #expect(warnings(of: inspection) == ["2: Library=: \(music): \(problem)"])
        #expect(inspection.warnings.first?.advice?.hasSuffix("chmod o+rx \(closed)") == true)
    }

    @Test func playlistFindsTracksInFoldersThatTheServiceCannotList() throws {
        try write("music/a.flac")
        try write("list.m3u", "music/a.flac\n")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o711], ofItemAtPath: folder.url.appendingPathComponent("music").path)
        #expect(try inspect("[Playback]\nLibrary=list.m3u\n", account: stranger).warnings == [])
    }

    @Test func warnsIfAPlaylistNamesNothingThatCanBePlayed() throws {
        func found(_ list: String) throws -> [String] {
            try write("list.m3u", list)
            return warnings(of: try inspect("[Playback]\nLibrary=list.m3u\n"))
        }
        let start = "2: Library=: \(folder.url.path)/list.m3u: "
        #expect(
            try found("http://host/a.mp3\ngone.flac\nalso gone.flac\n")
                == [start + "nothing in it can be played: of its 3 tracks, 1 is a network address, and 2 do not exist"]
        )
        #expect(
            try found("http://host/a.mp3\nC:\\Music\\a.mp3\nd:/a.mp3\ngone.flac\n") == [
                start + "nothing in it can be played: of its 4 tracks, 1 is a network address, 2 are paths of Windows, "
                    + "and 1 does not exist"
            ])
        try write("a.flac")
        #expect(try found("a.flac\ngone.flac\n") == [start + "of its 2 tracks, 1 does not exist"])
        #expect(try found("a.flac\n") == [])
    }

    /// The warning contains the reason why the playlist is not read.
    @Test func saysWhyANestedPlaylistIsNotRead() throws {
        try write("a.flac")
        try write("inner.m3u", "list.m3u\n")
        try write("radio.pls")
        for (entry, problem) in [
            ("inner.m3u", "cannot read playlist \(folder.url.path)/list.m3u: it names itself"),
            (
                "radio.pls",
                "cannot open library \(folder.url.path)/radio.pls: it is a PLS playlist, and only M3U playlists are read"
            ),
        ] {
            try write("list.m3u", "a.flac\n\(entry)\n")
            let inspection = try inspect("[Playback]\nLibrary=list.m3u\n", account: stranger)
            let start = "2: Library=: \(folder.url.path)/list.m3u: "
            #expect(warnings(of: inspection) == [start + "music may be missing: \(problem)"])
            #expect(inspection.notes == [])
        }
    }

    @Test func countsFilesThatCannotBePlayed() throws {
        for name in ["a.m4a", "b.M4A", "c.m4a"] { try write("music/" + name) }
        let inspection = try inspect("[Playback]\nLibrary=music\n")
        #expect(
            warnings(of: inspection) == ["2: Library=: \(folder.url.path)/music: 3 files .m4a cannot be played"])
        #expect(inspection.warnings.first?.advice == "convert them, for example with ffmpeg")
    }

    @Test func namesANetworkAddressAsWhatItIs() throws {
        #expect {
            try inspect("[Playback]\nLibrary=http://host/stream.mp3\n")
        } throws: {
            "\($0)".contains(":2: error: Library=http://host/stream.mp3: it is a network address (specify a folder")
        }
    }

    // MARK: Sounds

    private func inspectSound(
        seconds: Int? = nil, isCue: Bool = false, account: Account? = nil
    ) throws -> Inspection {
        try write("music/a.flac")
        if let seconds {
            try TestMusic.writeNumbers(
                to: folder.url.appendingPathComponent("gong.wav").path, frames: seconds * 8000, rate: 8000)
        }
        let cue = isCue ? "[Signal phone-call]\nLine=PHONE_CALL\nCue=gong\n" : ""
        return try inspect("[Sound gong]\nFile=gong.wav\n[Playback]\nLibrary=music\n" + cue, account: account)
    }

    private var gong: String { folder.url.appendingPathComponent("gong.wav").path }

    @Test func noWarningAboutSoundsOfAMinute() throws {
        let inspection = try inspectSound(seconds: 60, isCue: true, account: stranger)
        #expect(inspection.warnings == [] && inspection.notes == [])
    }

    @Test func warnsAboutACueLongerThanAMinuteButNotAnAnnouncement() throws {
        #expect(try inspectSound(seconds: 61).warnings == [])
        let cue = try inspectSound(seconds: 61, isCue: true)
        #expect(
            warnings(of: cue) == [
                "2: File=\(gong): the cue is longer than a minute, so the rest is read from the disk while it plays, and a slow disk may interrupt it"
            ])
        #expect(cue.warnings.first?.advice?.contains("shorten the recording") == true)
    }

    @Test func warnsAboutSoundsThatCannotBeDecoded() throws {
        try write("gong.wav", "no audio, but words")
        let words = warnings(of: try inspectSound())
        #expect(
            words.count == 1 && words.first?.hasPrefix("2: File=\(gong): it cannot be played: ") == true, "\(words)")
        try FileManager.default.removeItem(atPath: gong)
        try FileManager.default.createDirectory(atPath: gong, withIntermediateDirectories: true)
        let directory = try inspectSound()
        #expect(
            warnings(of: directory) == ["2: File=\(gong): it cannot be played: it is not a regular file"])
        #expect(directory.warnings.first?.advice == "write File= with an audio file that the service can read")
    }

    /// A FLAC file that ends after its header, which specifies 8000 frames at 8000 Hz.
    @Test func warnsAboutATruncatedSound() throws {
        let format: [UInt8] = [0x01, 0xF4, 0x02, 0xF0, 0, 0, 0x1F, 0x40]
        let header: [UInt8] = Array("fLaC".utf8) + [0x80, 0, 0, 34, 0x10, 0, 0x10, 0, 0, 0, 0, 0, 0, 0]
        try Data(header + format + [UInt8](repeating: 0, count: 16)).write(to: URL(fileURLWithPath: gong))
        let found = warnings(of: try inspectSound())
        #expect(found == ["2: File=\(gong): it cannot be played: the stream ends at frame 0 of 8000"])
    }

    @Test func warnsAboutASoundThatIsTooMuchWork() throws {
        func little(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        // A WAV file of 1000 silent frames at 655,350 Hz in 8 channels.
        let format =
            little(1, 2) + little(8, 2) + little(655_350, 4) + little(655_350 * 16, 4) + little(16, 2) + little(16, 2)
        let chunks =
            Array("WAVEfmt ".utf8) + little(16, 4) + format + Array("data".utf8) + little(16_000, 4)
            + [UInt8](repeating: 0, count: 16_000)
        let file = Array("RIFF".utf8) + little(chunks.count, 4) + chunks
        try Data(file).write(to: URL(fileURLWithPath: gong))
        let inspection = try inspectSound()
        let words = "it has 5242800 samples per second (655350 Hz, 8 ch), and at most 1600000 are played"
        #expect(warnings(of: inspection) == ["2: File=\(gong): it cannot be played: \(words)"])
        #expect(inspection.warnings.first?.advice == "convert it to a usual rate and number of channels")
    }

    @Test func warnsAboutSoundsThatTheServiceCannotRead() throws {
        _ = try inspectSound(seconds: 1)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: gong)
        #expect(
            warnings(of: try inspectSound(account: stranger)) == [
                "2: File=\(gong): the service cannot read it: its user stranger cannot read \(gong)"
            ])
    }

    /// Loading the configuration has already caused a warning about the file.
    @Test func missingSoundIsNotReportedTwice() throws {
        let inspection = try inspectSound(isCue: true, account: stranger)
        #expect(inspection.warnings == [] && inspection.notes == [])
        #expect(inspection.loaded.warnings.map(\.message) == ["File=gong.wav: \(gong): No such file or directory"])
    }

    @Test func warnsAboutAFolderThatNobodyCanRead() throws {
        try write("music/a.flac")
        let unreadable = UnreadableFolder(in: folder.url.appendingPathComponent("music").path)
        defer { withExtendedLifetime(unreadable) {} }
        let found = warnings(of: try inspect("[Playback]\nLibrary=music\n", account: stranger))
        #expect(found.count == 1 && found.first?.contains("music may be missing: cannot read") == true, "\(found)")
        #expect(found.first?.hasSuffix(": File name too long") == true, "\(found)")
    }

    // MARK: Recording

    private func inspectRecording(_ keys: String, category: String = "record", device: PCMError? = nil) throws
        -> Inspection
    {
        try write("music/a.flac")
        return try inspect(
            "[Playback]\nLibrary=music\n[Session]\nCategory=\(category)\n[Recording]\n\(keys)", device: device)
    }

    @Test func recordingNeedsADeviceAndAFolder() throws {
        try write("recordings/.keep")
        let inspection = try inspectRecording("Device=hw:9\nDirectory=recordings\n")
        #expect(inspection.warnings == [])
        // The service's sandbox denies access to folders other than its own.
        #expect(inspection.notes.count == 1)
        #expect(
            inspection.notes.first?.contains("only with ReadWritePaths=\(folder.url.path)/recordings in a drop-in")
                == true,
            "\(inspection.notes)")
        // The recorder creates the last folder.
        #expect(try inspectRecording("Directory=recordings/new\n").warnings == [])
        let missing = try inspectRecording("Directory=nowhere/new\n")
        #expect(
            warnings(of: missing) == [
                "6: Directory=\(folder.url.path)/nowhere/new: there is no folder \(folder.url.path)/nowhere"
            ])
        try write("file")
        let file = try inspectRecording("Directory=file\n")
        #expect(
            warnings(of: file) == ["6: Directory=\(folder.url.path)/file: \(folder.url.path)/file is not a folder"])
        let below = try inspectRecording("Directory=file/new\n")
        #expect(
            warnings(of: below) == ["6: Directory=\(folder.url.path)/file/new: \(folder.url.path)/file is not a folder"]
        )
        let noDevice = try inspectRecording(
            "Device=hw:9\nDirectory=recordings\n", device: .system(ENODEV, operation: "open", device: "hw:9"))
        #expect(warnings(of: noDevice).contains { $0.hasPrefix("6: Device=hw:9: this machine has no such device: ") })
        #expect(noDevice.warnings.contains { $0.advice?.contains("tacet devices") == true })
    }

    @Test func warnsIfKeepIsSmallerThanAFile() throws {
        try write("recordings/.keep")
        let keys = "Directory=recordings\nRate=48000\nChannels=1\n"
        // A recording of a quarter of an hour takes up to 86.4 MB.
        #expect(try inspectRecording(keys + "Keep=83M\n").warnings == [])
        let small = try inspectRecording(keys + "Keep=82M\n")
        #expect(
            warnings(of: small) == [
                "9: Keep=82M may be too small for one file: 15min need up to 83M, so each file may replace all others"
            ])
        #expect(small.warnings.first?.advice == "write a larger Keep= or a shorter Segment=")
        #expect(try inspectRecording(keys + "Keep=82M\nSegment=10min\n").warnings == [])
        #expect(try warnings(of: inspectRecording(keys + "Segment=1d\n")).count == 1)
    }

    @Test func warnsIfTheDiskIsSmallerThanKeep() throws {
        try write("recordings/.keep")
        let keys = "Directory=recordings\nFormat=wav\n"
        #expect(try inspectRecording(keys + "Keep=300M\n").warnings == [])
        // The folder does not exist yet, and will be on the disk of its parent.
        #expect(try inspectRecording("Directory=recordings/new\nKeep=1000T\n").warnings.count == 1)
        let large = try inspectRecording(keys + "Keep=1000T\n")
        #expect(large.warnings.count == 1, "\(large.warnings)")
        #expect(
            warnings(of: large).first?.hasPrefix(
                "8: Keep=1000T is more than the disk of Directory= can hold, which is ")
                == true, "\(large.warnings)")
        #expect(
            large.warnings.first?.advice == "write a smaller Keep=, or else the disk becomes full and recording fails")
    }

    @Test func blackBoxThatNobodyStartsIsNoted() throws {
        try write("recordings/.keep")
        func notes(_ keys: String) throws -> [String] {
            try inspectRecording("Directory=recordings\n" + keys).notes.filter { $0.contains("During=") }
        }
        #expect(try notes("During=interruptions\n").count == 1)
        #expect(try notes("During=interruptions\nAutoRecord=yes\n") == [] && notes("During=active\n") == [])
    }

    /// Loading the configuration already causes a warning about this.
    @Test func categoryThatDoesNotRecordIsNotInspected() throws {
        let inspection = try inspectRecording("Directory=nowhere/new\nKeep=1M\n", category: "playback")
        #expect(inspection.warnings == [] && inspection.notes == [])
    }

    // MARK: Devices that are not present

    /// Returns the advice about a device that is not present, on a board with these cards.
    private func advice(_ setting: String, _ ids: [String]) throws -> [String?] {
        try write("music/a.flac")
        let file = folder.url.appendingPathComponent("c.conf")
        try "[Playback]\nLibrary=music\n\(setting)\n".write(to: file, atomically: true, encoding: .utf8)
        let cards = ids.enumerated().map { number, id in
            CardDevice(
                card: SoundCard(number: number, id: id), number: 0, name: "\(id) PCM", plays: true, captures: false)
        }
        return Inspection(
            try Configuration.load(.file(file.path)), account: nil, board: board,
            deviceProblem: { name in
                guard !ids.contains(where: { name.hasSuffix("CARD=\($0)") }) else { return nil }
                return PCMError(operation: "open", device: name, code: ENODEV, message: "No such device", advice: "")
            }, deviceHolder: { _ in nil }, cardDevices: { cards }
        ).warnings.map(\.advice)
    }

    @Test func suggestsADeviceThatIsPresent() throws {
        let device = "Device=hw:CARD=Headphones"
        #expect(try advice(device, ["Headphones", "vc4hdmi0"]) == [])
        #expect(
            try advice(device, ["vc4hdmi0", "Device"]) == [
                "plug in the card, or write Device=hw:CARD=Device for Device PCM (‘tacet devices’ also lists "
                    + "sysdefault:CARD=vc4hdmi0)"
            ])
        #expect(
            try advice(device, ["vc4hdmi0"]) == [
                "plug in the card, or write Device=sysdefault:CARD=vc4hdmi0 for vc4hdmi0 PCM"
            ])
        #expect(try advice(device, ["A", "B", "C", "D", "E"]).first??.hasSuffix("hw:CARD=D and others)") == true)
        #expect(try advice(device, []).first??.contains("‘tacet devices’ lists no device") == true)
    }

    /// A fallback is not replaced by a device that is already used.
    @Test func suggestsAnUnusedDeviceAsAFallback() throws {
        let devices = "Device=hw:CARD=Device\nFallbackDevices=hw:CARD=Gone sysdefault:CARD=vc4hdmi0"
        #expect(
            try advice(devices, ["Device", "vc4hdmi0"]) == [
                "plug in the card, or remove hw:CARD=Gone, because this machine has no further device"
            ])
        #expect(
            try advice(devices, ["Device", "vc4hdmi0", "vc4hdmi1"]) == [
                "plug in the card, or write sysdefault:CARD=vc4hdmi1 instead of hw:CARD=Gone for vc4hdmi1 PCM"
            ])
    }
}

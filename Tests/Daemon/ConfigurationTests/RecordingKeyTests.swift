import AudioSession
import Configuration
import Testing

@Suite struct RecordingKeyTests {
    private static let session = "[Session]\nCategory=record\n"

    @Test func everyKeyOfTheSectionIsRead() throws {
        let loaded = try load(
            Self.session + """
                [Recording]
                Enabled=yes
                Device=hw:CARD=Mic,DEV=0
                Directory=/srv/recordings
                Format=wav
                Rate=44100
                Channels=2
                Segment=1h 30min
                Keep=1.5G
                AutoRecord=yes
                During=interruptions
                """)
        var expected = RecordingSettings()
        expected.device = "hw:CARD=Mic,DEV=0"
        expected.directory = "/srv/recordings"
        expected.format = .wav
        expected.rate = 44_100
        expected.channels = 2
        expected.segment = .seconds(5400)
        expected.keep = 3 << 29
        #expect(loaded.configuration.recording == expected && loaded.warnings == [])
        #expect(
            loaded.configuration.session.recorder == RecorderPolicy(autoRecord: true, during: .interruptions))
        #expect(loaded.configuration.session.canRecord)
    }

    @Test func sectionWithoutKeysHasTheDefaults() throws {
        let configuration = try load(Self.session + "[Recording]").configuration
        let recording = try #require(configuration.recording)
        #expect(recording == RecordingSettings())
        #expect(recording.device == "default" && recording.directory == "/var/lib/tacet/recordings")
        #expect(recording.format == .flac && recording.rate == 48_000 && recording.channels == 1)
        #expect(recording.segment == .seconds(900) && recording.keep == 1 << 30)
        #expect(configuration.session.recorder == RecorderPolicy(autoRecord: false, during: .active))
    }

    @Test func nothingRecordsWithoutTheSectionOrIfItIsDisabled() throws {
        for text in ["", "[Recording]\nEnabled=no", "[Recording]\nAutoRecord=yes\nEnabled=off\nDirectory=x"] {
            let loaded = try load(Self.session + text)
            #expect(loaded.warnings == [])
            #expect(loaded.configuration.recording == nil && loaded.configuration.session.recorder == nil)
            #expect(!loaded.configuration.session.canRecord)
        }
        // A disabled section does not record with any category, so it causes no warning.
        #expect(try diagnose("[Recording]\nEnabled=no") == [])
    }

    @Test func laterFilesOverrideKeysAndAnEmptyValueRestoresTheDefault() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            "tacet.conf", Self.session + "[Recording]\nRate=16000\nChannels=2\nKeep=2G\nAutoRecord=yes\nDirectory=calls"
        )
        try folder.write("tacet.conf.d/50.conf", "[Recording]\nRate=\nKeep=infinity\nDirectory=\nAutoRecord=\n")
        let configuration = try Configuration.load(.file(file)).configuration
        var expected = RecordingSettings()
        expected.channels = 2
        expected.keep = nil
        #expect(configuration.recording == expected)
        #expect(configuration.session.recorder == RecorderPolicy(autoRecord: false))
    }

    @Test func dropInCanDisableTheSectionOrEnableItAgain() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("tacet.conf", Self.session + "[Recording]\nRate=16000")
        try folder.write("tacet.conf.d/50.conf", "[Recording]\nEnabled=no")
        #expect(try Configuration.load(.file(file)).configuration.recording == nil)
        try folder.write("tacet.conf.d/60.conf", "[Recording]\nEnabled=yes")
        #expect(try Configuration.load(.file(file)).configuration.recording?.rate == 16_000)
    }

    @Test func relativeDirectoryStartsAtTheFileThatSetsIt() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            "etc/tacet.conf", Self.session + "[Recording]\nDirectory=calls\n[State]\nDirectory=s")
        var configuration = try Configuration.load(.file(file)).configuration
        #expect(configuration.recording?.directory == "\(folder.path)/etc/calls")
        // The key for the state folder has the same name.
        #expect(configuration.state.directory == "\(folder.path)/etc/s")
        try folder.write("etc/tacet.conf.d/50.conf", "[Recording]\nDirectory=../calls\n[State]\nDirectory=/var/s")
        configuration = try Configuration.load(.file(file)).configuration
        #expect(configuration.recording?.directory == "\(folder.path)/etc/tacet.conf.d/../calls")
        #expect(configuration.state.directory == "/var/s")
    }

    @Test func keysOfTheSameNameInOtherSectionsAreIndependent() throws {
        let configuration = try load(
            Self.session
                + "[Recording]\nDevice=mic\n[Playback]\nDevice=speaker\n[State]\nDirectory=/a\n[Recording]\nDirectory=/b"
        ).configuration
        #expect(configuration.recording?.device == "mic" && configuration.recording?.directory == "/b")
        #expect(configuration.playback.device == "speaker" && configuration.state.directory == "/a")
    }

    @Test(
        arguments: [
            ("500M", 500 << 20), ("1.5G", 3 << 29), ("4G", 4 << 30), ("1T", 1 << 40), ("1024K", 1 << 20),
            ("1M", 1 << 20),
            ("1048576", 1 << 20), ("1048576B", 1 << 20), ("2 G", 2 << 30), ("0.5G", 1 << 29), ("1024T", 1 << 50),
            ("infinity", nil),
        ] as [(String, Int64?)])
    func sizesAreReadAsSystemdWritesThem(text: String, bytes: Int64?) throws {
        let recording = try #require(try load(Self.session + "[Recording]\nKeep=\(text)").configuration.recording)
        #expect(recording.keep == bytes)
    }

    @Test(arguments: [
        ("1023K", "is too small"), ("0", "is too small"), ("1048575", "is too small"), ("0.9M", "is too small"),
        ("-5M", "is not a size"), ("five", "is not a size"), ("5X", "is not a size"), ("M", "is not a size"),
        ("1.2.3G", "is not a size"), ("1e9", "is not a size"), ("0x100000", "is not a size"), ("nan", "is not a size"),
        ("inf", "is not a size"), ("Infinity", "is not a size"), ("1g", "is not a size"), ("٣G", "is not a size"),
        ("99999999999999999999", "is not a size"), ("2000T", "is not a size"), ("1G 500M", "is not a size"),
        (".", "is not a size"),
    ])
    func badSizesAreReported(text: String, problem: String) throws {
        #expect(
            try diagnose(Self.session + "[Recording]\nKeep=\(text)") == [
                "4: error: Keep=\(text) \(problem) (write a size of at least 1M, such as 500M or 4G, or infinity)"
            ])
    }

    @Test func sizesAreShownWithTheLargestSuffixThatLeavesAWholeNumber() throws {
        let sizes: [(Int64, String)] = [
            (1 << 30, "1G"), (3 << 29, "1536M"), (500 << 20, "500M"), (1_000_000, "1000000"), (0, "0"),
            (1 << 50, "1024T"), (1 << 10, "1K"),
        ]
        for (bytes, text) in sizes {
            #expect(ByteSize.format(bytes) == text)
            #expect(ByteSize.parse(text) == bytes)
        }
    }

    @Test(arguments: [
        ("Rate=7999", "is out of range (write a whole number from 8000 to 192000)"),
        ("Rate=192001", "is out of range (write a whole number from 8000 to 192000)"),
        ("Rate=44.1k", "is not a whole number (write a whole number from 8000 to 192000)"),
        ("Channels=0", "is out of range (write a whole number from 1 to 8)"),
        ("Channels=9", "is out of range (write a whole number from 1 to 8)"),
        ("Segment=999ms", "is out of range (write a time from 1s to 1d)"),
        ("Segment=25h", "is out of range (write a time from 1s to 1d)"),
        ("Segment=infinity", "is not a time (write a time from 1s to 1d, such as 30ms, 5s or 2min)"),
        ("Format=mp3", "is unknown (it can be flac or wav)"),
        ("Format=FLAC", "is unknown (did you mean ‘flac’? it can be flac or wav)"),
        ("AutoRecord=recording", "is neither yes nor no (write yes or no)"),
        ("Enabled=maybe", "is neither yes nor no (write yes or no)"),
    ])
    func badValuesAreReported(setting: String, problem: String) throws {
        #expect(try diagnose(Self.session + "[Recording]\n\(setting)") == ["4: error: \(setting) \(problem)"])
    }

    @Test(arguments: ["Rate=8000", "Rate=192000", "Channels=1", "Channels=8", "Segment=1s", "Segment=1d", "Keep=1M"])
    func boundsOfARangeAreAccepted(setting: String) throws {
        #expect(try diagnose(Self.session + "[Recording]\n\(setting)") == [])
    }

    @Test func namesThatAreTooLongAreReported() throws {
        let device = String(repeating: "x", count: 256)
        let directory = "/" + String(repeating: "x", count: 4000)
        #expect(
            try diagnose(Self.session + "[Recording]\nDevice=\(device)\nDirectory=\(directory)") == [
                "4: error: Device=\(device) is 256 bytes long (at most 255 are allowed)",
                "5: error: Directory=\(directory) is 4001 bytes long (at most 4000 are allowed)",
            ])
    }

    @Test func categoryThatDoesNotRecordCausesAWarning() throws {
        let warning = { (line: Int, category: String) in
            "\(line): warning: [Recording] is ignored because the category \(category) does not record (write Category=playAndRecord or Category=record in [Session], or remove the section)"
        }
        // The warning names the line with the category, or the section if no line sets it.
        #expect(try diagnose("[Session]\nCategory=playback\n[Recording]") == [warning(2, "playback")])
        #expect(try diagnose("[Playback]\nRepeat=none\n[Recording]\n[Recording]") == [warning(3, "playback")])
        for category in ["record", "playAndRecord"] {
            #expect(try diagnose("[Session]\nCategory=\(category)\n[Recording]") == [])
        }
        let configuration = try load("[Recording]\nAutoRecord=yes").configuration
        #expect(!configuration.session.canRecord)
    }

    @Test func unknownKeysAndKeysOutsideTheirSectionAreReported() throws {
        #expect(
            try diagnose(
                "Segment=1h\nDevice=mic\nDirectory=/a\n" + Self.session
                    + "[Recording]\nRat=1\nLibrary=x\nColour=red\nautorecord=yes\n[Playback]\nKeep=1G\n[Recording x]\n[Record]"
            ) == [
                "1: error: Segment= comes before the first section (it belongs in [Recording])",
                "2: error: Device= comes before the first section (it belongs in [Playback] or [Recording])",
                "3: error: Directory= comes before the first section (it belongs in [Recording] or [State])",
                "7: error: unknown key ‘Rat’ in [Recording] (did you mean ‘Rate’?)",
                "8: error: Library= does not belong in [Recording] (it belongs in [Playback])",
                "9: error: unknown key ‘Colour’ in [Recording] ([Recording] has Enabled, Device, Directory, Format, Rate, Channels, Segment, Keep, AutoRecord, During)",
                "10: error: unknown key ‘autorecord’ in [Recording] (did you mean ‘AutoRecord’?)",
                "12: error: Keep= does not belong in [Playback] (it belongs in [Recording])",
                "13: error: [Recording x] has a name (there is only one such section: write [Recording])",
                "14: error: [Record] is an unknown section (did you mean ‘Recording’?)",
            ])
    }

    @Test func keySetTwiceCausesAWarning() throws {
        #expect(
            try diagnose(Self.session + "[Recording]\nRate=8000\n[State]\n[Recording]\nRate=16000") == [
                "7: warning: Rate= in [Recording] was already set on line 4 (this one takes effect, so remove the other)"
            ])
    }

    @Test func summaryDescribesTheRecorder() throws {
        let summary = { (text: String) in try load(text).configuration.summary }
        #expect(
            try summary(Self.session + "[Recording]\nDevice=mic\nKeep=1.5G\nAutoRecord=yes").hasSuffix(
                "from mic to /var/lib/tacet/recordings (flac, 48000 Hz, 1 ch), a file every 15min, at most 1536M, records at first boot"
            ))
        #expect(
            try summary(Self.session + "[Recording]\nKeep=infinity").hasSuffix("without a limit, is off at first boot"))
        #expect(
            try summary(Self.session + "[Recording]\nDuring=interruptions").hasSuffix(
                "is off at first boot, also during interruptions"))
        #expect(try summary("[Recording]").hasSuffix("none: the category playback does not record"))
        #expect(try !summary(Self.session).contains("recording"))
    }
}

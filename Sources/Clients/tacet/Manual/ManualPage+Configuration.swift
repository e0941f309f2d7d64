import Configuration
import Playback

extension ManualPage {
    /// Writes the page `tacet.conf.5`.
    init(_ sections: [SectionDocumentation]) {
        self.init(ConfigurationManual.name, 5, "configuration of the audio interruption supervisor Tacet")
        section("SYNOPSIS")
        verbatim(ConfigurationManual.synopsis)
        section("DESCRIPTION")
        write(ConfigurationManual.description)
        section("VALUES")
        for (head, text) in ConfigurationManual.values { item(".B \(head)", text) }
        let signalKeys = sections.first { $0.heading == "[Signal NAME]" }?.keys ?? []
        for documentation in sections {
            section("[\(documentation.heading.dropFirst().dropLast())] SECTION")
            let shared = ["[Button NAME]", "[Output NAME]"].contains(documentation.heading) ? signalKeys : []
            write(documentation.paragraphs + ConfigurationManual.shared(documentation.keys, with: shared))
            for key in documentation.keys where !shared.contains(where: { $0.name == key.name }) { self.key(key) }
        }
        section("AUDIO FORMATS")
        write([ConfigurationManual.formats])
        for format in Decoder.formats {
            item(".B \(format.name)", format.suffixes.map { ".\($0)" }.joined(separator: ", "))
        }
        write([Decoder.limits])
        section("WIRING")
        write(ConfigurationManual.wiring)
        verbatim(ConfigurationManual.contacts)
        section("THE VENDOR FILE")
        write(["The file that comes with Tacet changes these defaults:"])
        verbatim(ConfigurationManual.vendorFile)
        section("EXAMPLES")
        write(["A whole configuration, in /etc/tacet/tacet.conf.d/50-board.conf, on top of the vendor file:"])
        verbatim(ConfigurationManual.example)
        write([ConfigurationManual.check])
        section("FILES")
        for (path, text) in ConfigurationManual.files { item(".I \(ManualPage.dashed(path))", text) }
        seeAlso([
            ("tacet", 1), ("tacet-check", 1), ("tacet-lines", 1), ("tacet-verify", 1), ("tacetd", 8), ("aplay", 1),
            ("systemd.time", 7), ("systemd-analyze", 1),
        ])
    }

    private mutating func key(_ key: KeyDocumentation) {
        item(".BR \(key.name) =", key.meaning)
        remark("Values: \(key.values). Default: \(key.builtIn). Since: \(key.since).")
    }
}

extension SectionDocumentation {
    fileprivate var paragraphs: [String] { text.split(separator: "\n\n").map(String.init) }
}

/// The parts of tacet.conf(5) that do not come from the table of keys.
enum ConfigurationManual {
    static let name = "tacet.conf"

    static let synopsis = """
        /etc/tacet/tacet.conf
        /etc/tacet/tacet.conf.d/*.conf
        /usr/lib/tacet/tacet.conf
        """

    static let description = [
        """
        tacetd(8) reads these files when it starts and when it reloads. The format is that of systemd: sections in \
        brackets, one Key=Value a line, and comments on lines of their own that begin with # or ;. A value is the rest \
        of its line: quotes and a # after a space are part of it, and a backslash does not continue a line. Names and \
        words are case-sensitive. Files are UTF-8, at most 1 MiB, with lines of at most 4200 bytes.
        """,
        """
        The main file is the first tacet/tacet.conf that exists in /etc, /run, /usr/local/lib and /usr/lib: a file in \
        /etc replaces the vendor file as a whole. The drop-ins tacet/tacet.conf.d/*.conf of all these folders are read \
        afterwards, sorted by name; a drop-in hides those of the same name in later folders, so an empty one disables \
        them. A later file overrides an earlier one key by key. ‘Key=’ without a value restores the default listed here. \
        ‘systemd-analyze cat-config tacet/tacet.conf’ shows all files in order.
        """,
        """
        With --config FILE, tacet and tacetd read FILE and FILE.d/*.conf instead.
        """,
        """
        An unknown section or key, a value out of range, a line that two sections use, or a missing configuration file \
        is an error. (A missing sound file is only a warning.) \
        ‘tacet check’ prints all errors, each with its file and line, what is wrong and what would be right. A reload \
        with errors changes nothing. A start with errors uses the last configuration that worked: see tacetd(8).
        """,
    ]

    static let values: [(String, String)] = [
        (
            "Times",
            """
            As in systemd.time(7): a number with a unit, or several that add up: 30ms, 5.25s, 1min 30s, 2h. The units \
            are us, ms, s, min (or m), h, d, w, M (month) and y, and longer forms such as sec, minutes and hours. A \
            number without a unit is in seconds. infinity is allowed only where it is listed.
            """
        ),
        (
            "Levels",
            """
            Decibels relative to full scale, always with the unit: -14dB, -10.5 dB, 0dB. mute is -120dB, which is \
            silence. A level can only attenuate.
            """
        ),
        ("Switches", "yes or no; also y, n, true, false, t, f, on, off, 1 and 0, in upper or lower case."),
        ("Texts", "Lengths are in bytes of UTF-8. A relative path starts from the folder of the file that sets it."),
    ]

    /// Returns the paragraph of a section about the keys that it shares with another one.
    static func shared(_ keys: [KeyDocumentation], with others: [KeyDocumentation]) -> [String] {
        let common = keys.filter { key in others.contains { $0.name == key.name } }
        guard !common.isEmpty else { return [] }
        let differences = common.filter { !others.contains($0) }.map { "\($0.name)=, which is \($0.builtIn)" }
        let exceptions =
            differences.isEmpty ? "" : ", with the same defaults but for \(differences.joined(separator: "; "))"
        return ["As for a signal\(exceptions): \(common.map { "\($0.name)=" }.joined(separator: ", "))."]
    }

    static let formats = """
        What Library= and the File= of a sound can be. A file is played as what it contains, whatever its name; the music \
        in a folder is recognised by the end of its files' names:
        """

    static let wiring = [
        """
        A contact has two ends, and the signal begins when it closes or opens:
        """
    ]

    static let contacts = """
        line and ground  ActiveLow=yes  Bias=pull-up    closes
        line and 3.3 V   ActiveLow=no   Bias=pull-down  closes
        line and ground  ActiveLow=no   Bias=pull-up    opens (a cut wire then asserts the signal)
        """

    static let vendorFile = """
        [Signal phone-call]
        Line=PHONE_CALL
        Bias=pull-down
        Debounce=5ms
        ReleaseDelay=5s
        ChatterLimit=300
        StuckAfter=12h

        [Signal alarm]
        Line=ALARM
        Bias=pull-down
        Debounce=20ms
        ReleaseDelay=2s
        StuckAfter=12h
        Priority=90

        [Signal cover-closed]
        Line=COVER_CLOSED
        Bias=pull-down
        Debounce=100ms
        ChatterLimit=40
        ReleaseDelay=0s
        """

    static let example = """
        [Playback]
        Device=hw:CARD=Headphones
        Library=/srv/music
        Volume=-6dB

        # A contact to ground, with the chip's own resistor.
        [Signal phone-call]
        Line=GPIO17
        ActiveLow=yes
        Bias=pull-up

        # An alarm that opens its contact: a cut wire is an alarm, too.
        [Signal alarm]
        Line=GPIO27
        ActiveLow=no
        Bias=pull-up
        DuckLevel=-18dB
        Cue=siren

        # This board has no cover.
        [Signal cover-closed]
        Enabled=no

        # A door that stops the music until somebody presses play.
        [Signal door-open]
        Line=GPIO22
        Effect=pause
        Resume=manual
        WhenLost=assert

        [Button play-pause]
        Line=GPIO23
        ActiveLow=yes
        Bias=pull-up
        Command=playPause

        # Heard for as long as the alarm lasts.
        [Sound siren]
        File=/srv/sounds/siren.flac
        Repeat=yes

        # ‘tacet announce gong’ plays it; the music pauses meanwhile.
        [Sound gong]
        File=/srv/sounds/gong.flac
        Effect=pause

        [State]
        Interval=30s
        """

    static let check = """
        Then ‘tacet check’ finds mistakes, ‘tacet lines’ shows whether each contact asserts its signal, ‘tacet verify’ \
        proves the rules for this configuration, and ‘systemctl reload tacet’ applies it.
        """

    static let files: [(String, String)] = [
        ("/usr/lib/tacet/tacet.conf", "the vendor file, which an update replaces. It explains every key, too."),
        ("/etc/tacet/tacet.conf", "replaces the vendor file as a whole, if it exists."),
        ("/etc/tacet/tacet.conf.d/*.conf", "drop-ins: what differs on this board."),
        (
            "/run/tacet, /usr/local/lib/tacet",
            "are searched for tacet.conf and tacet.conf.d, too: after /etc and before /usr/lib."
        ),
        (
            "/var/lib/tacet/configuration",
            "the last configuration that worked, for a start whose own configuration has mistakes."
        ),
    ]
}

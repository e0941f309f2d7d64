import Configuration
import Playback

extension ManualPage {
    /// Writes the page `tacet.conf.5`.
    init(_ sections: [SectionDocumentation]) {
        self.init(ConfigurationManual.name, 5, "configuration of the music player Tacet")
        section("SYNOPSIS")
        verbatim(ConfigurationManual.synopsis)
        section("DESCRIPTION")
        write(ConfigurationManual.description)
        section("VALUES")
        for (head, text) in ConfigurationManual.values { item(".B \(head)", text) }
        let signalKeys = sections.first { $0.heading == "[Signal NAME]" }?.keys ?? []
        for documentation in sections {
            let shared = ["[Button NAME]", "[Output NAME]"].contains(documentation.heading) ? signalKeys : []
            write(documentation, sharing: shared)
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
        write(["The vendor file that is installed with Tacet changes these defaults:"])
        verbatim(ConfigurationManual.vendorFile)
        section("EXAMPLES")
        write(["The file /etc/tacet/tacet.conf.d/50-board.conf configures a whole board on top of the vendor file:"])
        verbatim(ConfigurationManual.example)
        write([ConfigurationManual.check])
        section("FILES")
        for (path, text) in ConfigurationManual.files { item(".I \(ManualPage.dashed(path))", text) }
        seeAlso([
            ("tacet", 1), ("tacet-check", 1), ("tacet-devices", 1), ("tacet-inputs", 1), ("tacet-lines", 1),
            ("tacet-verify", 1),
            ("aplay", 1),
            ("systemd-analyze", 1), ("systemd.time", 7), ("tacetd", 8),
        ])
    }

    /// Adds a section of the configuration with its keys.
    ///
    /// - Parameter others: The keys that another section describes.
    mutating func write(_ documentation: SectionDocumentation, sharing others: [KeyDocumentation] = []) {
        section("\(documentation.heading) SECTION OPTIONS")
        write(documentation.paragraphs + ConfigurationManual.shared(documentation.keys, with: others))
        for key in documentation.keys where !others.contains(where: { $0.name == key.name }) {
            item(".BR \(key.name) =", key.paragraphs)
        }
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
        These files configure the daemon tacetd(8), which reads them when it starts and when it reloads. The format is \
        that of systemd's configuration files. Sections have a name in brackets, each setting Key=Value is on its own \
        line, and comments begin with # or ; and are on their own lines. The value is the rest of the line. Therefore, \
        quotes and a # after a space are part of it, and a backslash does not continue the line. Names and words are \
        case-sensitive. Files are encoded in UTF-8. A file may have up to 1 MiB, and a line up to 4200 bytes.
        """,
        """
        The main file is the first tacet/tacet.conf that exists in /etc, /run, /usr/local/lib and /usr/lib, so a file in \
        /etc replaces the vendor file as a whole. Afterwards, the drop-ins tacet/tacet.conf.d/*.conf of all these \
        directories are read, sorted by name. A drop-in hides drop-ins of the same name in later directories, so an empty \
        one disables them. A later file overrides an earlier one key by key. A Key= without a value restores the default \
        that is documented here. The command systemd-analyze cat-config tacet/tacet.conf shows all files in order.
        """,
        """
        With --config FILE, tacet and tacetd read FILE and FILE.d/*.conf instead.
        """,
        """
        Unknown sections and keys, values out of range, a line that two sections use, and a missing configuration file \
        are errors. A missing sound file is only a warning. The command tacet check prints each error with its file and \
        line, and explains how to correct it. If there are errors, a reload changes nothing, and a start uses the last \
        configuration that worked, as described in tacetd(8).
        """,
    ]

    static let values: [(String, String)] = [
        (
            "Times",
            """
            Times follow systemd.time(7). A time is a number with a unit, or several of them that add up, such as 30ms, \
            5.25s, 1min 30s or 2h. The units are us, ms, s, min (or m), h, d, w, M (month) and y, and longer forms such as \
            sec, minutes and hours. A number without a unit is in seconds. The word infinity is only allowed where this \
            page lists it.
            """
        ),
        (
            "Levels",
            """
            Levels are in decibels relative to full scale and always have their unit, such as -14dB, -10.5 dB or 0dB. The \
            word mute stands for -120dB, which is silence. A level can only attenuate.
            """
        ),
        (
            "Booleans",
            "Boolean values are yes, y, true, t, on and 1, and no, n, false, f, off and 0, in upper or lower case."
        ),
        (
            "Strings",
            """
            The length of a string is its number of bytes in UTF-8. A relative path starts from the directory of the file that contains \
            the setting.
            """
        ),
    ]

    /// Returns the paragraph of a section about the keys that it shares with another one.
    static func shared(_ keys: [KeyDocumentation], with others: [KeyDocumentation]) -> [String] {
        let common = keys.filter { key in others.contains { $0.name == key.name } }
        guard !common.isEmpty else { return [] }
        let differences = common.filter { !others.contains($0) }.map { "\($0.name)= \($0.builtIn.clause)" }
        let keys = common.map { "\($0.name)=" }.joined(separator: ", ")
        return ["The following settings have the same meaning as for a signal: \(keys)."]
            + (differences.isEmpty
                ? [] : ["Their defaults are also the same, except that \(differences.joined(separator: ", and "))."])
    }

    static let formats = """
        The following formats can be used for Library= and for the File= of a sound. The content of a file determines how \
        it is played, whatever its name is. However, music in a folder is only found if the name of the file has one of \
        these endings:
        """

    static let wiring = [
        """
        A contact has two ends, and the signal begins when the contact closes or opens:
        """
    ]

    static let contacts = """
        line and ground  ActiveLow=yes  Bias=pull-up    closes
        line and 3.3 V   ActiveLow=no   Bias=pull-down  closes
        line and ground  ActiveLow=no   Bias=pull-up    opens (a broken wire also asserts the signal)
        """

    static let vendorFile = """
        [Signal phone-call]
        Line=PHONE_CALL
        Bias=pull-down
        ReleaseDelay=5s
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
        Line=GPIO12
        ActiveLow=yes
        Bias=pull-up

        # An alarm that opens its contact, so that a broken wire also raises it.
        [Signal alarm]
        Line=GPIO13
        ActiveLow=no
        Bias=pull-up
        DuckLevel=-18dB
        Cue=siren

        # This board has no cover.
        [Signal cover-closed]
        Enabled=no

        # A door that stops the music until somebody presses play.
        [Signal door-open]
        Line=GPIO16
        Effect=pause
        Resume=manual
        WhenLost=assert

        # GPIO9, which has this name on a Raspberry Pi 3 or 4.
        [Button play-pause]
        Line=SPI_MISO
        ActiveLow=yes
        Bias=pull-up
        Command=playPause

        # Plays for as long as the alarm lasts.
        [Sound siren]
        File=/srv/sounds/siren.flac
        Repeat=yes

        # Use `tacet announce gong` to play it. The music pauses meanwhile.
        [Sound gong]
        File=/srv/sounds/gong.flac
        Effect=pause

        [State]
        Interval=30s
        """

    static let check = """
        Use tacet check to find mistakes in such a file, tacet lines to see whether each contact asserts its signal, tacet \
        verify to prove the rules for this configuration, and systemctl reload tacet to apply it.
        """

    static let files: [(String, String)] = [
        ("/usr/lib/tacet/tacet.conf", "The vendor file, which updates replace. It also explains every setting."),
        ("/etc/tacet/tacet.conf", "If this file exists, it replaces the vendor file as a whole."),
        ("/etc/tacet/tacet.conf.d/*.conf", "Drop-ins with the settings of this board."),
        (
            "/run/tacet, /usr/local/lib/tacet",
            "These directories are also searched for tacet.conf and tacet.conf.d, after /etc and before /usr/lib."
        ),
        (
            "/var/lib/tacet/configuration",
            "The last configuration that worked. A start uses it if the installed configuration has errors."
        ),
    ]
}

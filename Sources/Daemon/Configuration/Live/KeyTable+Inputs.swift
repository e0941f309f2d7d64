import ALSA
import AudioSession
import Time

extension KeyTable {
    static let input: [Key<InputKeys>] = [
        Key(
            "Enabled", \.isEnabled, .boolean,
            "If disabled, the section is ignored, and the input does not exist on this board."),
        Key(
            "From", optional: \.from, .origin, withoutValue: .required,
            """
            Specifies where the audio comes from. With pipe:PATH, another program writes samples into a FIFO that \
            Tacet creates. With alsa:DEVICE, Tacet records from a capture device, such as a line input or a loopback \
            into which other programs play. With stream:URL, tacet-stream(8) receives a radio station over http or \
            https, in the format MP3, Ogg Vorbis, Opus or FLAC, or AAC if ffmpeg is installed. The URL may also be that \
            of an M3U or PLS playlist. A user and a password in it are not shown to other users, if only root and Tacet \
            can read the file.
            """),
        Key(
            "Format", \.format, .sampleFormat,
            """
            Specifies the samples in a pipe by their encoding, their rate in hertz and the number of channels. The \
            encoding is s16le, s24le (in 32 bits), s24_3le, s32le or f32le. A stream does not need it.
            """),
        Key(
            "Role", \.role, .choice(),
            """
            Specifies the use of the audio. With programme, it takes the place of the library while it sounds. With \
            page, it is heard as the cue of signals with Source=input and Cue=input, which are asserted while it \
            sounds.
            """),
        Key(
            "Automatic", optional: \.automatic, .boolean,
            withoutValue: .described("yes for a stream, and to no otherwise"),
            """
            If enabled, the input starts without anybody's doing, as a radio station does. It is then heard only while \
            no other input sounds, and a command such as pause applies to it and to the library together. If \
            disabled, the beginning of its sound counts as the command play, because somebody has started it.
            """),
        Key(
            "Attack", \.attack, .time(.zero ... .seconds(60)),
            "Specifies how long audio must arrive without interruption before the input sounds."),
        Key(
            "Idle", \.idle, .time(.milliseconds(50) ... .seconds(3_600)),
            "Specifies how long nothing must arrive before the input counts as silent."),
        Key(
            "SettleTime", \.settleTime, .time(.zero ... .seconds(3_600)),
            """
            Specifies how long audio must arrive without interruption before an automatic input that has been silent \
            sounds again.
            """),
        Key(
            "Threshold", \.threshold, .level,
            """
            Specifies the level, relative to full scale, above which the audio of a capture device counts. It counts \
            until its peaks have been 6 dB below this level for a quarter of a second. Anything else is silence.
            """),
        Key(
            "Latency", \.latency, .time(.milliseconds(20) ... .seconds(5)),
            """
            Specifies the delay with which the audio is played. It remains constant, because Tacet follows the clock of \
            the sender. A longer delay tolerates a sender that writes less regularly.
            """),
        Key(
            "Player", optional: \.player, .text(upTo: 40),
            """
            Specifies the NAME of the section [Player NAME] of the program whose audio arrives here. Commands such as \
            pause and next are then passed to it.
            """),
    ]

    static let player: [Key<PlayerKeys>] = [
        Key(
            "Enabled", \.isEnabled, .boolean,
            "If disabled, the section is ignored, and Tacet does not touch the program."),
        Key(
            "Bus", optional: \.bus, .playerName,
            """
            Specifies a program with the MPRIS interface by its bus name without the beginning \
            org.mpris.MediaPlayer2, such as vlc. The character * stands for any text, so that vlc* also stands for \
            further instances of VLC. All programs with such a name are paused and resumed together. A program that \
            merely passes on commands, such as playerctld, is never meant. The program must be on the system bus or \
            on a bus that an option of tacet-players(8) names.
            """),
        Key(
            "MPD", optional: \.mpd, .mpdAddress,
            """
            Specifies a Music Player Daemon by the path of its socket, or by its host and port, such as \
            localhost:6600. If the daemon requires a password, tacet-players(8) describes where to store it. If the \
            daemon is on another machine, its pause and the end of the network connection look \
            alike while the connection is interrupted.
            """),
    ]
}

extension ValueKind<String> {
    /// The origin of an input's audio.
    fileprivate static var origin: ValueKind<String> {
        let advice = "write pipe:PATH with an absolute path, alsa:DEVICE, or stream:URL"
        return ValueKind(
            values: "one of pipe:PATH, alsa:DEVICE and stream:URL",
            parse: { (text) throws(BadValue) in
                let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, ["pipe", "alsa", "stream"].contains(parts[0]), !parts[1].isEmpty else {
                    throw BadValue(problem: "is not the origin of audio", advice: advice)
                }
                guard text.utf8.count <= 4000 else {
                    throw BadValue(problem: "is \(text.utf8.count) bytes long", advice: "at most 4000 are allowed")
                }
                guard parts[0] != "pipe" || parts[1].hasPrefix("/") else {
                    throw BadValue(problem: "has a path that is not absolute", advice: advice)
                }
                if parts[0] == "stream" { try checkStream(String(parts[1])) }
                return text
            }, isFreeText: true)
    }

    private static func checkStream(_ text: String) throws(BadValue) {
        do throws(StreamURL.Mistake) { _ = try StreamURL(text) } catch {
            throw BadValue(
                problem: "has a URL that \(error.words)",
                advice: "write a URL such as stream:https://radio.example/live",
                // A password in the URL must not reach the journal.
                shown: "stream:…")
        }
    }
}

extension ValueKind<String> {
    /// The end of an MPRIS name, in which * stands for any text.
    fileprivate static var playerName: ValueKind<String> {
        let prefix = "org.mpris.MediaPlayer2."
        let advice = "write the name that ‘playerctl --list-all’ prints, such as vlc"
        return ValueKind(
            values: "the end of a bus name, such as vlc",
            parse: { (text) throws(BadValue) in
                // This is the name of a separate interface. The MPRIS interface has the same commands.
                guard text != "org.gnome.ShairportSync" else {
                    throw BadValue(problem: "is not the MPRIS name of shairport-sync", advice: "write ShairportSync")
                }
                guard !text.hasPrefix(prefix) else {
                    throw BadValue(
                        problem: "begins with \(prefix)", advice: "write \(text.dropFirst(prefix.utf8.count))")
                }
                let isName = text.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
                        UInt8(ascii: "."), UInt8(ascii: "*"):
                        true
                    default: false
                    }
                }
                guard isName, (1...200).contains(text.utf8.count) else {
                    throw BadValue(problem: "is not the end of a bus name", advice: advice)
                }
                guard !PlayerSettings.excludedNames.contains(text) else {
                    throw BadValue(problem: "is not a player that can be paused", advice: advice)
                }
                return text
            }, isFreeText: true)
    }

    /// The socket of a Music Player Daemon.
    fileprivate static var mpdAddress: ValueKind<String> {
        let advice = "write /run/mpd/socket, or a host and a port such as localhost:6600"
        return ValueKind(
            values: "the path of a socket, or HOST:PORT",
            parse: { (text) throws(BadValue) in
                // Programs that use the variable MPD_HOST accept a password before the address.
                guard !text.contains("@") else {
                    throw BadValue(
                        problem: "contains a password, which everybody on the bus could read",
                        advice:
                            "write only the address, and provide the password as a credential (see tacet-players(8))")
                }
                guard MPDAddress(text) != nil else {
                    throw BadValue(problem: "is not the address of a Music Player Daemon", advice: advice)
                }
                return text
            }, isFreeText: true)
    }
}

extension ValueKind<LiveFormat> {
    fileprivate static var sampleFormat: ValueKind<LiveFormat> {
        let (rates, channels) = (LiveFormat.rates, LiveFormat.channels)
        let values = """
            ENCODING:RATE:CHANNELS, such as s16le:44100:2, with a rate from \(rates.lowerBound) to \
            \(rates.upperBound) and \(channels.lowerBound) to \(channels.upperBound) channels
            """
        return ValueKind(values: values) { (text) throws(BadValue) in
            guard let format = try? LiveFormat(text) else {
                throw BadValue(problem: "is not a sample format", advice: "write \(values)")
            }
            return format
        }
    }
}

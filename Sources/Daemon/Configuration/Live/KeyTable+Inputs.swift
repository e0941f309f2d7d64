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
            into which other programs play.
            """),
        Key(
            "Format", \.format, .sampleFormat,
            """
            Specifies the samples in a pipe by their encoding, their rate in hertz and the number of channels. The \
            encoding is s16le, s24_3le, s32le or f32le.
            """),
        Key(
            "Role", \.role, .choice(),
            """
            Specifies the use of the audio. With programme, it takes the place of the library while it sounds. With \
            page, it is heard as the cue of signals with Source=input and Cue=input, which are asserted while it \
            sounds.
            """),
        Key(
            "Automatic", \.isAutomatic, .boolean,
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
            Specifies the level, relative to full scale, above which the audio of a capture device counts. Anything \
            below it is silence.
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
            "Bus", optional: \.bus, .text(upTo: 255),
            """
            Specifies a program with the MPRIS interface by the end of its bus name, such as vlc. The character * \
            stands for any text.
            """),
        Key("MPD", optional: \.mpd, .text(upTo: 255), "Specifies a Music Player Daemon by its socket."),
    ]
}

extension ValueKind<String> {
    /// The origin of an input's audio.
    fileprivate static var origin: ValueKind<String> {
        let advice = "write pipe:PATH with an absolute path, or alsa:DEVICE"
        return ValueKind(
            values: "one of pipe:PATH and alsa:DEVICE",
            parse: { (text) throws(BadValue) in
                let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, ["pipe", "alsa"].contains(parts[0]), !parts[1].isEmpty else {
                    throw BadValue(problem: "is not the origin of audio", advice: advice)
                }
                guard text.utf8.count <= 4000 else {
                    throw BadValue(problem: "is \(text.utf8.count) bytes long", advice: "at most 4000 are allowed")
                }
                guard parts[0] != "pipe" || parts[1].hasPrefix("/") else {
                    throw BadValue(problem: "has a path that is not absolute", advice: advice)
                }
                return text
            }, isFreeText: true)
    }
}

extension ValueKind<SampleFormat> {
    fileprivate static var sampleFormat: ValueKind<SampleFormat> {
        let (rates, channels) = (SampleFormat.rates, SampleFormat.channelCounts)
        let values = """
            ENCODING:RATE:CHANNELS, such as s16le:44100:2, with a rate from \(rates.lowerBound) to \
            \(rates.upperBound) and \(channels.lowerBound) to \(channels.upperBound) channels
            """
        return ValueKind(values: values) { (text) throws(BadValue) in
            guard let format = SampleFormat(text) else {
                throw BadValue(problem: "is not a sample format", advice: "write \(values)")
            }
            return format
        }
    }
}

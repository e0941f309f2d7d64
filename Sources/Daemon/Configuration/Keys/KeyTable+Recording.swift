import AudioSession

extension KeyTable {
    static let recording: [Key<RecordingKeys>] = [
        Key(
            "Enabled", \.isEnabled, .boolean,
            "If disabled, the section is ignored, and this board does not record."),
        Key(
            "Device", \.settings.device, .text(upTo: 255),
            "Specifies the input by its ALSA name. Use tacet devices to list the names."),
        Key(
            "Directory", \.settings.directory, .text(upTo: 4000),
            """
            Specifies the folder of the recordings. The path is absolute or relative to the folder of the file that \
            contains the setting. Tacet creates the folder if its parent exists, also after it has been deleted, but \
            not while its disk is unmounted. Because the service can only write to /var/lib/tacet, any other folder \
            needs ReadWritePaths= in a drop-in of the unit, which systemctl edit tacet creates. The name of a file is \
            the UTC time of its first frame. If the clock has been set back by up to a month, or has not been set \
            since the board was turned on, the name of the newest file with a number is used instead, so that the \
            names still sort in the order of recording.
            """),
        Key(
            "Format", \.settings.format, .choice(),
            """
            Specifies the format of the files. Both formats are lossless, and flac takes about half the space of wav.
            """),
        Key(
            "Rate", \.settings.rate, .count(8000...192_000),
            """
            Specifies the number of frames per second. If the input does not support it, the nearest supported rate \
            is used.
            """),
        Key(
            "Channels", \.settings.channels, .count(1...8),
            "Specifies the number of channels. If the input has another number of channels, that number is used."),
        Key(
            "Segment", \.settings.segment, .time(.seconds(1) ... .seconds(86_400)),
            """
            After this time, the recording continues in a new file, which begins with the very next frame. After a \
            power cut, the recording also continues in a new file.
            """),
        Key(
            "Keep", \.settings.keep, .size(atLeast: 1 << 20),
            """
            Specifies how much disk space all recordings may take together. Before this limit is exceeded, the oldest \
            recordings are deleted, but never the file that is being written. Recordings whose names are more than a \
            month ahead of the clock are deleted first, because they were named while the clock was wrong.
            """),
        Key(
            "AutoRecord", \.autoRecord, .boolean,
            """
            If enabled, the first boot records, when there is no saved state yet. Later boots continue from the saved \
            state. Use tacet record start and tacet record stop to change it.
            """),
        Key(
            "During", \.during, .choice(),
            """
            Specifies whether interruptions affect the recording. With active, the recording pauses while a signal \
            interrupts the music, and continues under the same conditions as the music. With interruptions, it also \
            continues during interruptions, for example as the black box of a vehicle, which must record in an \
            emergency. It then also continues if the music does not resume after an interruption. Only tacet record \
            stop ends it, or the return of a lost microphone if ResumeAfterReset=no is set. While a signal with \
            Effect=mute-microphone is asserted, silence is recorded.
            """),
    ]
}

extension RecordingSettings.Format: DocumentedValue {}
extension RecorderPolicy.During: DocumentedValue {}

import AudioSession

extension KeyTable {
    static let recording: [Key<RecordingKeys>] = [
        Key(
            "Enabled", \.isEnabled, .boolean, since: "0.9.0",
            "With no, this board records nothing: the section is ignored."),
        Key(
            "Device", \.settings.device, .text(upTo: 255), since: "0.9.0",
            "ALSA's name of the input; ‘arecord -L’ lists the names."),
        Key(
            "Directory", \.settings.directory, .text(upTo: 4000), since: "0.9.0",
            """
            The folder of the recordings, absolute or relative to the folder of the file that sets it. It is created if \
            the folder that contains it exists, also if it has been deleted, but not while its disk is unmounted. The \
            service can only write to /var/lib/tacet: another folder needs ReadWritePaths= in a drop-in of the unit \
            (systemctl edit tacet). A file's name is the UTC time of its first frame. If the clock has been set back \
            by up to a month, or has not been set since the board was turned on, the name of the newest file is \
            continued with a number instead, so that names sort in the order of recording.
            """),
        Key(
            "Format", \.settings.format, .choice(), since: "0.9.0",
            "The format of the files: flac takes about half the space of wav, without loss."),
        Key(
            "Rate", \.settings.rate, .count(8000...192_000), since: "0.9.0",
            "The frames per second. If the input has no such rate, the nearest one is recorded."),
        Key(
            "Channels", \.settings.channels, .count(1...8), since: "0.9.0",
            "The number of channels. If the input has another number, that one is recorded."),
        Key(
            "Segment", \.settings.segment, .time(.seconds(1) ... .seconds(86_400)), since: "0.9.0",
            """
            A new file begins after this long, at the very next frame. After a power cut, recording also continues in \
            a new file.
            """),
        Key(
            "Keep", \.settings.keep, .size(atLeast: 1 << 20), since: "0.9.0",
            """
            The most disk space that all recordings take: before it is exceeded, the oldest ones are deleted, but never \
            the one that is being written. Recordings whose names are more than a month ahead of the clock are \
            deleted first, because a wrong clock has named them.
            """),
        Key(
            "AutoRecord", \.autoRecord, .boolean, since: "0.9.0",
            """
            Whether the first boot records, when there is no saved state. Later boots continue as saved; ‘tacet record \
            start’ and ‘tacet record stop’ change it.
            """),
    ]
}

extension RecordingSettings.Format: DocumentedValue {}
